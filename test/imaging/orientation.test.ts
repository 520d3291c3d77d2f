import assert from 'node:assert/strict';
import { test } from 'node:test';
import sharp, { type Sharp } from 'sharp';
import { near, pixel, plain, Studio } from './support.js';

const studio = await Studio.open();

const [width, height] = [1200, 600];
const red = [220, 30, 30];
const blue = [30, 30, 220];
const grey = [128, 128, 128];

/** When upright, gray with a red upper left and a blue upper right quarter. */
const upright = await plain(width, height, grey)
  .composite([
    {
      input: await plain(width / 2, height / 2, red)
        .png()
        .toBuffer(),
      left: 0,
      top: 0,
    },
    {
      input: await plain(width / 2, height / 2, blue)
        .png()
        .toBuffer(),
      left: width / 2,
      top: 0,
    },
  ])
  .removeAlpha()
  .png()
  .toBuffer();

/** How a camera that writes this orientation stores the upright picture. */
const stored: Record<number, () => Sharp> = {
  1: () => sharp(upright),
  2: () => sharp(upright).flop(),
  3: () => sharp(upright).rotate(180),
  4: () => sharp(upright).flip(),
  5: () => sharp(upright).flip().rotate(90),
  6: () => sharp(upright).rotate(270),
  7: () => sharp(upright).flip().rotate(270),
  8: () => sharp(upright).rotate(90),
};

for (const format of ['jpeg', 'png', 'webp', 'tiff'] as const) {
  for (const [orientation, make] of Object.entries(stored)) {
    test(`${format} with orientation ${orientation} is displayed upright`, async () => {
      const pixels = await make().png().toBuffer();
      const file = sharp(pixels).withMetadata({ orientation: Number(orientation) });
      const image = await studio.process(`${format}-${orientation}`, file.toFormat(format));
      assert.deepEqual([image.width, image.height], [width, height]);
      assert.ok(image.display);
      for (const { path } of [image.display, image.thumb]) {
        const meta = await sharp(path).metadata();
        assert.equal(meta.orientation, undefined);
        const [w, h] = [meta.width, meta.height];
        assert.equal(w, 2 * h);
        assert.ok(
          near(await pixel(path, w / 4, h / 4), red),
          `red above left: ${(await pixel(path, w / 4, h / 4)).join()}`,
        );
        assert.ok(near(await pixel(path, (w * 3) / 4, h / 4), blue), 'blue above right');
        assert.ok(near(await pixel(path, w / 4, (h * 3) / 4), grey), 'grey below');
      }
    });
  }
}

test('a real phone picture on its side', async () => {
  const image = await studio.processPhoto('landscape_6.jpg');
  assert.deepEqual([image.width, image.height], [600, 450]);
  const thumb = await sharp(image.thumb.path).metadata();
  assert.deepEqual([thumb.width, thumb.height], [256, 192]);
});
