import { access, constants, mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Home } from '../base/config/home.js';
import { acquireLock, LockHeldError } from '../base/os/process-lock.js';
import type { Lock } from '../base/os/process-lock.js';
import { badConfiguration, failure } from '../base/errors/operator.js';
import { clearNextCluster } from '../database/postgres/next-cluster.js';
import { notWritable } from './home-directories.js';
import { commandLine } from '../base/os/command-line.js';

/**
 * Acquires the lock of the only service that may serve a home, and removes what a crash left
 * behind: uploads, and a database that was to replace the present one.
 * @throws OperatorError 1 when the home is already being served, 78 when it is not initialized or
 * not writable.
 */
export async function lockHome(home: Home): Promise<Lock> {
  await assertInitialised(home);
  const lock = await acquireLock(home.serveLock).catch((error: unknown) => {
    if (!(error instanceof LockHeldError)) throw notWritable(home.run, error);
    const { pid, info } = error.holder;
    const where = typeof info.address === 'string' ? ` at ${info.address}` : '';
    throw failure(`This home is already being served by process ${pid}${where}.`, {
      setting: 'home',
      remedy: `Stop that process first ("kill ${pid}"), or choose another --home.`,
    });
  });
  try {
    await emptyFolder(home.incoming);
    await clearNextCluster(home);
  } catch (error) {
    await lock.release();
    throw notWritable(home.incoming, error);
  }
  return lock;
}

/** The folder itself stays, since it may be a mount point. */
async function emptyFolder(folder: string): Promise<void> {
  await mkdir(folder, { mode: 0o700 }).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  });
  for (const name of await readdir(folder)) {
    if (name === 'lost+found') continue; // belongs to the file system
    await rm(join(folder, name), { recursive: true, force: true });
  }
}

/** @throws OperatorError 78 with the command that initializes it. */
export async function assertInitialised(home: Home): Promise<void> {
  try {
    await access(home.run, constants.W_OK | constants.X_OK);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw notWritable(home.run, error);
    throw badConfiguration(`${home.dir} is not an imgstore home yet.`, {
      setting: 'home',
      remedy: commandLine('init', '--home', home.dir),
      cause: error,
    });
  }
}
