import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { link, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { errnoOf, exists } from './files.js';

/** The holder of a lock. `started` distinguishes a process from a later one with the same pid. */
interface LockHolder {
  readonly pid: number;
  readonly started: string;
  /** Details from the holder for processes that find the lock taken. */
  readonly info: Readonly<Record<string, unknown>>;
}

/** A lock that this process holds until `release`, or until it dies for any reason. */
export interface Lock {
  readonly path: string;
  /** Replaces the `info` that others can read. */
  update(info: Record<string, unknown>): Promise<void>;
  release(): Promise<void>;
}

/** Thrown by `acquireLock` when a living process holds the lock. */
export class LockHeldError extends Error {
  override readonly name = 'LockHeldError';
  constructor(
    readonly path: string,
    readonly holder: LockHolder,
  ) {
    super(`Process ${holder.pid} holds ${path}.`);
  }
}

/**
 * When a process started: the machine's boot id and its clock ticks since boot. Undefined if there
 * is no such process or only a zombie; '' without /proc.
 */
export function processStart(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name in the second field may contain spaces and brackets, so count from the last bracket.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (fields[0] === 'Z' || fields[0] === 'X') return undefined;
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()}/${fields[19]}`;
  } catch {
    if (process.platform === 'linux') return undefined;
  }
  try {
    process.kill(pid, 0);
    return '';
  } catch (error) {
    return errnoOf(error) === 'EPERM' ? '' : undefined;
  }
}

function parse(text: string): LockHolder | undefined {
  try {
    const { pid, started, ...info } = JSON.parse(text) as Record<string, unknown>;
    if (typeof pid !== 'number' || typeof started !== 'string') return undefined;
    return { pid, started, info };
  } catch {
    return undefined; // torn by a power cut: not written since this boot
  }
}

const isAlive = (holder: LockHolder): boolean => processStart(holder.pid) === holder.started;

/** The living holder of a lock, if any. */
export async function readLock(path: string): Promise<LockHolder | undefined> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    if (errnoOf(error) === 'ENOENT') return '';
    throw error;
  });
  const holder = parse(text);
  return holder && isAlive(holder) ? holder : undefined;
}

/**
 * Writes a complete file under a temporary name next to `path`, then calls `move` to put it there.
 */
async function writeDraft(path: string, text: string, move: (draft: string) => Promise<void>) {
  const draft = `${path}.${process.pid}.${randomBytes(4).toString('hex')}`;
  await writeFile(draft, text, { mode: 0o644, flag: 'wx' });
  try {
    await move(draft);
  } finally {
    await rm(draft, { force: true });
  }
}

/** @returns false if the file already exists. */
async function create(path: string, text: string): Promise<boolean> {
  let created = true;
  await writeDraft(path, text, (draft) =>
    link(draft, path).catch((error: unknown) => {
      if (errnoOf(error) !== 'EEXIST') throw error;
      created = false;
    }),
  );
  return created;
}

const replace = (path: string, text: string): Promise<void> =>
  writeDraft(path, text, (draft) => rename(draft, path));

/**
 * Acquires the lock file `path`, whose folder must exist. A file left by a dead process is taken
 * over.
 * @throws LockHeldError when a living process (including this one) holds it.
 */
export async function acquireLock(path: string, info: Record<string, unknown> = {}): Promise<Lock> {
  const self = { pid: process.pid, started: processStart(process.pid) ?? '' };
  const text = (about: Record<string, unknown>) => JSON.stringify({ ...about, ...self });
  let held = true;
  const lock: Lock = {
    path,
    update: async (about) => {
      if (held) await replace(path, text(about));
    },
    release: async () => {
      // Only once: afterward the file may belong to another process.
      if (held) await rm(path, { force: true });
      held = false;
    },
  };
  while (!(await create(path, text(info)))) {
    const holder = await readLock(path);
    if (holder) throw new LockHeldError(path, holder);
    // When several find a dead holder's file, only the one with this inner lock may replace it;
    // nobody else changes the file, since the dead neither update nor release.
    const turn = await waitForLock(`${path}.takeover`);
    try {
      if (!(await exists(path)) || (await readLock(path))) continue;
      await replace(path, text(info));
      return lock;
    } finally {
      await turn.release();
    }
  }
  return lock;
}

/** Runs `work` with the lock, as soon as nobody else has it. */
export async function whileLocked<T>(
  path: string,
  signal: AbortSignal | undefined,
  work: () => Promise<T>,
): Promise<T> {
  const lock = await waitForLock(path, signal);
  try {
    return await work();
  } finally {
    await lock.release();
  }
}

/** As `acquireLock`, but waits until the holder releases it. @throws the reason of `signal`. */
export async function waitForLock(path: string, signal?: AbortSignal): Promise<Lock> {
  for (;;) {
    try {
      return await acquireLock(path);
    } catch (error) {
      if (!(error instanceof LockHeldError)) throw error;
    }
    await delay(20, undefined, { signal });
  }
}
