import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { test } from 'node:test';
import { pngOfSize } from '../../testkit/bombs.js';
import { jpegScheme, oldJpegScheme, tiledTiff } from './tiled-tiff.js';
import { plain, refusedAs, Studio } from './support.js';

const pixelLimit = 5_000_000;
const studio = await Studio.open({ maxPixels: pixelLimit });

const others: Record<string, string | Buffer> = {
  svg: '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9"/></svg>',
  pdf: '%PDF-1.7\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF',
  bmp: Buffer.concat([Buffer.from('BM'), Buffer.alloc(60)]),
  text: 'just some words',
  empty: '',
  'one byte': '\xff',
};

for (const [what, content] of Object.entries(others)) {
  test(`${what} is not supported, whatever its name says`, async () => {
    const name = `${what}.jpg`;
    await assert.rejects(
      studio.process(name, Buffer.from(content)),
      refusedAs('unsupported_image'),
    );
    assert.deepEqual(await studio.outputsOf(name), []);
  });
}

test('the content determines the format, not the name', async () => {
  const image = await studio.process('lie.jpg', plain(9, 9, [1, 2, 3]).png());
  assert.equal(image.format, 'png');
});

for (const signature of [
  '\xff\xd8\xff',
  '\x89PNG\r\n\x1a\n',
  'GIF89a',
  'II*\0',
  'RIFF\0\0\0\0WEBP',
]) {
  test(`a file with only the signature ${JSON.stringify(signature)} is corrupt`, async () => {
    const file = Buffer.from(signature, 'latin1');
    await assert.rejects(studio.process('signature', file), refusedAs('corrupt_image'));
  });
}

test('a TIFF with old-style JPEG tiles, which would be decoded as blank, is not supported', async () => {
  const jpeg = await plain(64, 64, [200, 60, 40]).jpeg().toBuffer();
  await assert.rejects(
    studio.process('old jpeg', tiledTiff(jpeg, 64, oldJpegScheme)),
    refusedAs('unsupported_image'),
  );
  assert.equal((await studio.process('new jpeg', tiledTiff(jpeg, 64, jpegScheme))).format, 'tiff');
});

for (const name of ['image01551.jpg', 'image02206.jpg', 'Canon_40D.jpg']) {
  test(`${name}, odd but complete, is accepted`, async () => {
    assert.equal((await studio.processPhoto(name)).format, 'jpeg');
  });
}

test('a decompression bomb is too large', async () => {
  const file = pngOfSize(20_000, 20_000);
  assert.ok(file.length < 100_000);
  await assert.rejects(studio.process('bomb', file), refusedAs('image_too_large'));
  assert.equal((await studio.process('no bomb', pngOfSize(2_000, 2_000))).width, 2_000);
});

test('the pixel limit is exact, for HEIC too', async () => {
  await studio.process('exact', plain(2_500, 2_000, [1, 2, 3]).png());
  await assert.rejects(
    studio.process('over', plain(2_500, 2_001, [1, 2, 3]).png()),
    refusedAs('image_too_large'),
  );
  const strict = await Studio.open({ maxPixels: 640 * 426 - 1 });
  await assert.rejects(strict.processPhoto('samplefilehub.heif'), refusedAs('image_too_large'));
});

test('a missing file is not reported as corrupt', async () => {
  await assert.rejects(studio.processFile('missing'), refusedAs('unavailable'));
});

test('an output that cannot be written is not reported as corrupt', async () => {
  const blocked = studio.path('blocked');
  await writeFile(blocked, await plain(9, 9, [1, 2, 3]).png().toBuffer());
  // With this name, only the outputs with their extensions exceed the limit of 255 bytes.
  const long = 'x'.repeat(250);
  await writeFile(studio.path(long), await readFile(blocked));
  await assert.rejects(studio.processFile(long), refusedAs('unavailable'));
});
