import { createHash } from 'node:crypto';
import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { failure } from '../../base/errors/operator.js';
import { acquireLock, LockHeldError } from '../../base/os/process-lock.js';
import type { Lock } from '../../base/os/process-lock.js';

/**
 * Prevents two exports of a home from writing the same files at once. The lock is not in the
 * directory itself, which may be on a file system without hard links.
 * @param locks the folder of the lock.
 * @throws OperatorError (1) if another process exports there.
 */
export async function lockDirectory(dir: string, locks: string): Promise<Lock> {
  const name = createHash('sha256')
    .update(await realpath(dir))
    .digest('hex')
    .slice(0, 16);
  return acquireLock(join(locks, `export-${name}.lock`)).catch((error: unknown) => {
    if (!(error instanceof LockHeldError)) throw error;
    throw failure(`Process ${error.holder.pid} is exporting into ${dir}.`, {
      setting: 'DIR',
      remedy: 'Wait until it has ended, or choose another directory.',
      cause: error,
    });
  });
}
