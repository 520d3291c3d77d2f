import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import sharp from 'sharp';
import { loadNativeLibheif } from '../../src/imaging/native-libheif.js';
import type { ProcessedImage } from '../../src/imaging/port.js';
import { ensureInstalled } from '../../testkit/installed.js';
import { photo } from '../../testkit/photos.js';
import { Studio } from './support.js';

await ensureInstalled(
  { purpose: 'The tests of HEIC', programs: ['heif-info'], packages: ['libheif-examples'] },
  () => undefined,
);
const native = await Studio.open({ heifDecoder: 'auto' });
const bundled = await Studio.open({ heifDecoder: 'bundled' });

const usesLibheif = async ({ pid }: Studio): Promise<boolean> =>
  (await readFile(`/proc/${pid}/maps`, 'latin1')).includes('/libheif.so.1');

/** Everything but the paths, the sizes of files, and the hash, which follow from the pixels. */
const facts = ({ display, thumb, thumbhash, ...rest }: ProcessedImage) => ({
  ...rest,
  extensions: [display?.extension, thumb.extension],
  hashBytes: thumbhash.length,
});

const pixels = (path: string | undefined): Promise<Buffer> => {
  assert.ok(path);
  return sharp(path).raw().toBuffer();
};

/** Rounding differs by a few steps, also after JPEG; in the mean there is no difference to see. */
function alike(a: Buffer, b: Buffer): void {
  assert.equal(a.length, b.length);
  let [sum, most] = [0, 0];
  for (const [i, value] of a.entries()) {
    const difference = Math.abs(value - (b[i] ?? 0));
    sum += difference;
    most = Math.max(most, difference);
  }
  assert.ok(sum / a.length < 1.5, `${sum / a.length} on average`);
  assert.ok(most < 40, `${most} at most`);
}

const sample = await readFile(photo('samplefilehub.heif'));
const pictures = new Map([
  ['a photo', sample],
  ['one with alpha', await readFile(photo('alpha.heic'))],
  ['one of ten bits', await readFile(photo('ten-bits.heic'))],
  ['grey in the limited range', await readFile(photo('grey-limited.heic'))],
  ['a truncated one', sample.subarray(0, sample.length * 0.8)],
]);

test('this machine has a libheif that decodes HEVC', async () => {
  assert.match((await loadNativeLibheif())?.version ?? '', /^1\.\d+/);
});

for (const [what, bytes] of pictures) {
  test(`${what}: both decoders give the same`, async () => {
    const [a, b] = await Promise.all([
      native.process(`${what}.heic`, bytes),
      bundled.process(`${what}.heic`, bytes),
    ]);
    assert.deepEqual(facts(a), facts(b));
    alike(await pixels(a.display?.path), await pixels(b.display?.path));
    alike(await pixels(a.thumb.path), await pixels(b.thumb.path));
  });
}

test('each process loads the decoder that its setting names', async () => {
  assert.equal(await usesLibheif(native), true);
  assert.equal(await usesLibheif(bundled), false);
});
