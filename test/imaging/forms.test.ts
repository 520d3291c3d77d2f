import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import sharp from 'sharp';
import { near, refusedAs, Studio } from './support.js';

const studio = await Studio.open();
const drawn = (name: string): Promise<Buffer> =>
  readFile(new URL(`../../../test/fixtures/drawn/${name}`, import.meta.url));
const process = async (name: string) => studio.process(name, await drawn(name));

/** The color of a place in a picture, in parts of its sides, with alpha. */
async function colourAt(path: string, x: number, y: number): Promise<number[]> {
  const { data, info } = await sharp(path)
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const at = Math.floor(y * info.height) * info.width + Math.floor(x * info.width);
  return [...data.subarray(at * 4, at * 4 + 4)];
}

/** In the thumbnail, in the rendition if there is one, and in the whole picture. */
async function assertShown(name: string, x: number, y: number, expected: number[]): Promise<void> {
  const { thumb, display } = await process(name);
  const full = await studio.queue.full({ path: studio.path(name), hash: Buffer.alloc(32) }, 'one');
  for (const { path } of [thumb, ...(display ? [display] : []), full]) {
    const colour = await colourAt(path, x, y);
    // Whatever color is wholly transparent.
    const isRight = expected[3] === 0 ? colour[3] === 0 : near(colour, expected, 16);
    assert.ok(isRight, `${path}: ${colour.join()}`);
  }
}

for (const name of ['alpha-premultiplied.avif', 'alpha-premultiplied.heic']) {
  test(`colors multiplied with alpha are divided by it: ${name}`, async () => {
    await assertShown(name, 0.8, 0.5, [0, 255, 0, 128]);
  });
}

for (const name of ['alpha-unspecified-zero.tif', 'alpha-unspecified-infrared.tif']) {
  test(`a sample without a meaning is no alpha: ${name}`, async () => {
    const { thumb, display } = await process(name);
    const full = await studio.queue.full({ path: studio.path(name), hash: Buffer.alloc(32) }, 'a');
    for (const one of [thumb, display, full]) {
      assert.ok(one && (await sharp(one.path).stats()).isOpaque, one?.path);
    }
    const { dominant } = await sharp(thumb.path).stats();
    assert.ok(dominant.r + dominant.g + dominant.b > 0, 'its colors are lost');
  });
}

for (const name of [
  'png-adler.png',
  'png-idat-crc.png',
  'png-iend-crc.png',
  'png-window-too-small.png',
]) {
  // prettier-ignore
  test(`a picture whose rows all decode is whole: ${name}`, async () => {
    const { incomplete } = await process(name);
    assert.equal(incomplete, false);
  });
}

test('YCbCr that is not packed as JPEG', () =>
  assertShown('tiff-ycbcr-444.tif', 0.0625, 0.5, [255, 0, 0, 255]));

test('a GIF is transparent around a frame that is smaller than its screen', () =>
  assertShown('gif-frame-inside.gif', 0.05, 0.05, [0, 0, 0, 0]));

for (const name of ['tiff-icclab-8.tif', 'tiff-planar-tiled.tif', 'png-cgbi.png']) {
  test(`what no decoder shows in its colors is unsupported: ${name}`, async () => {
    await assert.rejects(process(name), refusedAs('unsupported_image'));
  });
}

for (const [name, latitude] of [
  ['heic-exif-offset-100.heic', 37.5665],
  ['place-xmp-location-shown.jpg', undefined],
  ['place-xmp-decimal-refs.jpg', -28.184478],
  ['place-xmp-space.jpg', 37.5665],
  ['place-xmp-extended-split.jpg', 37.5665],
] as const) {
  test(`the place: ${name}`, async () => {
    const { coordinates } = await process(name);
    const rounded = coordinates && Math.round(coordinates.latitude * 1e6) / 1e6;
    assert.equal(rounded, latitude);
  });
}

test("a drone's altitude where its place is taken", async () => {
  assert.equal((await process('place-xmp-dji-altitude.jpg')).altitude, 46);
});

for (const [name, wallTime, offsetMinutes] of [
  ['heic-exif-of-another-image.heic', '20240506_070809', undefined],
  ['time-xmp-pantry.jpg', '20240506_070809', 540],
  ['time-offset-one-digit.jpg', '20240506_070809', -300],
  ['time-hour-24.jpg', '20160202_002833', undefined],
] as const) {
  test(`the time: ${name}`, async () => {
    const { taken } = await process(name);
    assert.equal(taken?.wallTime, wallTime);
    if (offsetMinutes !== undefined) assert.equal(taken.offsetMinutes, offsetMinutes);
  });
}
