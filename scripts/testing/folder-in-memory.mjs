import { readFileSync, statfsSync } from 'node:fs';

/** Four times what the tests take at most, in bytes. */
const room = 4 * 1024 ** 3;

/**
 * The folder in memory that Linux provides, if it has room and programs may be run from it: not so in
 * most containers. On a disk, a third of the time of creating a database, which is a thousand files,
 * goes to finding free inodes.
 */
export function folderInMemory() {
  const mounts = readFileSync('/proc/self/mounts', 'utf8').split('\n');
  const [, path, type, flags] =
    mounts.map((line) => line.split(' ')).find(([, p]) => p === '/dev/shm') ?? [];
  if (type !== 'tmpfs' || /\b(ro|noexec)\b/.test(flags)) return undefined;
  const { bavail, bsize } = statfsSync(path);
  return Math.min(bavail * bsize, process.availableMemory()) < room ? undefined : path;
}
