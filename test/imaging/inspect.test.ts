import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import sharp, { type Sharp } from 'sharp';
import { Refused } from '../../workers/refused.js';
import { inspect } from '../../workers/inspect-task.js';
import { box, heifFile, size } from '../../testkit/bombs/heif-file.js';
import { photo } from '../../testkit/photos.js';

const limits = { maxPixels: 100e6 };
const dir = await mkdtemp(join(tmpdir(), 'imgstore-survey-'));
after(() => rm(dir, { recursive: true }));

async function look(bytes: Uint8Array) {
  const path = join(dir, 'picture');
  await writeFile(path, bytes);
  return inspect(path, limits);
}
const refused = (code: string) => (error: unknown) =>
  error instanceof Refused && error.code === code;

const landscape = sharp(photo('DSCN0010.jpg')).resize(160, 120);
const animation = async (): Promise<Sharp> => {
  const { data } = await landscape.clone().raw().toBuffer({ resolveWithObject: true });
  const raw = { width: 160, height: 360, channels: 3, pageHeight: 120 } as const;
  return sharp(Buffer.concat([data, data.map((v) => 255 - v), data]), { raw });
};
const variants: Record<string, () => Sharp | Promise<Sharp>> = {
  jpeg: () => landscape.clone().jpeg(),
  'progressive JPEG': () => landscape.clone().jpeg({ progressive: true }),
  'mozjpeg JPEG': () => landscape.clone().jpeg({ mozjpeg: true }),
  'CMYK JPEG': () => landscape.clone().toColourspace('cmyk').jpeg({ progressive: true }),
  'grey JPEG': () => landscape.clone().greyscale().jpeg(),
  png: () => landscape.clone().png(),
  'interlaced PNG': () => landscape.clone().png({ progressive: true }),
  'palette PNG': () => landscape.clone().png({ palette: true }),
  'PNG of 16 bits': () => landscape.clone().toColourspace('rgb16').png(),
  'PNG with metadata': () => landscape.clone().keepMetadata().withIccProfile('p3').png(),
  webp: () => landscape.clone().webp(),
  'lossless WebP': () => landscape.clone().webp({ lossless: true }),
  'WebP with alpha': () => landscape.clone().ensureAlpha(0.5).webp(),
  'WebP with metadata': () => landscape.clone().keepMetadata().webp(),
  'animated WebP': async () => (await animation()).webp(),
  gif: () => landscape.clone().gif({ effort: 1 }),
  'animated GIF': async () => (await animation()).gif({ effort: 1 }),
  tiff: () => landscape.clone().tiff({ compression: 'lzw' }),
  'tiled TIFF': () => landscape.clone().tiff({ tile: true, compression: 'jpeg' }),
  'pyramid TIFF': () => landscape.clone().tiff({ tile: true, pyramid: true }),
  BigTIFF: () => landscape.clone().tiff({ bigtiff: true }),
  'CMYK TIFF': () => landscape.clone().toColourspace('cmyk').tiff({ compression: 'deflate' }),
  'TIFF of 1 bit': () => landscape.clone().greyscale().threshold().tiff({ bitdepth: 1 }),
  avif: () => landscape.clone().avif({ effort: 0 }),
  'AVIF with alpha': () => landscape.clone().ensureAlpha(0.5).avif({ effort: 0 }),
};

for (const [what, make] of Object.entries(variants)) {
  test(`${what}: format and size agree with the decoder`, async () => {
    const bytes = await (await make()).toBuffer();
    const { format, width, height, pool: worker } = await look(bytes);
    const meta = await sharp(bytes).metadata();
    assert.equal(format, meta.format === 'heif' ? 'avif' : meta.format);
    assert.deepEqual([width, height, worker], [meta.width, meta.height, 'common']);
  });
}

test('every photograph of the fixtures is accepted', async () => {
  const folder = dirname(photo('x'));
  for (const name of await readdir(folder)) {
    if (name.endsWith('.md')) continue;
    const inspection = await inspect(join(folder, name), limits);
    assert.equal(inspection.pool, inspection.format === 'heif' ? 'heic' : 'common', name);
    assert.ok(inspection.memoryBytes > 1e6, name);
  }
});

for (const what of [
  'jpeg',
  'progressive JPEG',
  'png',
  'webp',
  'animated WebP',
  'animated GIF',
  'avif',
]) {
  test(`${what}, truncated after its header, is left to the decoder`, async () => {
    const whole = await (await variants[what]?.())?.toBuffer();
    assert.ok(whole);
    const expected = await look(whole);
    for (const part of [0.5, 0.9, 0.999]) {
      const { width, height } = await look(whole.subarray(0, Math.ceil(whole.length * part)));
      assert.deepEqual([width, height], [expected.width, expected.height]);
    }
  });
}

test('a file without a header is corrupt', async () => {
  for (const make of Object.values(variants)) {
    const whole = await (await make()).toBuffer();
    await assert.rejects(look(whole.subarray(0, 12)), refused('corrupt_image'));
  }
});

test('codecs without a decoder are unsupported', async () => {
  for (const type of ['jpeg', 'avc1', 'vvc1', 'unci', 'j2k1', 'lhv1', 'tmap']) {
    const file = heifFile([{ type, properties: [size(64)], data: Buffer.alloc(9) }], 'mif1');
    await assert.rejects(look(file), refused('unsupported_image'), type);
  }
});

test('tracks without a still, and the short form of HEIF, are unsupported', async () => {
  const fileType = (brand: string): Buffer =>
    box('ftyp', Buffer.from(`${brand}\0\0\0\0${brand}mif1`, 'latin1'));
  for (const [brand, content] of [
    ['hevc', 'moov'],
    ['msf1', 'moov'],
    ['avis', 'moov'],
    ['mif3', 'mini'],
  ] as const) {
    const file = Buffer.concat([fileType(brand), box(content, Buffer.alloc(99))]);
    await assert.rejects(look(file), refused('unsupported_image'), brand);
  }
});

/** Where the entry of a tag is in a TIFF file. */
function entryOf(file: Buffer, tag: number): number {
  const directory = file.readUInt32LE(4);
  const places = Array.from({ length: file.readUInt16LE(directory) }, (_, i) => directory + 2 + i * 12); // prettier-ignore
  return places.find((at) => file.readUInt16LE(at) === tag) ?? assert.fail(`no tag ${tag}`);
}

test('of a tag of TIFF that is repeated the first counts, as in the decoder', async () => {
  const file = await landscape.clone().tiff().toBuffer();
  const [width, unit] = [256, 296].map((tag) => entryOf(file, tag)) as [number, number];
  file.copy(file, unit, width, width + 12);
  file.writeUInt16LE(9, unit + 8);
  assert.equal((await sharp(file).metadata()).width, 160);
  assert.equal((await look(file)).width, 160);
});

test('TIFF with a compression that the bundled libtiff lacks is unsupported', async () => {
  const file = await landscape.clone().tiff({ compression: 'none' }).toBuffer();
  const compression = entryOf(file, 259);
  for (const scheme of [6, 34661, 34887, 34925, 50000, 65000]) {
    file.writeUInt16LE(scheme, compression + 8);
    await assert.rejects(look(file), refused('unsupported_image'), String(scheme));
  }
});

test('the pixel limit is exact, and counts stored pixels', async () => {
  const path = photo('DSCN0010.jpg');
  assert.equal((await inspect(path, { maxPixels: 640 * 480 })).width, 640);
  await assert.rejects(inspect(path, { maxPixels: 640 * 480 - 1 }), refused('image_too_large'));
});

test('damage anywhere ends in a result or a rejection', async () => {
  let seed = 1;
  const random = (below: number): number => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed % below;
  };
  const whole = await Promise.all(
    [
      'progressive JPEG',
      'PNG with metadata',
      'animated WebP',
      'animated GIF',
      'pyramid TIFF',
      'AVIF with alpha',
    ].map(async (what) => (await variants[what]?.())?.toBuffer()),
  );
  whole.push(await readFile(photo('samplefilehub.heif')));
  for (const bytes of whole) {
    assert.ok(bytes);
    for (let i = 0; i < 150; i++) {
      const damaged = Buffer.from(bytes);
      const reach = i % 2 ? damaged.length : Math.min(damaged.length, 600);
      for (let n = 0; n <= i % 5; n++) damaged[random(reach)] = [0, 1, 0x7f, 0xff][random(4)] ?? 0;
      await look(damaged).catch((error: unknown) =>
        assert.ok(error instanceof Refused, String(error)),
      );
    }
  }
});
