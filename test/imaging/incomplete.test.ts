import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import sharp, { type Sharp } from 'sharp';
import { longForm } from '../../testkit/long-form.js';
import { photo } from '../../testkit/photos.js';
import { near, noise, pixel, refusedAs, Studio } from './support.js';
import { directoryFirst } from './directory-first.js';

const studio = await Studio.open();
const endMarker = Buffer.from([0xff, 0xd9]);

const part = (whole: Buffer, size: number): Buffer =>
  whole.subarray(0, Math.floor(whole.length * size));

async function accepted(name: string, bytes: Buffer, incomplete = true): Promise<void> {
  const image = await studio.process(name, bytes);
  assert.equal(image.incomplete, incomplete, name);
}

async function corrupt(name: string, bytes: Buffer): Promise<void> {
  await assert.rejects(studio.process(name, bytes), refusedAs('corrupt_image'), name);
  assert.deepEqual(await studio.outputsOf(name), []);
}

// Noise has equally many bytes in every row; with this height, blocks of 16 rows are a small part.
const picture = (): Sharp => noise(100, 1600);
interface Case {
  readonly make: () => Promise<Buffer>;
  /** Fractions of the file that are sufficient, and that are too small. */
  readonly enough: readonly number[];
  readonly tooLittle: readonly number[];
}

const half = { enough: [0.9, 0.52], tooLittle: [0.48, 0.1] };
const cases: Record<string, Case> = {
  jpeg: { make: () => picture().jpeg().toBuffer(), ...half },
  'grey jpeg': { make: () => picture().toColourspace('b-w').jpeg().toBuffer(), ...half },
  // One after every block: libvips tolerates a hundred missing ones.
  'jpeg with restart markers': {
    make: () => readFile(photo('restarts.jpg')),
    enough: [0.9, 0.6],
    tooLittle: [0.4, 0.1],
  },
  // The first scan, of all rows, is a small part of the file.
  'progressive jpeg': {
    make: () => picture().jpeg({ progressive: true }).toBuffer(),
    enough: [0.9, 0.5, 0.3],
    tooLittle: [0.01],
  },
  png: { make: () => picture().png().toBuffer(), ...half },
  'interlaced png': { make: () => picture().png({ progressive: true }).toBuffer(), ...half },
  'png of 16 bits': {
    make: () => picture().toColourspace('rgb16').png().toBuffer(),
    ...half,
  },
  webp: {
    make: () => picture().webp({ effort: 0 }).toBuffer(),
    enough: [0.9, 0.6],
    tooLittle: [0.4, 0.1],
  },
  'lossless webp': {
    make: () => picture().webp({ lossless: true, effort: 0 }).toBuffer(),
    enough: [0.9, 0.55],
    tooLittle: [0.45, 0.1],
  },
  gif: { make: () => picture().gif({ effort: 1 }).toBuffer(), ...half },
  'tiff with its directory first': {
    make: async () => directoryFirst(await picture().tiff({ compression: 'none' }).toBuffer()),
    ...half,
  },
  'lzw tiff with its directory first': {
    make: async () => directoryFirst(await picture().tiff({ compression: 'lzw' }).toBuffer()),
    enough: [0.9],
    tooLittle: [0.4, 0.1],
  },
};

/** Bytes at the end without which data is missing: a JPEG that lacks only its end marker has all blocks. */
const endOf = (what: string): number => (what.includes('jpeg') ? 16 : 1);

/** One format for each decoder and each way of counting rows. */
const shortForm = [
  ...['jpeg', 'jpeg with restart markers', 'progressive jpeg', 'png', 'webp', 'gif'],
  'tiff with its directory first',
];

for (const [what, { make, enough, tooLittle }] of Object.entries(cases)) {
  const skip = !longForm && !shortForm.includes(what);
  test(
    `a truncated ${what} is accepted with half of its rows, and is corrupt with less`,
    { skip },
    async () => {
      const whole = await make();
      await accepted(`${what} whole`, whole, false);
      await accepted(`${what} with garbage`, Buffer.concat([whole, Buffer.alloc(700, 7)]), false);
      await accepted(`${what} without its end`, whole.subarray(0, -endOf(what)));
      for (const size of enough) await accepted(`${what} ${size}`, part(whole, size));
      for (const size of tooLittle) await corrupt(`${what} ${size}`, part(whole, size));
    },
  );
}

test('an end marker where a JPEG was truncated changes nothing', async () => {
  const whole = await picture().jpeg().toBuffer();
  const ended = (size: number): Buffer => Buffer.concat([part(whole, size), endMarker]);
  // At least the last block is missing completely: of 700, 0.995 omits three or four.
  for (const size of [0.995, 0.9, 0.52]) await accepted(`ended ${size}`, ended(size));
  await corrupt('ended 0.48', ended(0.48));
  const upright = await sharp(whole)
    .withExif({ IFD0: { Orientation: '6' } })
    .toBuffer();
  await accepted('ended and turned', Buffer.concat([part(upright, 0.9), endMarker]));
});

test('a gray corner does not make a JPEG incomplete', async () => {
  const grey = sharp({ create: { width: 64, height: 64, channels: 3, background: '#808080' } });
  await accepted('grey', await grey.jpeg().toBuffer(), false);
});

test('a truncated CMYK JPEG is judged like any other', async () => {
  const whole = await picture().toColourspace('cmyk').jpeg().toBuffer();
  const start = whole.indexOf(Buffer.from([0xff, 0xda]));
  const cut = (size: number): Buffer =>
    whole.subarray(0, start + Math.floor((whole.length - start) * size));
  await accepted('cmyk whole', whole, false);
  await accepted('cmyk 0.55', cut(0.55));
  await corrupt('cmyk 0.45', cut(0.45));
});

test('a cut within the header is corrupt in every format', async () => {
  const small = (): Sharp => noise(40, 30).withExif({ IFD0: { Make: 'Somebody' } });
  for (const format of ['jpeg', 'png', 'webp', 'gif', 'tiff', 'avif'] as const) {
    const whole = await small().toFormat(format).toBuffer();
    for (const length of [12, 20, 27])
      await corrupt(`${format} ${length}`, whole.subarray(0, length));
  }
  const withExif = await small().jpeg().toBuffer();
  const exif = withExif.indexOf('Exif\0\0', 'latin1');
  await corrupt('within EXIF', withExif.subarray(0, exif + 40));
});

for (const format of ['gif', 'webp'] as const) {
  test(`an animated ${format} is incomplete when a later frame is cut, corrupt when the first is`, async () => {
    const frames = await Promise.all([0, 1, 2].map(() => noise(120, 100).png().toBuffer()));
    const whole = await sharp(frames, { join: { animated: true } })
      .toFormat(format)
      .toBuffer();
    assert.equal((await sharp(whole).metadata()).pages, 3);
    await accepted(`animated ${format} whole`, whole, false);
    for (const size of [0.9, 0.5, 0.38])
      await accepted(`animated ${format} ${size}`, part(whole, size));
    await corrupt(`animated ${format} 0.1`, part(whole, 0.1));
  });
}

test('of a PNG with damaged data, the rows before the damage are used', async () => {
  const whole = await picture().png().toBuffer();
  const damaged = (size: number): Buffer => {
    const file = Buffer.from(whole);
    return file.fill(0, Math.floor(file.length * size), Math.floor(file.length * size) + 100);
  };
  await accepted('damaged 0.8', damaged(0.8));
  await corrupt('damaged 0.2', damaged(0.2));
});

test('a truncated TIFF or AVIF loses what is stored at its end or encoded as a whole', async () => {
  const tiff = await picture().tiff({ compression: 'lzw' }).toBuffer();
  await corrupt('tiff', part(tiff, 0.95));
  const avif = await noise(300, 200).avif({ effort: 0 }).toBuffer();
  await corrupt('avif', part(avif, 0.95));
});

test('available strips must be valid when others are missing', async () => {
  const whole = directoryFirst(await picture().tiff({ compression: 'lzw' }).toBuffer());
  const cut = Buffer.from(part(whole, 0.9));
  const middle = Math.floor(cut.length * 0.4);
  await corrupt('tiff with a broken strip', cut.fill(0xff, middle, middle + 4000));
});

test('a tiled AVIF is accepted without the last tile, and is corrupt without most of them', async () => {
  const whole = await readFile(photo('grid.avif'));
  await accepted('grid whole', whole, false);
  await accepted('grid with garbage', Buffer.concat([whole, Buffer.alloc(700, 7)]), false);
  await accepted('grid 0.9', part(whole, 0.9));
  await corrupt('grid 0.4', part(whole, 0.4));
});

test('a truncated HEIC is accepted as far as it can be decoded, and the missing part is gray', async () => {
  const whole = await readFile(photo('samplefilehub.heif'));
  await accepted('heic with garbage', Buffer.concat([whole, Buffer.alloc(700, 7)]), false);
  await accepted('heic without the last byte', whole.subarray(0, -1));
  const { incomplete, display } = await studio.process('heic 0.8', part(whole, 0.8));
  assert.ok(incomplete && display);
  assert.ok(near(await pixel(display.path, 320, 420), [128, 128, 128]));
  for (const size of [0.02, 0.3]) await corrupt(`heic ${size}`, part(whole, size));
});

/** The average difference between two pictures. */
const distance = (a: Buffer, b: Buffer): number =>
  a.reduce((sum, value, i) => sum + Math.abs(value - (b[i] ?? 0)), 0) / a.length;

for (const [what, make] of Object.entries({
  jpeg: () => picture().jpeg().toBuffer(),
  webp: () => picture().webp({ effort: 0 }).toBuffer(),
})) {
  test(`the missing part of a ${what} is displayed gray, the rest unchanged`, async () => {
    const whole = await make();
    const { display } = await studio.process(what, part(whole, 0.7));
    assert.ok(display);
    const [shown, expected] = [sharp(display.path), sharp(whole).resize(64, 1024)];
    const top = { left: 0, top: 0, width: 64, height: 500 };
    const [a, b] = await Promise.all(
      [shown, expected].map((one) => one.extract(top).greyscale().raw().toBuffer()),
    );
    assert.ok(a && b);
    // Closer to the original than an empty picture; lossy encoding keeps little of noise.
    assert.ok(distance(a, b) < 0.7 * distance(Buffer.alloc(b.length, 128), b));
    assert.ok(near(await pixel(display.path, 50, 1000), [128, 128, 128]));
  });
}
