import { access, constants, mkdir, rm } from 'node:fs/promises';
import type { Home } from '../config/home.js';
import { acquireLock, LockHeldError } from '../config/process-lock.js';
import type { Lock } from '../config/process-lock.js';
import { badConfiguration, failure } from '../errors/operator.js';
import { notWritable } from './layout.js';

/**
 * Takes the lock of the one service that serves a home, and clears away what uploads left that a
 * crash cut off.
 * @throws OperatorError 1 when the home is served already, 78 when it is none or not ours to write.
 */
export async function claimHome(home: Home): Promise<Lock> {
  await assertInitialised(home);
  const lock = await acquireLock(home.serveLock).catch((error: unknown) => {
    if (!(error instanceof LockHeldError)) throw notWritable(home.run, error);
    const { pid, info } = error.holder;
    const where = typeof info.address === 'string' ? ` at ${info.address}` : '';
    throw failure(`This home is being served already, by process ${pid}${where}.`, {
      setting: 'home',
      remedy: `Stop it first ("kill ${pid}"), or choose another --home.`,
    });
  });
  try {
    await rm(home.incoming, { recursive: true, force: true });
    await mkdir(home.incoming, { mode: 0o700 });
  } catch (error) {
    await lock.release();
    throw notWritable(home.incoming, error);
  }
  return lock;
}

async function assertInitialised(home: Home): Promise<void> {
  try {
    await access(home.run, constants.W_OK | constants.X_OK);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw notWritable(home.run, error);
    throw badConfiguration(`${home.dir} is not the home of an imgstore yet.`, {
      setting: 'home',
      remedy: `imgstore init --home ${home.dir}`,
      cause: error,
    });
  }
}
