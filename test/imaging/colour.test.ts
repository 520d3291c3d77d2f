import assert from 'node:assert/strict';
import { test } from 'node:test';
import sharp, { type Sharp } from 'sharp';
import { adobeProfile, deepTiff, pngWith, greyProfile, u32 } from '../../testkit/coloured.js';
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

// Of the samples 180, 90, 60, as `transicc -t0` of Little CMS 2.14 converts them to sRGB; where there
// is no profile, from the formulas of ITU-T H.273 and of the PNG standard.
const samples = [180, 90, 60];
const inAdobeRgb = [205, 90, 56];
const inDisplayP3 = [193, 83, 51];
const chunks = {
  linear: { gAMA: u32(100_000) },
  adobe: {
    gAMA: u32(45_471),
    cHRM: u32(31_270, 32_900, 64_000, 33_000, 21_000, 71_000, 15_000, 6_000),
  },
  likeSrgb: { gAMA: u32(45_455) },
  'srgb first': { sRGB: Buffer.alloc(1), gAMA: u32(100_000) },
  p3: { cICP: Buffer.from([12, 13, 0, 1]) },
  'BT.2020': { cICP: Buffer.from([9, 13, 0, 1]) },
  'BT.709': { cICP: Buffer.from([1, 1, 0, 1]) },
  'cICP before gAMA': { gAMA: u32(100_000), cICP: Buffer.from([12, 13, 0, 1]) },
} as const;
const converted: Record<keyof typeof chunks, readonly number[]> = {
  linear: [219, 160, 133],
  adobe: inAdobeRgb,
  likeSrgb: samples,
  'srgb first': samples,
  p3: inDisplayP3,
  'BT.2020': [217, 68, 50],
  'BT.709': [188, 104, 75],
  'cICP before gAMA': inDisplayP3,
};

const painted: Record<string, [make: () => Promise<Buffer>, expected: readonly number[]]> = {
  'sixteen bits in TIFF with a profile like Adobe RGB': [
    () => deepTiff(samples, adobeProfile()),
    inAdobeRgb,
  ],
  'sixteen bits of grey in TIFF with a linear profile': [
    () => deepTiff([60], greyProfile()),
    [133, 133, 133],
  ],
  'sixteen bits in TIFF with a broken profile': [
    () => deepTiff(samples, Buffer.alloc(500, 7)),
    samples,
  ],
  'sixteen bits in TIFF and sRGB red': [
    () => deepTiff([218.95, 0, 0], adobeProfile()),
    [255, 0, 0],
  ],
};
for (const [name, parts] of Object.entries(chunks)) {
  for (const deep of [false, true]) {
    const title = `PNG of ${deep ? 16 : 8} bits, ${name}`;
    const expected = converted[name as keyof typeof chunks];
    painted[title] = [() => pngWith(samples, deep, parts), expected];
  }
}

for (const [what, [make, expected]] of Object.entries(painted)) {
  test(`${what}: the colors are those of a color-managed program`, async () => {
    const { display, thumb } = await studio.process(what.replaceAll('/', ' '), await make());
    for (const { path } of [display ?? thumb, thumb]) {
      const shown = await pixel(path, 100, 2);
      assert.ok(near(shown, expected, 4), `${shown.join()} instead of ${expected.join()}`);
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
