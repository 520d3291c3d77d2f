import { readdir, readFile, readlink } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

const pollMs = 10;
const patienceMs = 20_000;

/** False once the process has ended, even when nobody has collected it yet. */
export async function isRunning(pid: number): Promise<boolean> {
  const stat = await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => '');
  // The state stands behind the name, which may contain anything but ends with the last bracket.
  const state = stat.slice(stat.lastIndexOf(')') + 2, stat.lastIndexOf(')') + 3);
  return state !== '' && state !== 'Z' && state !== 'X';
}

/** Waits for what no event tells. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  const end = performance.now() + patienceMs;
  while (!(await condition())) {
    if (performance.now() > end) throw new Error('waited in vain');
    await sleep(pollMs);
  }
}

/** Waits until one of the processes has the file open. @returns its id. */
export async function readerOf(path: string, pids: () => readonly number[]): Promise<number> {
  let reader: number | undefined;
  const isOpenIn = async (pid: number): Promise<boolean> => {
    const ends = await readdir(`/proc/${pid}/fd`).catch(() => []);
    const targets = ends.map((end) => readlink(`/proc/${pid}/fd/${end}`).catch(() => ''));
    return (await Promise.all(targets)).includes(path);
  };
  await until(async () => {
    for (const pid of pids()) if (await isOpenIn(pid)) reader = pid;
    return reader !== undefined;
  });
  return reader as number;
}
