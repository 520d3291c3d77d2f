import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { promisify } from 'node:util';
import { loadFfmpeg } from '../../src/imaging/ffmpeg.js';
import type { ProcessedImage } from '../../src/imaging/port.js';
import { photo } from '../../testkit/photos.js';
import { temporaryDirectory } from '../../testkit/temporary.js';
import type { Sizes } from '../../workers/decode.js';
import { decodeHeic } from '../../workers/heic/bundled.js';
import { decodeHeicNatively } from '../../workers/heic/native.js';
import { readHeader } from '../../workers/header.js';
import { displaySide } from '../../src/imaging/port.js';
import type { Pixels } from '../../workers/pixels.js';
import { Studio } from './support.js';

const maxPixels = 1e8;
const dir = await temporaryDirectory('heic-decoders');
after(() => rm(dir, { recursive: true }));

const usual: Sizes = { maxPixels, side: displaySide };
const whole: Sizes = { maxPixels, side: undefined };

async function natively(path: string, sizes = usual): Promise<Pixels | undefined> {
  const header = await readHeader(path, { format: 'heif', maxPixels });
  return decodeHeicNatively(path, header, sizes);
}

/** Rounding and chroma upsampling differ by a few steps, but not visibly on average. */
function alike(a: Pixels, b: Pixels): void {
  assert.deepEqual([a.width, a.height, a.channels], [b.width, b.height, b.channels]);
  let [sum, most] = [0, 0];
  for (const [i, value] of a.data.entries()) {
    const difference = Math.abs(value - (b.data[i] ?? 0));
    sum += difference;
    most = Math.max(most, difference);
  }
  assert.ok(sum / a.data.length < 1.5, `${sum / a.data.length} on average`);
  assert.ok(most < 48, `${most} at most`);
}

test('this machine has an FFmpeg with an HEVC decoder', async () => {
  assert.match((await loadFfmpeg())?.version ?? '', /^\d+\.\d+\.\d+$/);
});

for (const name of ['samplefilehub.heif', 'grid.heic', 'grey-limited.heic']) {
  test(`${name}: both decoders give the same pixels, at full size, too`, async () => {
    const path = photo(name);
    const header = await readHeader(path, { format: 'heif', maxPixels });
    for (const sizes of [usual, whole]) {
      const pixels = await natively(path, sizes);
      assert.ok(pixels);
      alike(pixels, await decodeHeic(path, header, sizes));
    }
  });
}

for (const name of ['alpha.heic', 'ten-bits.heic']) {
  test(`${name} is left to the bundled decoder`, async () => {
    assert.equal(await natively(photo(name)), undefined);
  });
}

/** A copy of the grid with the only occurrence of `old` replaced. */
async function altered(name: string, old: Buffer, bytes: Buffer): Promise<string> {
  const file = await readFile(photo('grid.heic'));
  const at = file.indexOf(old);
  assert.ok(at > 0 && file.indexOf(old, at + 1) < 0);
  bytes.copy(file, at);
  const path = join(dir, name);
  await writeFile(path, file);
  return path;
}

const size = (...sides: [width: number, height: number]): Buffer => {
  const box = Buffer.from('ispe\0\0\0\0\0\0\0\0\0\0\0\0', 'latin1');
  for (const [i, side] of sides.entries()) box.writeUInt32BE(side, 8 + 4 * i);
  return box;
};

test('tiles that are larger than the file declares, or of another shape, are rejected', async () => {
  // 300 × 201 in tiles of 128 × 128
  const others: [number, number][] = [
    [126, 126],
    [128, 130],
    [64, 256],
  ];
  for (const [width, height] of others) {
    const name = `tiles-${width}x${height}.heic`;
    const path = await altered(name, size(128, 128), size(width, height));
    assert.equal(await natively(path), undefined);
  }
});

test('a grid that its tiles do not cover is rejected', async () => {
  const path = await altered('uncovered.heic', size(300, 201), size(600, 201));
  assert.equal(await natively(path), undefined);
});

test('a truncated grid is rejected', async () => {
  const file = await readFile(photo('grid.heic'));
  const path = join(dir, 'truncated.heic');
  await writeFile(path, file.subarray(0, -100));
  assert.equal(await natively(path), undefined);
});

test('the process survives any encoded data', async () => {
  const file = await readFile(photo('grid.heic'));
  const start = file.indexOf('mdat') + 4;
  for (let round = 0; round < 50; round++) {
    const broken = Buffer.from(file);
    // Lengths and headers are unchanged, so that every tile reaches the decoder.
    for (let at = start + 20 + round; at < file.length; at += 97) broken[at] = (at * 31) & 0xff;
    const path = join(dir, `broken-${round}.heic`);
    await writeFile(path, broken);
    const pixels = await natively(path);
    if (pixels) assert.deepEqual([pixels.width, pixels.height], [201, 300]);
  }
});

/** Everything except paths, file sizes, and the hash, which depend on the pixels. */
const propertiesOf = ({ display, thumb, thumbhash, ...rest }: ProcessedImage) => ({
  ...rest,
  extensions: [display?.extension, thumb.extension],
  hashBytes: thumbhash.length,
});

test('the imaging process uses the decoder of the setting', async () => {
  const decoders = ['auto', 'bundled'] as const;
  const [auto, bundled] = await Promise.all(
    decoders.map(async (heifDecoder) => {
      const image = await (await Studio.open({ heifDecoder })).processPhoto('grid.heic');
      return {
        properties: propertiesOf(image),
        display: await readFile(image.display?.path ?? ''),
      };
    }),
  );
  assert.deepEqual(auto?.properties, bundled?.properties);
  // The decoders differ in rounding.
  assert.notDeepEqual(auto?.display, bundled?.display);
});

/** What the decoder is with another koffi, in a process of its own. */
async function loadedWith(source: string): Promise<string> {
  const koffi = `data:text/javascript,${encodeURIComponent(source)}`;
  const hooks = `export const resolve = (name, context, next) => name === 'koffi' ? { url: ${JSON.stringify(koffi)}, shortCircuit: true } : next(name, context)`;
  const module = new URL('../../src/imaging/ffmpeg.js', import.meta.url).href;
  const program = [
    "import { register } from 'node:module';",
    `register(${JSON.stringify(`data:text/javascript,${encodeURIComponent(hooks)}`)});`,
    `const { loadFfmpeg } = await import('${module}');`,
    'console.log((await loadFfmpeg())?.version);',
  ].join('\n');
  const args = ['--input-type=module', '--eval', program];
  return (await promisify(execFile)(process.execPath, args)).stdout.trim();
}

const koffi = JSON.stringify(import.meta.resolve('koffi'));
/** koffi itself, except that each structure is made by `struct` of the declared fields. */
const withStructs = (struct: string): string =>
  `import koffi from ${koffi}; export default { ...koffi, struct: (fields) => koffi.struct((${struct})(fields)) };`;

test('without koffi, or with other structures, there is no native decoder, and no error', async () => {
  assert.match(await loadedWith(withStructs('(fields) => fields')), /^\d+\.\d+\.\d+$/);
  assert.equal(await loadedWith('throw new Error("not installed")'), 'undefined');
  for (const struct of [
    "(fields) => ({ first: 'int64_t', ...fields })",
    '({ linesize, ...fields }) => fields',
    '({ extended_data, ...fields }) => ({ ...fields, extended_data })',
    '({ pts, ...fields }) => fields',
    '({ nb_samples, ...fields }) => fields',
  ]) {
    assert.equal(await loadedWith(withStructs(struct)), 'undefined', struct);
  }
});
