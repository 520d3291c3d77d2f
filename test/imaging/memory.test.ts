import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { test } from 'node:test';
import sharp, { type Sharp } from 'sharp';
import { inspect } from '../../workers/inspect-task.js';
import { longForm } from '../../testkit/long-form.js';
import { photo } from '../../testkit/photos.js';
import { plain, Studio } from './support.js';

const size = { width: 4_000, height: 3_000 };
const data = await sharp(photo('DSCN0010.jpg'))
  .resize({ ...size, fit: 'fill', kernel: 'linear' })
  .raw()
  .toBuffer();
const picture = (): Sharp => sharp(data, { raw: { ...size, channels: 3 } });
const small = await plain(64, 64, [1, 2, 3]).jpeg().toBuffer();

async function memoryOf(pid: number, what: 'VmHWM' | 'VmRSS'): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(new RegExp(`${what}:\\s+(\\d+)`).exec(status)?.[1]) * 1024;
}

/** The peak growth of memory of a new imaging process in bytes, and its estimate. */
async function peakOf(bytes: Buffer): Promise<[peak: number, estimate: number]> {
  const studio = await Studio.open({ threads: 1 });
  await studio.process('small', small);
  const { pid } = studio;
  // Resets the peak to the current memory.
  await writeFile(`/proc/${pid}/clear_refs`, '5');
  const before = await memoryOf(pid, 'VmRSS');
  await studio.process('picture', bytes);
  const peak = await memoryOf(pid, 'VmHWM');
  const { memoryBytes } = await inspect(studio.path('picture'), { maxPixels: 100e6 });
  await studio.queue.close(0);
  return [peak - before, memoryBytes];
}

/** For usual pictures, the estimate must not be many times too high. */
const mostTooMuch = 4;
/** Cases that are decoded differently; the others belong to the long form. */
const shortForm = ['jpeg', 'png', 'lossless WebP', 'AVIF in 4:4:4 with alpha'];
const cases: Record<string, { make: () => Sharp; common?: boolean }> = {
  jpeg: { make: () => picture().jpeg(), common: true },
  'progressive JPEG': { make: () => picture().jpeg({ progressive: true }), common: true },
  png: { make: () => picture().png({ compressionLevel: 1 }), common: true },
  'interlaced PNG of 16 bits with alpha': {
    make: () =>
      picture()
        .resize(2_000)
        .ensureAlpha(0.5)
        .toColourspace('rgb16')
        .png({ compressionLevel: 1, progressive: true }),
  },
  webp: { make: () => picture().webp({ effort: 0 }), common: true },
  'lossless WebP': {
    make: () => picture().resize(1_600).webp({ effort: 0, lossless: true }),
    common: false,
  },
  gif: { make: () => picture().resize(1_600).gif({ effort: 1 }) },
  tiff: { make: () => picture().tiff({ compression: 'lzw' }), common: true },
  'TIFF of large tiles': {
    make: () =>
      picture().tiff({ tile: true, tileWidth: 2048, tileHeight: 2048, compression: 'deflate' }),
  },
  avif: { make: () => picture().avif({ effort: 0, chromaSubsampling: '4:2:0' }), common: true },
  'AVIF in 4:4:4 with alpha': {
    make: () => picture().resize(1_600).ensureAlpha(0.5).avif({ effort: 0 }),
  },
};

async function compare(bytes: Buffer, common: boolean): Promise<void> {
  let [peak, estimate] = await peakOf(bytes);
  // On a busy machine, the peak may occur between two samples.
  for (let again = 0; common && estimate > peak * mostTooMuch && again < 3; again += 1) {
    [peak, estimate] = await peakOf(bytes);
  }
  const figures = `estimated ${estimate / 1e6} MB, measured ${peak / 1e6} MB`;
  assert.ok(peak > 0 && peak <= estimate, figures);
  if (common) assert.ok(estimate <= peak * mostTooMuch, figures);
}

for (const [what, { make, common = false }] of Object.entries(cases)) {
  const skip = !longForm && !shortForm.includes(what);
  test(`${what} takes no more memory than estimated`, { skip }, async () => {
    await compare(await make().toBuffer(), common);
  });
}

test('a HEIC takes no more memory than estimated', async () => {
  await compare(await readFile(photo('samplefilehub.heif')), false);
});
