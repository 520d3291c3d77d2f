import { randomBytes } from 'node:crypto';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { acquireLock, readLock, type Lock } from '../../base/os/process-lock.js';

/** Records in `folder` that this process uses the server; void once it has died. */
export function takeLease(folder: string): Promise<Lock> {
  return acquireLock(join(folder, `${process.pid}-${randomBytes(4).toString('hex')}`));
}

/** Leases of living processes; those of dead ones are removed. Requires the cluster's lock. */
export async function countLeases(folder: string): Promise<number> {
  let living = 0;
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    if (await readLock(path)) living += 1;
    else await rm(path, { force: true });
  }
  return living;
}
