import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { test } from 'node:test';
import sharp from 'sharp';
import { pngOfSize } from '../../testkit/bombs.js';
import { type TiffContent, tiffFile, u16, u32 } from '../../testkit/drawn-tiff.js';
import { jpegScheme, oldJpegScheme, tiledTiff } from './tiled-tiff.js';
import { near, pixel, plain, refusedAs, Studio } from './support.js';

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

const small = { width: 32, height: 24, samples: 3, bits: 8, data: Buffer.alloc(32 * 24 * 3) };
const reduced = 1;
/** What looks like TIFF but is not one that can be shown; a raw file has a small preview first. */
const undecodable: Record<string, TiffContent> = {
  'a DNG': { ...small, entries: [[50_706, 1, Buffer.from([1, 4, 0, 0])]] },
  'a sensor image': { ...small, samples: 1, photometric: 32_803 },
  'a preview with a larger image below': {
    ...small,
    entries: [
      [254, 4, u32(reduced)],
      [330, 4, u32(8)],
    ],
    // The directory below: 4000 x 3000.
    data: Buffer.concat([
      u16(2, 256, 4),
      u32(1, 4000),
      u16(257, 4),
      u32(1, 3000, 0),
      Buffer.alloc(small.data.length - 30),
    ]),
  },
  'six samples': { ...small, samples: 6, data: Buffer.alloc(32 * 24 * 6), extra: [0, 0, 0] },
  '12 bits': { ...small, bits: 12, data: Buffer.alloc(32 * 24 * 5) },
  '10 bits of grey': { ...small, samples: 1, bits: 10 },
  '4 bits of RGB': { ...small, bits: 4 },
  '32 bits': { ...small, bits: 32, data: Buffer.alloc(32 * 24 * 12) },
  'signed numbers': { ...small, sampleFormat: 2 },
  'grey in floating point': {
    ...small,
    samples: 1,
    bits: 32,
    sampleFormat: 3,
    data: Buffer.alloc(32 * 24 * 4),
  },
};

for (const [what, content] of Object.entries(undecodable)) {
  test(`TIFF: ${what} is not supported`, async () => {
    await assert.rejects(studio.process(what, tiffFile(content)), refusedAs('unsupported_image'));
  });
}

for (const samples of [2, 3, 4, 5]) {
  for (const bits of [8, 16]) {
    test(`a TIFF of ${samples} samples of ${bits} bits is shown, without those beyond alpha`, async () => {
      const data = Buffer.alloc((32 * 24 * samples * bits) / 8, 200);
      const extra = samples === 2 ? [0] : Array.from({ length: samples - 3 }, () => 0);
      const content = { ...small, samples, bits, data, extra };
      const { thumb } = await studio.process(`${samples} of ${bits}`, tiffFile(content));
      const { width, channels } = await sharp(thumb.path).metadata();
      assert.equal(width, 32);
      assert.ok(channels === 3 || channels === 4);
    });
  }
}

test('of grey with two extra samples, the grey is shown', async () => {
  const data = Buffer.alloc(32 * 24 * 3).fill(Buffer.from([90, 200, 10]));
  const file = tiffFile({ ...small, data, photometric: 1, extra: [0, 0] });
  const { thumb } = await studio.process('grey and 2', file);
  const shown = await pixel(thumb.path, 9, 9);
  assert.ok(near(shown, [90, 90, 90], 6), shown.join());
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
