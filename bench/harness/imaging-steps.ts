import { readFile } from 'node:fs/promises';
import sharp from 'sharp';
import { rgbaToThumbHash } from 'thumbhash';

const repeats = 8;

/** Milliseconds of CPU time of this process for the work, after a warm-up. */
async function cpuMs(work: () => Promise<unknown>): Promise<number> {
  await work();
  const before = process.cpuUsage();
  for (let n = 0; n < repeats; n += 1) await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000 / repeats;
}

/**
 * Shares of the steps of imaging for a JPEG, each step measured with the options of workers/. Later
 * measurements include the earlier steps, so their common part cancels out.
 */
export async function imagingSteps(path: string): Promise<Map<string, number>> {
  sharp.cache(false);
  sharp.concurrency(1);
  const fit = { fit: 'inside', withoutEnlargement: true } as const;
  const bytes = await readFile(path);
  // A decoder that may shrink while it reads does less work than one that returns all pixels.
  const shrunk = () => sharp(bytes, { sequentialRead: true }).autoOrient().resize(1024, 1024, fit);
  const { data, info } = await shrunk().raw().toBuffer({ resolveWithObject: true });
  const raw = { raw: { width: info.width, height: info.height, channels: 3 } } as const;
  const decoded = await cpuMs(() => decodeAlone(bytes));
  const both = await cpuMs(() => shrunk().raw().toBuffer());
  const display = await cpuMs(() =>
    sharp(data, raw).jpeg({ quality: 80, optimiseCoding: false }).toBuffer(),
  );
  const small = await sharp(data, raw)
    .resize(256, 256, fit)
    .raw()
    .toBuffer({ resolveWithObject: true });
  const smallRaw = {
    raw: { width: small.info.width, height: small.info.height, channels: 3 },
  } as const;
  const shrinkAgain = await cpuMs(() => sharp(data, raw).resize(256, 256, fit).raw().toBuffer());
  const thumb = await cpuMs(() => sharp(small.data, smallRaw).webp({ effort: 1 }).toBuffer());
  const hash = await cpuMs(async () => {
    const tiny = sharp(small.data, smallRaw).resize(48, 48, fit).ensureAlpha().raw();
    const { data: rgba, info: its } = await tiny.toBuffer({ resolveWithObject: true });
    return rgbaToThumbHash(its.width, its.height, rgba);
  });
  const steps = {
    decode: Math.min(decoded, both),
    resize: Math.max(both - decoded, 0) + shrinkAgain,
    'encode 1024': display,
    'encode 256': thumb,
    ThumbHash: hash,
  };
  const total = Object.values(steps).reduce((sum, ms) => sum + ms, 0);
  return new Map(Object.entries(steps).map(([step, ms]) => [step, ms / total]));
}

/** Decodes at the size requested from the decoder, the largest that it can produce by itself. */
async function decodeAlone(bytes: Buffer): Promise<void> {
  const { width = 0, height = 0 } = await sharp(bytes).metadata();
  const factor = [8, 4, 2].find((by) => Math.max(width, height) / by >= 2 * 1024) ?? 1;
  const size = { width: Math.ceil(width / factor), height: Math.ceil(height / factor) };
  await sharp(bytes, { sequentialRead: true }).resize(size.width, size.height, { kernel: 'nearest' }).raw().toBuffer(); // prettier-ignore
}
