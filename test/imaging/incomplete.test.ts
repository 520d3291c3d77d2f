import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import sharp, { type Sharp } from 'sharp';
import { gridFile, heicGrid } from '../../testkit/heic-grid.js';
import { longForm } from '../../testkit/long-form.js';
import { photo } from '../../testkit/photos.js';
import { alone, stillOf } from '../../workers/incomplete/tiles.js';
import { FileBytes } from '../../workers/source.js';
import { near, noise, pixel, plain, refusedAs, Studio } from './support.js';
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
  'jpeg',
  'jpeg with restart markers',
  'progressive jpeg',
  'png',
  'webp',
  'gif',
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

/** Colors that decoders show where they lack data: libjpeg gray, libheif the green of zeros. */
const blanks = { grey: [128, 128, 128], green: [0, 136, 0] } as const;

/** A picture of one color, with a band of noise above or below. */
async function banded(
  [r, g, b]: readonly [number, number, number],
  side: 'top' | 'bottom',
): Promise<Sharp> {
  const band = await noise(200, 200).png().toBuffer();
  return sharp(band).extend({ [side]: 600, background: { r, g, b } });
}

for (const [name, colour] of Object.entries(blanks)) {
  for (const progressive of [false, true]) {
    const what = `${name}${progressive ? ', progressive' : ''}`;
    const shows = async (file: string, bytes: Buffer, expected: readonly number[]) => {
      const { incomplete, thumb } = await studio.process(file, bytes);
      assert.ok(near(await pixel(thumb.path, 10, 10), expected), file);
      return incomplete;
    };
    test(`a JPEG may have the color of missing data (${what})`, async () => {
      const one = await plain(200, 300, colour).jpeg({ progressive }).toBuffer();
      assert.equal(await shows(`whole ${what}`, one, colour), false);
      assert.equal(await shows(`no end ${what}`, one.subarray(0, -40), colour), true);
      const below = await (await banded(colour, 'bottom')).jpeg({ progressive }).toBuffer();
      await accepted(`noise, then ${what}`, below, false);
      const above = await (await banded(colour, 'top')).jpeg({ progressive }).toBuffer();
      assert.equal(await shows(`then noise ${what}`, above, colour), false);
      // Three quarters of the rows take a small part of the file.
      for (const size of [0.9, 0.5]) {
        assert.equal(await shows(`then noise ${what} ${size}`, part(above, size), colour), true);
      }
    });
  }
}

test('the rows of a JPEG are counted from its first one, in every orientation', async () => {
  for (let orientation = 1; orientation <= 8; orientation++) {
    const whole = await noise(400, 1500)
      .withMetadata({ orientation })
      .jpeg({ quality: 95 })
      .toBuffer();
    await accepted(`large ${orientation} 0.6`, part(whole, 0.6));
    await corrupt(`large ${orientation} 0.4`, part(whole, 0.4));
  }
});

test('of a JPEG that breaks off in its color, the rest counts as missing', async () => {
  const below = await (await banded(blanks.grey, 'bottom')).jpeg().toBuffer();
  await corrupt('noise, then half of the gray', below.subarray(0, -1500));
  await accepted('noise, then most of the gray', below.subarray(0, -500));
});

/** A JPEG with a restart marker after every block, without the one at `from` and those after it. */
function withoutSegments(file: Buffer, from: number, count: number): Buffer {
  const markers: number[] = [];
  for (let at = file.indexOf(0xff); at >= 0; at = file.indexOf(0xff, at + 1)) {
    if (((file[at + 1] ?? 0) & 0xf8) === 0xd0) markers.push(at);
  }
  return Buffer.concat([file.subarray(0, markers[from]), file.subarray(markers[from + count])]);
}

test('a JPEG with restart markers is accepted as decoded when data is lost in the middle', async () => {
  const whole = await readFile(photo('restarts.jpg'));
  for (const count of [3, 12, 40]) {
    await accepted(`${count} lost`, withoutSegments(whole, 60, count));
  }
  const zeroed = Buffer.from(whole);
  zeroed.fill(0, Math.floor(whole.length * 0.4), Math.floor(whole.length * 0.45));
  await accepted('zeroed', zeroed);
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

const [side, columns, rows] = [64, 4, 3] as const;

/** A tile of an AVIF grid. */
async function avifTile(picture: Sharp): Promise<{ config: Buffer; data: Buffer }> {
  const file = await picture.avif({ effort: 0, chromaSubsampling: '4:2:0' }).toBuffer();
  const item = stillOf(new FileBytes(file, file.length))?.primary;
  const config = item?.properties.find(({ type }) => type === 'av1C');
  const [extent] = item?.extents ?? [];
  assert.ok(config && extent);
  const data = file.subarray(extent.offset, extent.offset + extent.length);
  return { config: file.subarray(config.at, config.end), data };
}

const green = await avifTile(plain(side, side, blanks.green));
const noisy = await avifTile(noise(side, side));
const broken = Buffer.alloc(noisy.data.length);

/** What follows a tile's picture in its data, and is not needed to decode it. */
const padding = Buffer.alloc(16);

const tiles = new Map([
  ['g', green.data],
  ['p', Buffer.concat([green.data, padding])],
  ['n', noisy.data],
]);

/** An AVIF made of tiles: `g` is green, `p` the same with padding, `n` noise; `x` cannot be decoded. */
const avifGrid = (letters: string, quarterTurns = 0): Buffer =>
  gridFile({
    width: side * columns,
    height: side * rows,
    tile: side,
    quarterTurns,
    coding: 'av01',
    brand: 'avif',
    config: noisy.config,
    tiles: [...letters].map((letter) => tiles.get(letter) ?? broken),
  });

/** Where the last tile is, after so many counterclockwise quarter turns. */
const lastTile = [
  [0.9, 0.9],
  [0.9, 0.1],
  [0.1, 0.1],
  [0.1, 0.9],
] as const;

test('tiles of an AVIF may have the color that libheif leaves in missing ones', async () => {
  await accepted('flat.avif', await plain(300, 200, blanks.green).avif({ effort: 0 }).toBuffer(), false); // prettier-ignore
  await accepted('all green', avifGrid('gggggggggggg'), false);
  await accepted('some green', avifGrid('ngngngngngng'), false);
  await accepted('half broken', avifGrid('ggnnggxxxxxx'));
  await corrupt('seven broken', avifGrid('gggggxxxxxxx'));
  for (const [turns, [x, y]] of lastTile.entries()) {
    const { incomplete, thumb } = await studio.process(`turned ${turns}`, avifGrid('gggggggggggx', turns)); // prettier-ignore
    assert.equal(incomplete, true);
    const { width = 0, height = 0 } = await sharp(thumb.path).metadata();
    const at = (left: number, top: number) =>
      pixel(thumb.path, Math.floor(left * width), Math.floor(top * height));
    assert.ok(near(await at(x, y), [128, 128, 128]), `the last tile, turned ${turns} times`);
    assert.ok(near(await at(1 - x, 1 - y), blanks.green), `the first tile, turned ${turns} times`);
  }
});

test('tiles whose data is after the end of the file are missing, whatever the others show', async () => {
  const whole = avifGrid('ggggggnnnnnn');
  const last = (count: number): Buffer =>
    whole.subarray(0, whole.length - count * noisy.data.length + 1);
  await accepted('six tiles', last(6));
  await corrupt('five green tiles', avifGrid('gggggnnnnnnn').subarray(0, -7 * noisy.data.length + 1)); // prettier-ignore
  const { incomplete, thumb } = await studio.process('a byte', whole.subarray(0, -1));
  assert.equal(incomplete, true);
  for (const [x, y] of [
    [202, 138],
    [220, 150],
    [240, 160],
    [250, 185],
  ] as const) {
    assert.ok(near(await pixel(thumb.path, x, y), [128, 128, 128]), `${x}, ${y}`);
  }
});

/** The same file, in which the table of items has the last tile of a grid, or the picture, elsewhere. */
function placedAt(file: Buffer, offset: number): Buffer {
  const still = stillOf(new FileBytes(file, file.length));
  const [extent] = (still?.tiles.at(-1)?.item ?? still?.primary)?.extents ?? [];
  assert.ok(extent);
  const entry = Buffer.alloc(8);
  entry.writeUInt32BE(extent.offset);
  entry.writeUInt32BE(extent.length, 4);
  const at = file.indexOf(entry);
  assert.ok(at > 0, 'its place is in the table');
  const moved = Buffer.from(file);
  moved.writeUInt32BE(offset, at);
  return moved;
}

test('a tile whose data ends after the file is missing, even if what is there can be decoded', async () => {
  const whole = avifGrid('gggggggggggp');
  await accepted('padded', whole, false);
  for (const [what, file] of [
    ['cut within the padding', whole.subarray(0, -padding.length / 2)],
    ['placed beyond the end', placedAt(whole, whole.length + 100)],
    ['placed across the end', placedAt(whole, whole.length - 1)],
  ] as const) {
    const { incomplete, thumb } = await studio.process(what, file);
    assert.equal(incomplete, true, what);
    assert.ok(near(await pixel(thumb.path, 230, 170), [128, 128, 128]), what);
    assert.ok(near(await pixel(thumb.path, 20, 20), blanks.green), what);
  }
  const far = 0xf000_0000;
  await corrupt('placed far beyond the end', placedAt(whole, far));
  const [tile] = stillOf(new FileBytes(whole, whole.length))?.tiles ?? [];
  assert.ok(tile);
  const single = alone(whole, tile.item);
  await accepted('single', single, false);
  for (const offset of [single.length + 100, far]) {
    await corrupt(`placed at ${offset}`, placedAt(single, offset));
  }
});

test('the same goes for HEIC, as a grid and as one picture', async () => {
  const path = studio.path('green.png');
  await plain(250, 190, blanks.green).png().toFile(path);
  const whole = await heicGrid(path, { width: 250, height: 190, tile: side, crf: 20 });
  await accepted('green grid', whole, false);
  const still = stillOf(new FileBytes(whole, whole.length));
  const [first] = still?.tiles ?? [];
  const last = still?.tiles.at(-1)?.item.extents[0];
  assert.ok(still && first && last);
  await accepted('green single', alone(whole, first.item), false);
  const damaged = Buffer.from(whole).fill(0, last.offset, last.offset + last.length);
  const { incomplete, thumb } = await studio.process('damaged', damaged);
  assert.equal(incomplete, true);
  assert.ok(near(await pixel(thumb.path, 240, 180), [128, 128, 128]));
  assert.ok(near(await pixel(thumb.path, 100, 100), blanks.green));
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
