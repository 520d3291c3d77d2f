import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdir, stat, writeFile } from 'node:fs/promises';
import { test } from 'node:test';
import sharp, { type Sharp } from 'sharp';
import { pngOfSize } from '../../testkit/bombs.js';
import { adobeProfile, deepTiff } from '../../testkit/coloured.js';
import { readPhoto } from '../../testkit/photos.js';
import { canvas, jpeg } from '../../testkit/pictures.js';
import { gullible, near, noise, pixel, plain, refusedAs, Studio } from './support.js';

const studio = await Studio.open();

/** Makes the whole picture of a file. */
async function full(
  name: string,
  content: Uint8Array | Sharp,
  user = 'somebody',
  from = studio,
  side?: number,
) {
  const bytes = content instanceof Uint8Array ? content : await content.toBuffer();
  const path = from.path(name);
  await writeFile(path, bytes);
  return from.queue.full({ path, hash: createHash('sha256').update(bytes).digest() }, user, side);
}

const colour = [200, 60, 40] as const;

test('it has the size of the picture, more detail than the rendition, and no metadata', async () => {
  const picture = noise(1600, 1200).withMetadata({ orientation: 8 }).withIccProfile('p3');
  const made = await full('detail', picture.jpeg());
  const { format, width, height, exif, icc, orientation, space } = await sharp(
    made.path,
  ).metadata();
  assert.deepEqual([made.extension, format, width, height], ['jpg', 'jpeg', 1200, 1600]);
  assert.deepEqual([exif, icc, orientation, space], [undefined, undefined, undefined, 'srgb']);
  assert.equal(made.bytes, (await stat(made.path)).size);
});

test('a picture of many megabytes arrives whole', async () => {
  const made = await full('large', noise(3000, 2000).tiff());
  assert.ok(made.bytes > 2_000_000, `${made.bytes}`);
  const { info } = await sharp(made.path, { failOn: 'warning' })
    .raw()
    .toBuffer({ resolveWithObject: true });
  assert.deepEqual([info.width, info.height], [3000, 2000]);
});

test('colors are those of sRGB, at any depth', async () => {
  const deep = await full('deep.tif', await deepTiff([180, 90, 60], adobeProfile()));
  assert.ok(near(await pixel(deep.path, 2, 2), [205, 90, 56]), 'sixteen bits, Adobe RGB');
  const cases: Record<string, Sharp> = {
    'p3.tif': plain(1300, 900, colour).withIccProfile('p3').tiff(),
    'cmyk.jpg': plain(1300, 900, [150, 110, 100]).withIccProfile('cmyk').jpeg({ quality: 95 }),
    'deep.png': plain(1300, 900, colour).toColourspace('rgb16').png(),
  };
  for (const [name, picture] of Object.entries(cases)) {
    const made = await full(name, picture);
    const expected = name === 'cmyk.jpg' ? [150, 110, 100] : colour;
    const shown = await pixel(made.path, 1200, 800);
    assert.ok(near(shown, expected, name === 'cmyk.jpg' ? 25 : 12), `${name}: ${shown.join()}`);
  }
});

for (const heifDecoder of ['auto', 'bundled'] as const) {
  test(`HEIC is decoded in full size and turned upright (${heifDecoder})`, async () => {
    const here = heifDecoder === 'auto' ? studio : await Studio.open({ heifDecoder });
    const file = await readPhoto('samplefilehub.heif');
    const shown = await here.process(`${heifDecoder}.heif`, file);
    const made = await full(`${heifDecoder}-full.heif`, file, 'somebody', here);
    const { width, height } = await sharp(made.path).metadata();
    assert.deepEqual([width, height], [shown.width, shown.height]);
    // Scaled down, it looks like what uploads make of it.
    const small = async (path: string): Promise<Buffer> =>
      sharp(path).resize(16, 16, { fit: 'fill' }).removeAlpha().raw().toBuffer();
    const thumb = await small(shown.thumb.path);
    assert.ok(near([...(await small(made.path))], [...thumb], 24));
  });
}

test('transparency makes it a PNG, an opaque alpha channel does not', async () => {
  const half = await full('half.tif', canvas(1200, 30, true).tiff({ compression: 'lzw' }));
  assert.equal(half.extension, 'png');
  assert.equal((await sharp(half.path).stats()).isOpaque, false);
  const opaque = await full(
    'opaque.tif',
    canvas(40, 30).ensureAlpha(1).tiff({ compression: 'lzw' }),
  );
  assert.equal(opaque.extension, 'jpg');
  assert.equal((await full('alpha.heic', await readPhoto('alpha.heic'))).extension, 'png');
});

test('for paper it is a JPEG that fits into a square, upright, on white', async () => {
  const fitted = (name: string, content: Sharp) => full(name, content, 'somebody', studio, 1500);
  const { extension, path } = await fitted(
    'paper.jpg',
    noise(3000, 2000).withMetadata({ orientation: 6 }).withIccProfile('p3').jpeg(),
  );
  const { width, height, exif, icc, space } = await sharp(path).metadata();
  assert.deepEqual([extension, width, height], ['jpg', 1000, 1500]);
  assert.deepEqual([exif, icc, space], [undefined, undefined, 'srgb']);
  const half = await fitted('paper.png', canvas(1200, 30, true).png());
  assert.deepEqual([half.extension, (await sharp(half.path).metadata()).width], ['jpg', 1200]);
  assert.ok(near(await pixel(half.path, 2, 2), [255, 255, 255]));
  const line = await fitted('line.png', plain(1, 30_000, colour).png());
  assert.equal((await sharp(line.path).metadata()).height, 1500);
});

test('what breaks off is shown as far as it goes; what is no picture is refused', async () => {
  const whole = await jpeg({ width: 1200, height: 900 });
  const made = await full('cut.jpg', whole.subarray(0, Math.floor(whole.length * 0.8)));
  assert.equal((await sharp(made.path).metadata()).height, 900);
  await assert.rejects(
    full('half.jpg', whole.subarray(0, whole.length / 4)),
    refusedAs('corrupt_image'),
  );
  await assert.rejects(full('text', Buffer.from('no picture')), refusedAs('unsupported_image'));
});

test("one user's backlog of whole pictures delays another's upload only by those in progress", async () => {
  const heic = await readPhoto('grid.heic');
  let done = 0;
  const backlog = Array.from({ length: 40 }, (_, i) =>
    full(`whole-${i}.heic`, heic, 'busy', studio, i % 2 ? 1200 : undefined).then(() => (done += 1)),
  );
  await Promise.race(backlog);
  const before = done;
  await studio.process('small', await jpeg({ width: 64, height: 64 }), 'other');
  assert.ok(done - before <= 6, `${done - before} of the others in between`);
  await Promise.all(backlog);
});

test('a picture that is too costly as a whole may still be uploaded', async () => {
  const here = await Studio.open({ inspector: gullible, maxPixels: 1e9, timeoutMs: 500 });
  const [slow, small] = [here.path('slow'), here.path('small')];
  await writeFile(slow, pngOfSize(30_000, 30_000));
  await writeFile(small, await plain(20, 20, colour).png().toBuffer());
  const hash = Buffer.alloc(32, 1);
  const refused = refusedAs('image_too_complex');
  await assert.rejects(here.queue.full({ path: slow, hash }, 'somebody'), refused);
  assert.equal((await here.queue.process({ path: small, hash }, 'somebody')).width, 20);
  await assert.rejects(here.queue.full({ path: small, hash }, 'somebody'), refused, 'for good');
});

test('a full disk is the fault of the service', async () => {
  const here = await Studio.open();
  await mkdir(here.path('no-room.full'));
  await assert.rejects(full('no-room', await jpeg(), 'somebody', here), refusedAs('unavailable'));
  assert.equal((await full('next', await jpeg(), 'somebody', here)).extension, 'jpg');
});
