import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { copyFile, readdir, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { after } from 'node:test';
import sharp, { type Sharp } from 'sharp';
import type { ServiceError } from '../../src/base/errors/catalogue.js';
import type { ImagingQueue } from '../../src/imaging/queue.js';
import { type ImagingOptions, startImaging } from '../../src/imaging/start.js';
import { usualImaging } from '../../testkit/imaging-options.js';
import { photo } from '../../testkit/photos.js';
import { logger } from '../../testkit/silent-logger.js';
import { temporaryDirectory } from '../../testkit/temporary.js';

/** A queue with a temporary directory; both are removed after the tests of the file. */
export class Studio {
  private constructor(
    readonly queue: ImagingQueue,
    readonly dir: string,
  ) {}

  static async open(options: Partial<ImagingOptions> = {}): Promise<Studio> {
    const dir = await temporaryDirectory('imaging');
    const queue = await startImaging({
      ...usualImaging,
      folder: dir,
      threads: 2,
      logger,
      ...options,
    });
    after(async () => {
      await queue.close(0);
      await rm(dir, { recursive: true });
    });
    return new Studio(queue, dir);
  }

  path(name: string): string {
    return join(this.dir, name);
  }

  /** The oldest imaging process. */
  get pid(): number {
    const [pid] = this.queue.pids;
    assert.ok(pid);
    return pid;
  }

  /** Processes bytes, or the encoded output of a sharp pipeline, as a file of this name. */
  async process(name: string, content: Uint8Array | Sharp, user = 'somebody') {
    const bytes = content instanceof Uint8Array ? content : await content.toBuffer();
    await writeFile(this.path(name), bytes);
    return this.processFile(name, user);
  }

  /** Processes the file of this name in the directory. */
  async processFile(name: string, user = 'somebody') {
    const hash = createHash('sha256').update(name).digest();
    return this.queue.process({ path: this.path(name), hash }, user);
  }

  async processPhoto(name: string) {
    await copyFile(photo(name), this.path(basename(name)));
    return this.processFile(basename(name));
  }

  /** Names of the files that were created from a picture. */
  async outputsOf(name: string): Promise<string[]> {
    return (await readdir(this.dir)).filter((n) => n.startsWith(`${name}.`)).sort();
  }
}

/** An inspection that takes every file for a cheap picture. */
export const gullible: NonNullable<ImagingOptions['inspector']> = {
  inspect: async () => {
    const survey = { format: 'png', width: 1, height: 1, pool: 'common', memoryBytes: 1 } as const;
    return { kind: 'inspected', inspection: survey };
  },
  works: async () => true,
  close: async () => undefined,
};

/** Matcher of assert.rejects. */
export const refusedAs = (code: ServiceError['code']) => (error: ServiceError) =>
  error.code === code;

/** A picture of one color; a fourth component is alpha. */
export function plain(width: number, height: number, [r, g, b, a = 1]: readonly number[]): Sharp {
  const background = { r: r ?? 0, g: g ?? 0, b: b ?? 0, alpha: a };
  return sharp({ create: { width, height, channels: a < 1 ? 4 : 3, background } });
}

/** Noise, which no encoder can compress. */
export const noise = (width: number, height: number): Sharp =>
  sharp({
    create: {
      width,
      height,
      channels: 3,
      background: '#000',
      noise: { type: 'gaussian', mean: 128, sigma: 40 },
    },
  });

/** The first channels of one pixel. */
export async function pixel(path: string, x: number, y: number): Promise<number[]> {
  const { data } = await sharp(path)
    .extract({ left: x, top: y, width: 1, height: 1 })
    .raw()
    .toBuffer({ resolveWithObject: true });
  return [...data];
}

/** Whether no channel differs by more than lossy encoding explains. */
export const near = (a: readonly number[], b: readonly number[], tolerance = 12): boolean =>
  a.every((value, i) => Math.abs(value - (b[i] ?? Infinity)) <= tolerance);
