import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import sharp from 'sharp';
import { thumbHashToAverageRGBA } from 'thumbhash';
import { near, noise, pixel, plain, Studio } from './support.js';

const studio = await Studio.open();
const green = [20, 160, 60];

for (const [format, extension] of [
  ['jpeg', 'jpg'],
  ['png', 'png'],
  ['webp', 'webp'],
  ['gif', 'jpg'],
  ['tiff', 'jpg'],
  ['avif', 'webp'],
] as const) {
  test(`${format} becomes a 1024 rendition in ${extension}, a thumbnail and a thumbhash`, async () => {
    const name = `large-${format}`;
    const image = await studio.process(name, plain(1600, 800, green).toFormat(format));
    assert.deepEqual([image.format, image.width, image.height], [format, 1600, 800]);
    assert.deepEqual(await studio.outputsOf(name), [
      `${name}.display.${extension}`,
      `${name}.thumb.webp`,
    ]);

    const { display, thumb } = image;
    assert.ok(display);
    assert.equal(display.extension, extension);
    const shown = await sharp(display.path).metadata();
    assert.deepEqual([shown.width, shown.height], [1024, 512]);
    assert.equal(display.bytes, (await readFile(display.path)).length);
    assert.ok(near(await pixel(display.path, 500, 200), green));

    const small = await sharp(thumb.path).metadata();
    assert.deepEqual([small.format, small.width, small.height], ['webp', 256, 128]);
    assert.ok(near(await pixel(thumb.path, 100, 60), green));
    const { r, g, b } = thumbHashToAverageRGBA(image.thumbhash);
    assert.ok(near([r * 255, g * 255, b * 255], green));
  });
}

for (const [width, height, skipped] of [
  [1024, 1024, true],
  [640, 480, true],
  [1, 1, true],
  [1024, 1500, true],
  [1500, 1024, true],
  [1025, 700, false],
  [700, 1025, false],
] as const) {
  test(`${width} x ${height}: display is ${skipped ? 'skipped' : 'made'}`, async () => {
    const name = `skip-${width}x${height}`;
    const image = await studio.process(name, plain(width, height, green).png());
    assert.equal(image.display === undefined, skipped);
    assert.equal((await studio.outputsOf(name)).length, skipped ? 1 : 2);
  });
}

for (const format of ['gif', 'avif', 'webp'] as const) {
  test(`a small ${format} is displayed unchanged`, async () => {
    const image = await studio.process(`small-${format}`, plain(30, 20, green).toFormat(format));
    assert.equal(image.display, undefined);
  });
}

test('a small TIFF still gets a rendition, never enlarged', async () => {
  const { display } = await studio.process('small-tiff', plain(30, 20, green).tiff());
  assert.ok(display);
  const shown = await sharp(display.path).metadata();
  assert.deepEqual([shown.format, shown.width, shown.height], ['jpeg', 30, 20]);
});

for (const format of ['gif', 'tiff'] as const) {
  test(`a transparent ${format} becomes a PNG that keeps its transparency`, async () => {
    const clear = plain(1200, 1200, [0, 0, 0, 0]).composite([
      { input: await plain(600, 1200, green).png().toBuffer(), left: 0, top: 0 },
    ]);
    const { display, thumb } = await studio.process(
      `clear-${format}`,
      clear.toFormat(format, { compression: 'lzw' }),
    );
    assert.equal(display?.extension, 'png');
    assert.equal((await pixel(display.path, 900, 500))[3], 0);
    assert.ok(near(await pixel(display.path, 100, 500), [...green, 255]));
    assert.equal((await pixel(thumb.path, 200, 100))[3], 0);
  });
}

test('an opaque alpha channel does not count as transparency', async () => {
  const { display } = await studio.process(
    'opaque',
    plain(1200, 9, green).ensureAlpha().tiff({ compression: 'lzw' }),
  );
  assert.equal(display?.extension, 'jpg');
});

test('only the first frame of an animation is rendered', async () => {
  const frames = await Promise.all(
    [green, [250, 0, 0]].map((colour) => plain(1200, 300, colour).png().toBuffer()),
  );
  const gif = sharp(frames, { join: { animated: true } }).gif();
  const image = await studio.process('animation', gif);
  assert.deepEqual([image.width, image.height], [1200, 300]);
  assert.ok(image.display);
  assert.equal((await sharp(image.display.path).metadata()).pages, undefined);
  assert.ok(near(await pixel(image.display.path, 500, 100), green));
});

test('an extremely narrow image keeps at least one pixel', async () => {
  const image = await studio.process('narrow', noise(5000, 2).png());
  assert.ok(image.display);
  const shown = await sharp(image.display.path).metadata();
  assert.deepEqual([shown.width, shown.height], [1024, 1]);
});
