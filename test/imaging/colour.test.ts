import assert from 'node:assert/strict';
import { test } from 'node:test';
import sharp, { type Sharp } from 'sharp';
import { near, pixel, plain, Studio } from './support.js';

const studio = await Studio.open();
const colour = [200, 60, 40];
const picture = (): Sharp => plain(1300, 900, colour);

interface Case {
  readonly make: () => Sharp;
  readonly expected: readonly number[];
  readonly tolerance?: number;
}

const cases: Record<string, Case> = {
  'a Display P3 profile': {
    make: () => picture().withIccProfile('p3').jpeg({ quality: 95 }),
    expected: colour,
  },
  'a CMYK JPEG': {
    // A color within the CMYK gamut, approximately: the round trip is not exact.
    make: () => plain(1300, 900, [150, 110, 100]).withIccProfile('cmyk').jpeg({ quality: 95 }),
    expected: [150, 110, 100],
    tolerance: 25,
  },
  '16 bits per channel': { make: () => picture().toColourspace('rgb16').png(), expected: colour },
  'a palette': { make: () => picture().png({ palette: true }), expected: colour },
  greyscale: {
    make: () => plain(1300, 900, [99, 99, 99]).toColourspace('b-w').png(),
    expected: [99, 99, 99],
  },
  alpha: { make: () => plain(1300, 900, [...colour, 0.5]).png(), expected: [...colour, 128] },
};

for (const [what, { make, expected, tolerance }] of Object.entries(cases)) {
  test(`${what} is displayed in the right sRGB colors`, async () => {
    const { display, thumb } = await studio.process(what, make());
    assert.ok(display);
    for (const { path } of [display, thumb]) {
      const shown = await pixel(path, 100, 100);
      assert.ok(near(shown, expected, tolerance), `${shown.join()} instead of ${expected.join()}`);
      const meta = await sharp(path).metadata();
      assert.deepEqual([meta.space, meta.depth, meta.icc], ['srgb', 'uchar', undefined]);
    }
  });
}

test('the color cases do need a conversion', async () => {
  const raw = await sharp(await picture().withIccProfile('p3').png().toBuffer(), {
    ignoreIcc: true,
  })
    .raw()
    .toBuffer();
  assert.ok(!near([...raw.subarray(0, 3)], colour));
});

for (const name of ['grey-full.avif', 'grey-limited.avif', 'grey-limited-10.avif']) {
  test(`${name} is shown from black to white`, async () => {
    const { thumb } = await studio.processPhoto(name);
    const { data, info } = await sharp(thumb.path).raw().toBuffer({ resolveWithObject: true });
    assert.deepEqual([info.width, info.height], [256, 64]);
    for (const x of [0, 64, 128, 192, 255]) {
      const at = (32 * 256 + x) * info.channels;
      const grey = [...data.subarray(at, at + 3)];
      assert.ok(near(grey, [x, x, x], 6), `${grey.join()} at ${x}`);
    }
  });
}
