import { readdir, readFile } from 'node:fs/promises';

/** Milliseconds of CPU time that processes used, and that their threads waited for a CPU. */
export interface CpuShare {
  readonly used: number;
  readonly waited: number;
}

async function sharesOf(pids: readonly number[]): Promise<CpuShare> {
  let [used, waited] = [0, 0];
  for (const pid of pids) {
    const threads = await readdir(`/proc/${pid}/task`).catch(() => []);
    for (const thread of threads) {
      const text = await readFile(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').catch(() => '');
      const [ran = 0, ready = 0] = text.split(' ').map((nanoseconds) => Number(nanoseconds) / 1e6);
      used += ran;
      waited += ready;
    }
  }
  return { used, waited };
}

/** @returns a function that returns the CPU time since this call. */
export async function cpuShare(pids: readonly number[]): Promise<() => Promise<CpuShare>> {
  const before = await sharesOf(pids);
  return async () => {
    const { used, waited } = await sharesOf(pids);
    return { used: used - before.used, waited: waited - before.waited };
  };
}
