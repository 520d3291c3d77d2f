// A folder for all files that the tests of a run write. Processes that they start inherit its path as
// TMPDIR and are found by it when the run is stopped, even those in another process group, such as a
// service and its database server.
import { chmodSync, readFileSync, readdirSync, readlinkSync, statfsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { allGone, startsOf } from '../../testkit/processes.js';
import { abandonedDirectories, temporaryDirectory } from '../../testkit/temporary.js';

/** Time for a service and its database to stop after SIGTERM, in milliseconds. */
const gracePeriodMs = 10_000;

function worksIn(folder: string, pid: number): boolean {
  try {
    if (readlinkSync(`/proc/${pid}/cwd`).startsWith(`${folder}/`)) return true; // a database server
    return readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').includes(`TMPDIR=${folder}`);
  } catch {
    return false; // the process has ended, or belongs to another user
  }
}

function signalAll(started: ReturnType<typeof startsOf>, signal: NodeJS.Signals): void {
  for (const [pid, start] of started) {
    if (startsOf([pid]).get(pid) !== start) continue;
    try {
      process.kill(pid, signal);
    } catch {
      // It has just ended.
    }
  }
}

/** Stops processes that still run there, and removes the folder. */
export async function closeWorkplace(folder: string): Promise<void> {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const others = pids.map(Number).filter((pid) => pid !== process.pid);
  const started = startsOf(others.filter((pid) => worksIn(folder, pid)));
  signalAll(started, 'SIGTERM');
  const deadline = Date.now() + gracePeriodMs;
  while (!allGone(started) && Date.now() < deadline) await delay(25);
  signalAll(started, 'SIGKILL');
  await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
}

/** Four times the maximum that the tests use, in bytes. */
const requiredBytes = 4 * 1024 ** 3;

/**
 * Linux's folder in memory, if it has enough space and allows running programs from it, which is not
 * the case in most containers. On a disk, a third of the time to create a database, which has a
 * thousand files, goes into finding free inodes.
 */
function folderInMemory(): string | undefined {
  const mounts = readFileSync('/proc/self/mounts', 'utf8').split('\n');
  const [, path, type, flags = ''] =
    mounts.map((line) => line.split(' ')).find(([, at]) => at === '/dev/shm') ?? [];
  if (path === undefined || type !== 'tmpfs' || /\b(ro|noexec)\b/.test(flags)) return undefined;
  const { bavail, bsize } = statfsSync(path);
  return Math.min(bavail * bsize, process.availableMemory()) < requiredBytes ? undefined : path;
}

/**
 * Creates the folder in memory if there is enough space, unless TMPDIR is set; tests that need a disk
 * use `temporaryDisk`. First removes the folders of killed runs. @returns the folder.
 */
export async function openWorkplace(): Promise<string> {
  process.env.IMGSTORE_TEST_DISK = tmpdir();
  if (!process.env.TMPDIR) process.env.TMPDIR = folderInMemory() ?? tmpdir();
  for (const folder of await abandonedDirectories()) await closeWorkplace(folder);
  const folder = await temporaryDirectory('t'); // short, since paths of sockets have a limit
  chmodSync(folder, 0o1777);
  process.env.TMPDIR = folder;
  return folder;
}
