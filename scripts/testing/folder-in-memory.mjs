import { readFileSync, statfsSync } from 'node:fs';

/** Four times the maximum that the tests use, in bytes. */
const requiredBytes = 4 * 1024 ** 3;

/**
 * Linux's folder in memory, if it has enough space and allows running programs from it, which is not
 * the case in most containers. On a disk, a third of the time to create a database, which has a
 * thousand files, goes into finding free inodes.
 */
export function folderInMemory() {
  const mounts = readFileSync('/proc/self/mounts', 'utf8').split('\n');
  const [, path, type, flags] =
    mounts.map((line) => line.split(' ')).find(([, p]) => p === '/dev/shm') ?? [];
  if (type !== 'tmpfs' || /\b(ro|noexec)\b/.test(flags)) return undefined;
  const { bavail, bsize } = statfsSync(path);
  return Math.min(bavail * bsize, process.availableMemory()) < requiredBytes ? undefined : path;
}
