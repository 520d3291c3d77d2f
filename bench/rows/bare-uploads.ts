/**
 * The minimum work of an upload, in bare worker threads: hashing and writing the bytes, one decode, all
 * renditions, the ThumbHash, and syncing everything to the disk.
 */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import sharp from 'sharp';
import { rgbaToThumbHash } from 'thumbhash';

const fit = { fit: 'inside', withoutEnlargement: true } as const;

async function write(path: string, data: Uint8Array): Promise<void> {
  const file = await open(path, 'w');
  try {
    await file.writeFile(data);
    await file.datasync();
  } finally {
    await file.close();
  }
}

/** The same sharp calls and options as in workers/, with each result written to the folder. */
async function upload(bytes: Uint8Array, folder: string): Promise<void> {
  await mkdir(folder);
  const original = join(folder, 'original');
  createHash('sha256').update(bytes).digest();
  await write(original, bytes);
  const { data, info } = await sharp(original, { sequentialRead: true })
    .autoOrient()
    .resize(1024, 1024, fit)
    .raw()
    .toBuffer({ resolveWithObject: true });
  const { width, height } = info;
  const pixels = sharp(data, { raw: { width, height, channels: 3 } });
  const small = await pixels
    .clone()
    .resize(256, 256, fit)
    .raw()
    .toBuffer({ resolveWithObject: true });
  const raw = { width: small.info.width, height: small.info.height, channels: 3 } as const;
  const thumb = sharp(small.data, { raw });
  const tiny = await thumb
    .clone()
    .resize(48, 48, fit)
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  rgbaToThumbHash(tiny.info.width, tiny.info.height, tiny.data);
  await write(join(folder, 'thumb.webp'), await thumb.webp({ effort: 1 }).toBuffer());
  const display = pixels.jpeg({ quality: 80, optimiseCoding: false });
  await write(join(folder, 'display.jpg'), await display.toBuffer());
  const handle = await open(folder);
  await handle.sync();
  await handle.close();
}

interface Task {
  readonly folder: string;
  readonly seconds: number;
}

/** Worker threads that do nothing else. */
export class BareUploads {
  readonly #workers: readonly Worker[];

  constructor(
    private readonly folder: string,
    picture: Uint8Array,
    threads: number,
  ) {
    this.#workers = Array.from(
      { length: threads },
      () => new Worker(new URL(import.meta.url), { workerData: picture }),
    );
  }

  /** @returns uploads a second, and the CPU time of one. */
  async rate(seconds: number): Promise<{ perSecond: number; cpuMs: number }> {
    const [start, cpu] = [performance.now(), process.cpuUsage()];
    const done = this.#workers.map(async (worker, i) => {
      worker.postMessage({ folder: join(this.folder, `${i}`), seconds } satisfies Task);
      return ((await once(worker, 'message')) as [number])[0];
    });
    const count = (await Promise.all(done)).reduce((sum, n) => sum + n, 0);
    const { user, system } = process.cpuUsage(cpu);
    const perSecond = (count * 1000) / (performance.now() - start);
    return { perSecond, cpuMs: (user + system) / 1000 / count };
  }

  async close(): Promise<void> {
    await Promise.all(this.#workers.map((worker) => worker.terminate()));
  }
}

async function repeat({ folder, seconds }: Task): Promise<number> {
  const end = performance.now() + seconds * 1000;
  let done = 0;
  await mkdir(folder);
  for (; performance.now() < end; done += 1) {
    await upload(workerData as Uint8Array, join(folder, `${done}`));
  }
  await rm(folder, { recursive: true });
  return done;
}

if (!isMainThread) {
  sharp.cache(false);
  sharp.concurrency(1);
  parentPort?.on('message', (task: Task) => {
    void repeat(task).then((done) => parentPort?.postMessage(done));
  });
}
