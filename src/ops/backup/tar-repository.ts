import { createReadStream } from 'node:fs';
import { rm, stat, mkdir, mkdtemp, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Writable } from 'node:stream';
import type { Home } from '../../base/config/home.js';
import { tryLock, waitForLock } from '../../base/os/process-lock.js';
import { isFileMissing } from '../../base/os/files.js';
import { TarStream } from '../tar.js';
import { Summing, unfinishedPath, type FileSum, type Repository } from './repository.js';

const prefix = 'stream-';

/**
 * Runs work with a repository that is written as one tar stream, then ends the stream. Whoever writes one
 * holds a lock together with the others, so that none removes what another needs.
 */
export async function withStream<T>(
  home: Home,
  out: Writable,
  work: (repository: Repository) => Promise<T>,
): Promise<T> {
  await mkdir(home.backups, { recursive: true, mode: 0o700 });
  const lockFile = join(home.backups, 'streams.lock');
  const alone = await tryLock(lockFile);
  if (alone) await sweep(home).finally(() => alone.release());
  const lock = await waitForLock(lockFile, 'shared');
  try {
    const staging = await mkdtemp(join(home.backups, prefix));
    try {
      const tar = new TarStream(out);
      const done = await work(new TarRepository(tar, staging));
      await tar.finish();
      return done;
    } finally {
      await rm(staging, { recursive: true, force: true });
    }
  } finally {
    await lock.release();
  }
}

/** Removes what killed processes left. */
async function sweep(home: Home): Promise<void> {
  for (const name of await readdir(home.backups)) {
    if (!name.startsWith(prefix)) continue;
    await rm(join(home.backups, name), { recursive: true, force: true });
  }
}

/** A new repository as a tar stream, to be unpacked into an empty directory. */
class TarRepository implements Repository {
  readonly name = '-';

  constructor(
    private readonly tar: TarStream,
    readonly staging: string,
  ) {}

  async size(): Promise<undefined> {
    return undefined;
  }

  async read(): Promise<undefined> {
    return undefined;
  }

  fileAt(): undefined {
    return undefined;
  }

  async put(path: string, file: string): Promise<void> {
    if (path !== unfinishedPath) await this.#add(path, file); // an incomplete stream needs no marker
    await rm(file);
  }

  async adopt(path: string, file: string): Promise<FileSum | undefined> {
    try {
      return await this.#add(path, file);
    } catch (error) {
      if (isFileMissing(error)) return undefined;
      throw error;
    }
  }

  async *list(): AsyncGenerator<never> {
    // A stream cannot be read back.
  }

  async remove(): Promise<void> {
    // Nor can anything be removed from it.
  }

  async flush(): Promise<void> {
    // Whoever reads the stream stores it.
  }

  async #add(path: string, file: string): Promise<FileSum> {
    const { size } = await stat(file);
    const summing = new Summing();
    const source = createReadStream(file) as AsyncIterable<Buffer>;
    await this.tar.add(path, size, summing.through(source));
    return summing.sum();
  }
}
