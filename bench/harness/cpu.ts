import { readdir, readFile } from 'node:fs/promises';
import { postmasterPid } from '../../testkit/command.js';
import { withDescendants } from '../../testkit/processes.js';
import type { BenchService } from './bench-service.js';

type Part = 'service' | 'service threads' | 'imaging' | 'PostgreSQL';

/** Milliseconds of CPU time since the start of the processes, by part of the service. */
export type CpuTime = Readonly<Record<Part, number>>;

interface Snapshot extends CpuTime {
  /** Of each process: one that ends meanwhile takes its own along. */
  readonly imagingOf: ReadonlyMap<number, number>;
}

/** Linux counts CPU time in hundredths of a second. */
const tickMs = 10;

/** User and system time of a process or thread, and of its ended children; 0 if the process has ended. */
async function timesOf(folder: string): Promise<{ own: number; ended: number }> {
  const stat = await readFile(`${folder}/stat`, 'latin1').catch(() => '');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [user = 0, system = 0, endedUser = 0, endedSystem = 0] = fields.slice(11, 15).map(Number);
  return { own: (user + system) * tickMs, ended: (endedUser + endedSystem) * tickMs };
}

/** @param folder of a process or thread in /proc. */
export const cpuMs = async (folder: string): Promise<number> => (await timesOf(folder)).own;

/** Includes ended backends, whose CPU time would otherwise be missing. */
async function databaseMs(postmaster: number | undefined, all: readonly number[]): Promise<number> {
  const { ended } = await timesOf(`/proc/${postmaster}`);
  return ended + (await sum(all.map((one) => cpuMs(`/proc/${one}`))));
}

async function sum(values: readonly Promise<number>[]): Promise<number> {
  return (await Promise.all(values)).reduce((total, value) => total + value, 0);
}

/** All threads except the main one and the profiler's. */
async function othersOf(pid: number): Promise<string[]> {
  const tasks = (await readdir(`/proc/${pid}/task`)).filter((thread) => Number(thread) !== pid);
  const folders = tasks.map((thread) => `/proc/${pid}/task/${thread}`);
  const names = await Promise.all(
    folders.map((folder) => readFile(`${folder}/comm`, 'utf8').catch(() => '')),
  );
  return folders.filter((_, i) => !names[i]?.startsWith('v8:Prof'));
}

/** CPU time of the service and its private database so far. */
export async function cpuTimeOf({
  pid,
  home,
}: Pick<BenchService, 'pid' | 'home'>): Promise<Snapshot> {
  const postmaster = await postmasterPid(home);
  const database = await withDescendants(postmaster === undefined ? [] : [postmaster]);
  const inDatabase = new Set(database);
  const others = (await withDescendants([pid])).filter(
    (one) => one !== pid && !inDatabase.has(one),
  );
  const threads = await othersOf(pid);
  const spent = others.map(async (one) => [one, await cpuMs(`/proc/${one}`)] as const);
  const imagingOf = new Map(await Promise.all(spent));
  return {
    service: await cpuMs(`/proc/${pid}/task/${pid}`),
    'service threads': await sum(threads.map(cpuMs)),
    imaging: [...imagingOf.values()].reduce((total, ms) => total + ms, 0),
    imagingOf,
    PostgreSQL: await databaseMs(postmaster, database),
  };
}

export const since = (before: Snapshot, now: Snapshot): CpuTime => ({
  service: now.service - before.service,
  'service threads': now['service threads'] - before['service threads'],
  imaging: [...now.imagingOf].reduce(
    (total, [pid, ms]) => total + ms - (before.imagingOf.get(pid) ?? 0),
    0,
  ),
  PostgreSQL: now.PostgreSQL - before.PostgreSQL,
});
