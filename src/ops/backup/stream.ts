import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Writable } from 'node:stream';
import type { Home } from '../../base/config/home.js';
import { processStart } from '../../base/os/process-lock.js';
import type { Repository } from './repository.js';
import { TarRepository } from './tar-repository.js';
import { TarStream } from './tar.js';

const prefix = 'stream-';

/** Runs work with a repository that is written as one tar stream, then ends the stream. */
export async function withStream<T>(
  home: Home,
  out: Writable,
  work: (repository: Repository) => Promise<T>,
): Promise<T> {
  await mkdir(home.backups, { recursive: true, mode: 0o700 });
  await sweep(home);
  const staging = join(home.backups, `${prefix}${process.pid}`);
  await mkdir(staging, { mode: 0o700 });
  try {
    const tar = new TarStream(out);
    const done = await work(new TarRepository(tar, staging));
    await tar.end();
    return done;
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
}

/** Removes what killed processes left. */
async function sweep(home: Home): Promise<void> {
  for (const name of await readdir(home.backups)) {
    const pid = Number(name.startsWith(prefix) && name.slice(prefix.length));
    if (!pid || processStart(pid) !== undefined) continue;
    await rm(join(home.backups, name), { recursive: true, force: true });
  }
}
