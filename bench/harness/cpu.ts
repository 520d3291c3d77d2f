import { readFile } from 'node:fs/promises';
import { postmasterPid } from '../../testkit/command.js';
import { withDescendants } from '../../testkit/processes.js';
import type { BenchService } from './bench-service.js';

const parts = ['service', 'threads', 'imaging', 'database'] as const;

/** Milliseconds of CPU time since the start of the processes, by part of the service. */
export type CpuTime = Readonly<Record<(typeof parts)[number], number>>;

/** Linux counts CPU time in hundredths of a second. */
const tickMs = 10;

/** User and system time of a process or thread in /proc, and of the children that it has reaped. */
async function timesOf(folder: string): Promise<{ own: number; ended: number }> {
  const stat = await readFile(`${folder}/stat`, 'latin1').catch(() => '');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [user = 0, system = 0, endedUser = 0, endedSystem = 0] = fields.slice(11, 15).map(Number);
  return { own: (user + system) * tickMs, ended: (endedUser + endedSystem) * tickMs };
}

const sum = (values: readonly number[]): number => values.reduce((total, one) => total + one, 0);

/** Of processes below `root`; those that have ended count with what reaped them. */
export async function below(root: number | undefined, others: readonly number[]): Promise<number> {
  const times = await Promise.all(others.map((pid) => timesOf(`/proc/${pid}`)));
  const { ended } = await timesOf(`/proc/${root}`);
  return ended + sum(times.map(({ own, ended: reaped }) => own + reaped));
}

type Measured = Pick<BenchService, 'pid' | 'home'>;

async function processesOf({ pid, home }: Measured) {
  const postmaster = await postmasterPid(home);
  const database = await withDescendants(postmaster === undefined ? [] : [postmaster]);
  const own = await withDescendants([pid]);
  const imaging = own.filter((one) => one !== pid && !database.includes(one));
  return { postmaster, database, imaging };
}

/** CPU time of the service and its private database so far. */
export async function cpuTimeOf(service: Measured): Promise<CpuTime> {
  const { pid } = service;
  const { postmaster, database, imaging } = await processesOf(service);
  const backends = database.filter((one) => one !== postmaster);
  const [whole, main, server] = await Promise.all(
    [`/proc/${pid}`, `/proc/${pid}/task/${pid}`, `/proc/${postmaster}`].map(timesOf),
  );
  return {
    service: main?.own ?? 0,
    threads: (whole?.own ?? 0) - (main?.own ?? 0),
    imaging: await below(pid, imaging),
    database: (server?.own ?? 0) + (await below(postmaster, backends)),
  };
}

/**
 * CPU time of the service during `work`, which is done again if an imaging process ended in it: the
 * kernel tells nobody the time of a process whose parent was killed with it.
 */
export async function cpuTimeDuring<T>(
  service: Measured,
  work: () => Promise<T>,
): Promise<{ readonly result: T; readonly time: CpuTime }> {
  for (;;) {
    const { imaging } = await processesOf(service);
    const before = await cpuTimeOf(service);
    const result = await work();
    const time = since(before, await cpuTimeOf(service));
    const left = new Set((await processesOf(service)).imaging);
    if (imaging.every((one) => left.has(one))) return { result, time };
  }
}

export const since = (before: CpuTime, now: CpuTime): CpuTime =>
  Object.fromEntries(parts.map((part) => [part, now[part] - before[part]])) as CpuTime;

export const totalOf = (time: CpuTime): number => sum(Object.values(time));
