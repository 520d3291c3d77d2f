/**
 * Images per second through the imaging queue, compared with the same sharp work in bare worker
 * threads.
 *
 *     node dist/bench/imaging.js [images per run, default 60]
 */
import { once } from 'node:events';
import { copyFile, mkdtemp, rm, stat } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { isMainThread, parentPort, Worker } from 'node:worker_threads';
import sharp from 'sharp';
import { startImaging } from '../src/imaging/start.js';
import { createLogger } from '../src/base/telemetry/logger.js';
import { makePicture } from './harness/pictures.js';
import { usualImaging } from '../testkit/imaging-options.js';

const rounds = 3;
const threads = availableParallelism();

/** One decode, a 1024 rendition, and a 256 thumbnail, written as the queue writes them. */
async function bareWork(path: string): Promise<void> {
  const fit = { fit: 'inside', withoutEnlargement: true } as const;
  const { data, info } = await sharp(path, { sequentialRead: true })
    .autoOrient()
    .resize(1024, 1024, fit)
    .raw()
    .toBuffer({ resolveWithObject: true });
  const { width, height, channels } = info;
  const raw = { raw: { width, height, channels: channels as 3 } };
  await sharp(data, raw).jpeg({ quality: 80, optimiseCoding: false }).toFile(`${path}.1024.jpg`);
  await sharp(data, raw).resize(256, 256, fit).webp({ effort: 1 }).toFile(`${path}.256.webp`);
}

/** Keeps `width` calls running until `count` are done. @returns calls per second. */
async function rate(
  count: number,
  width: number,
  call: (i: number) => Promise<unknown>,
): Promise<number> {
  let next = 0;
  const start = performance.now();
  await Promise.all(
    Array.from({ length: width }, async (_, worker) => {
      while (next++ < count) await call(worker);
    }),
  );
  return (count * 1000) / (performance.now() - start);
}

async function ask(worker: Worker, path: string): Promise<void> {
  worker.postMessage(path);
  await once(worker, 'message');
}

async function main(): Promise<void> {
  const count = Number(process.argv[2] ?? 60);
  const dir = await mkdtemp(join(tmpdir(), 'imaging-bench-'));
  const workers = Array.from({ length: threads }, () => new Worker(new URL(import.meta.url)));
  const queue = await startImaging({
    ...usualImaging,
    folder: dir,
    logger: createLogger({ level: 'warn', format: 'text' }),
  });
  try {
    const width = threads * 2;
    const paths = Array.from({ length: width }, (_, i) => join(dir, `${i}.jpg`));
    await makePicture(paths[0] as string);
    for (const path of paths.slice(1)) await copyFile(paths[0] as string, path);
    console.log(`${threads} threads, ${(await stat(paths[0] as string)).size} bytes per image`);
    const bare = (n: number): Promise<number> =>
      rate(n, threads, (i) => ask(workers[i] as Worker, paths[i] as string));
    const full = (n: number): Promise<number> =>
      rate(n, width, (i) =>
        queue.process({ path: paths[i] as string, hash: Buffer.alloc(32, i) }, 'somebody'),
      );
    await bare(width);
    await full(width);
    for (let round = 0; round < rounds; round++) {
      const [limit, reached] = [await bare(count), await full(count)];
      const ratio = (reached / limit).toFixed(3);
      console.log(`bare ${limit.toFixed(1)}/s  queue ${reached.toFixed(1)}/s  ratio ${ratio}`);
    }
  } finally {
    await queue.close();
    await Promise.all(workers.map((worker) => worker.terminate()));
    await rm(dir, { recursive: true });
  }
}

if (isMainThread) {
  await main();
} else {
  sharp.cache(false);
  sharp.concurrency(1);
  parentPort?.on('message', (path: string) => {
    void bareWork(path).then(() => parentPort?.postMessage('done'));
  });
}
