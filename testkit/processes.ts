import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { eventually } from './eventually.js';

/** False once the process has ended, even if it is still a zombie. */
export async function isRunning(pid: number): Promise<boolean> {
  const stat = await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => '');
  // The state follows the name, which may contain any character but ends at the last parenthesis.
  const state = stat.slice(stat.lastIndexOf(')') + 2, stat.lastIndexOf(')') + 3);
  return state !== '' && state !== 'Z' && state !== 'X';
}

/** Waits until one of the processes has the file open. @returns its id. */
export async function readerOf(path: string, pids: () => readonly number[]): Promise<number> {
  let reader: number | undefined;
  // Not by name: an imaging process sees it under another.
  const { dev, ino } = await stat(path);
  const isOpenIn = async (pid: number): Promise<boolean> => {
    const ends = await readdir(`/proc/${pid}/fd`).catch(() => []);
    const files = ends.map((end) => stat(`/proc/${pid}/fd/${end}`).catch(() => undefined));
    return (await Promise.all(files)).some((file) => file?.dev === dev && file.ino === ino);
  };
  await eventually('a process reads it', async () => {
    for (const pid of pids()) if (await isOpenIn(pid)) reader = pid;
    return reader !== undefined;
  });
  return reader as number;
}

/** The child processes of a process, started by any of its threads. */
async function childrenOf(pid: number): Promise<number[]> {
  const threads = await readdir(`/proc/${pid}/task`).catch(() => []);
  const lists = threads.map((id) =>
    readFile(`/proc/${pid}/task/${id}/children`, 'latin1').catch(() => ''),
  );
  return (await Promise.all(lists)).join('').split(' ').filter(Boolean).map(Number);
}

/** These processes and all their descendants. */
export async function withDescendants(roots: readonly number[]): Promise<number[]> {
  const family = new Set(roots);
  for (const pid of family) for (const child of await childrenOf(pid)) family.add(child);
  return [...family];
}

/** Whether all of these processes have ended. */
export const allGone = (started: ReadonlyMap<number, string>): boolean =>
  [...started].every(([pid, start]) => processStart(pid) !== start);

/** Start times of those of these processes that still run: some of a database server's are short-lived. */
export const startsOf = (pids: readonly number[]): Map<number, string> =>
  new Map(
    pids.flatMap((pid) => {
      const start = processStart(pid);
      return start === undefined ? [] : [[pid, start] as const];
    }),
  );

/** The HTTP processes of a service, of those that are found: children that start or end hide others. */
export async function httpPids(service: number): Promise<number[]> {
  const found: number[] = [];
  for (const pid of await withDescendants([service])) {
    const line = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
    if (line.includes('http-process.js')) found.push(pid);
  }
  return found;
}

/** The same once both run. */
export async function bothHttpPids(service: number): Promise<number[]> {
  let found: number[] = [];
  await eventually('both run', async () => (found = await httpPids(service)).length === 2);
  return found;
}

/** Kills a process at once. @throws without one: 0 would be the whole group of this process. */
export function killNow(pid: number | undefined): void {
  assert.ok(pid, 'there is no process to kill');
  process.kill(pid, 'SIGKILL');
}

/**
 * When a process started: the machine's boot id and its clock ticks since boot. Undefined if there is no
 * such process, or only a zombie.
 */
export function processStart(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The name in the second field may contain spaces and brackets, so count from the last bracket.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (fields[0] === 'Z' || fields[0] === 'X') return undefined;
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()}/${fields[19]}`;
  } catch {
    return undefined;
  }
}
