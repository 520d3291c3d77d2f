import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  openSync,
  readFileSync,
  statSync,
  writeSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { dirname } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { badConfiguration } from '../errors/operator.js';
import { errnoOf } from './files.js';

/** What the holder of a lock says of itself: never proof that it lives, which only the kernel has. */
interface LockHolder {
  /** In its own container. */
  readonly pid: number;
  /** For messages: the process, and its machine or container if that is another. */
  readonly name: string;
  /** Details from the holder for processes that find the lock taken. */
  readonly info: Readonly<Record<string, unknown>>;
}

/**
 * A lock that the kernel holds for this process until `release`, or until it dies for any reason;
 * then for as long as children live that inherited `fd`.
 */
export interface Lock {
  readonly fd: number;
  /** Replaces the `info` that others can read. */
  update(info: Record<string, unknown>): Promise<void>;
  release(): Promise<void>;
}

/** Thrown by `acquireLock` when a living process holds the lock. */
export class LockHeldError extends Error {
  override readonly name = 'LockHeldError';
  constructor(
    path: string,
    readonly holder: LockHolder,
  ) {
    super(`${holder.name} holds ${path}.`);
  }
}

type Mode = 'exclusive' | 'shared';

/** Opens the file of a lock. Only its owner can: whoever could open it could hold it for ever. */
export function openLockFile(path: string): number {
  const { O_RDWR, O_CREAT, O_NOFOLLOW } = constants;
  const fd = openSync(path, O_RDWR | O_CREAT | O_NOFOLLOW, 0o600);
  fchmodSync(fd, 0o600);
  // A command of root must not lock out the user whom the home belongs to.
  const { uid, gid } = statSync(dirname(path));
  if (process.getuid?.() === 0) fchownSync(fd, uid, gid);
  return fd;
}

/**
 * Locks an open file by util-linux's program, since Node.js has no call for it: flock(2) belongs to
 * the open file, which the program shares with us, not to the process that makes the call. It is
 * valid for all processes of a machine, whatever containers they are in.
 * @param wait until it is free; `now` to find out whether it is.
 */
async function flock(fd: number, mode: Mode, wait: AbortSignal | 'now' | undefined) {
  const words = [mode === 'shared' ? '-s' : '-x', ...(wait === 'now' ? ['-n'] : []), '3'];
  const child = spawn('flock', words, {
    detached: true, // Ctrl-C in our terminal ends the wait by the signal
    stdio: ['ignore', 'ignore', 'pipe', fd],
    ...(wait instanceof AbortSignal && { signal: wait }),
  });
  const ended = Promise.all([once(child, 'close'), text(child.stderr as NodeJS.ReadableStream)]);
  const [[code], output] = (await ended.catch((error: unknown) => {
    if (wait instanceof AbortSignal) wait.throwIfAborted();
    throw cannotLock((error as Error).message);
  })) as [[number | null], string];
  if (code === 0 || code === 1) return code === 0;
  throw cannotLock(output.trim() || `flock ended with ${code}`);
}

const cannotLock = (why: string) =>
  badConfiguration(`Files of the home cannot be locked: ${why}`, {
    setting: 'home',
    remedy:
      'Install flock (util-linux); on a network file system, mount it with locks, or choose a local disk',
  });

async function lock(path: string, mode: Mode, wait: AbortSignal | 'now' | undefined) {
  const fd = openLockFile(path);
  let open = true;
  const close = (): void => {
    if (open) closeSync(fd);
    open = false;
  };
  try {
    if (!(await flock(fd, mode, wait))) {
      close();
      return undefined;
    }
  } catch (error) {
    close();
    throw error;
  }
  return {
    fd,
    update: async (info: Record<string, unknown>) => {
      const about = { ...info, pid: process.pid, host: hostname() };
      if (open) writeSync(fd, `${JSON.stringify(about)}\n`, 0);
    },
    release: async () => {
      close(); // the file stays: another could lock one that is removed, and a third its successor
    },
  };
}

/** The lock, unless it is held now. A shared one excludes only exclusive ones. */
export const tryLock = (path: string, mode: Mode = 'exclusive'): Promise<Lock | undefined> =>
  lock(path, mode, 'now');

/** The lock, as soon as it is free. @throws the reason of `signal`. */
export const waitForLock = async (path: string, mode: Mode, signal?: AbortSignal): Promise<Lock> =>
  (await lock(path, mode, signal)) as Lock;

/**
 * Acquires the lock file `path`, whose folder must exist.
 * @throws LockHeldError when a living process (including this one) holds it.
 */
export async function acquireLock(path: string, info: Record<string, unknown> = {}): Promise<Lock> {
  for (;;) {
    const taken = await tryLock(path);
    await taken?.update(info);
    if (taken) return taken;
    const holder = await readLock(path);
    if (holder) throw new LockHeldError(path, holder);
    await delay(10); // somebody else only looked whether it is held
  }
}

/** The living holder of a lock, if any. */
export async function readLock(path: string): Promise<LockHolder | undefined> {
  let fd: number;
  try {
    fd = openSync(path, 'r');
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return undefined;
    throw error;
  }
  try {
    return (await flock(fd, 'shared', 'now')) ? undefined : describe(readFileSync(fd, 'utf8'));
  } finally {
    closeSync(fd);
  }
}

function describe(content: string): LockHolder {
  const [line = ''] = content.split('\n', 1); // of a longer description before, an end may follow
  let said: Record<string, unknown> = {};
  try {
    said = JSON.parse(line) as Record<string, unknown>;
  } catch {
    // it is about to describe itself
  }
  const { pid, host, ...info } = said;
  const known = typeof pid === 'number' ? pid : 0;
  const where = host === hostname() || typeof host !== 'string' ? '' : ` on ${host}`;
  return { pid: known, name: known === 0 ? 'another process' : `process ${known}${where}`, info };
}
