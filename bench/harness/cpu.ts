import { readdir, readFile } from 'node:fs/promises';
import { postmasterPid } from '../../testkit/command.js';
import { withDescendants } from '../../testkit/processes.js';
import type { BenchService } from './bench-service.js';

type Part = 'service' | 'service threads' | 'imaging' | 'PostgreSQL';

/** Milliseconds of CPU time since the start of the processes, by part of the service. */
export type CpuTime = Readonly<Record<Part, number>>;

/** Linux counts CPU time in hundredths of a second. */
const tickMs = 10;

/** Of a process or thread; 0 if it has ended. */
async function cpuMs(folder: string): Promise<number> {
  const stat = await readFile(`${folder}/stat`, 'latin1').catch(() => '');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) * tickMs;
}

async function sum(values: readonly Promise<number>[]): Promise<number> {
  return (await Promise.all(values)).reduce((total, value) => total + value, 0);
}

/** Threads besides the main one, but for that which records a profile. */
async function othersOf(pid: number): Promise<string[]> {
  const tasks = (await readdir(`/proc/${pid}/task`)).filter((thread) => Number(thread) !== pid);
  const folders = tasks.map((thread) => `/proc/${pid}/task/${thread}`);
  const names = await Promise.all(
    folders.map((folder) => readFile(`${folder}/comm`, 'utf8').catch(() => '')),
  );
  return folders.filter((_, i) => !names[i]?.startsWith('v8:Prof'));
}

/** What the service and its private database have used so far. */
export async function cpuTimeOf({ pid, home }: BenchService): Promise<CpuTime> {
  const postmaster = await postmasterPid(home);
  const database = await withDescendants(postmaster === undefined ? [] : [postmaster]);
  const inDatabase = new Set(database);
  const others = (await withDescendants([pid])).filter(
    (one) => one !== pid && !inDatabase.has(one),
  );
  const threads = await othersOf(pid);
  return {
    service: await cpuMs(`/proc/${pid}/task/${pid}`),
    'service threads': await sum(threads.map(cpuMs)),
    imaging: await sum(others.map((one) => cpuMs(`/proc/${one}`))),
    PostgreSQL: await sum(database.map((one) => cpuMs(`/proc/${one}`))),
  };
}

export const since = (before: CpuTime, now: CpuTime): CpuTime => ({
  service: now.service - before.service,
  'service threads': now['service threads'] - before['service threads'],
  imaging: now.imaging - before.imaging,
  // Backends that ended took their time along.
  PostgreSQL: Math.max(now.PostgreSQL - before.PostgreSQL, 0),
});
