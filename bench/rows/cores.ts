import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { BenchService, type BenchUser } from '../harness/bench-service.js';
import type { Call } from '../harness/load.js';
import { upload } from '../harness/pictures.js';
import type { Bench, Row } from '../harness/row.js';
import { requestsPerSecond } from '../harness/wrk.js';

const run = promisify(execFile);

const load = { connections: 16, seconds: 4 };
const images = 10_000;

type CallOf = (service: BenchService, user: BenchUser, scratch: string) => Promise<Call>;

const kinds: Readonly<Record<string, readonly [title: string, CallOf]>> = {
  thumbnail: [
    'Thumbnail',
    async (service, _user, scratch) => ({
      url: (await upload(await service.user(0), scratch)).thumb_url,
    }),
  ],
  page: ['First page of 60', async (_service, { url, headers }) => ({ url, headers })],
};

/**
 * Everything on two cores with two HTTP processes, compared with everything on one core with one: the
 * service, its database, and the generator of the load alike, so that only what is shared is left.
 */
export const coreRows = (): Row[] =>
  Object.entries(kinds).map(([name, [title, callOf]]) => ({
    name: `cores/${name}`,
    title: `${title}, two HTTP processes on two cores`,
    limit: 'one on one core',
    unit: '/s',
    goal: { atLeast: 1.7 },
    open: async (bench) => {
      const two = await openOn('0,1', 2, callOf, bench);
      const one = await openOn('0', 1, callOf, bench);
      const close = async (): Promise<void> => {
        await runOn('0,1');
        await one.service.stop();
        await two.service.stop();
      };
      return { ours: two.rate, limit: one.rate, close };
    },
  }));

/** Opens a service whose processes may only use these cores, as may those that measure it. */
async function openOn(cores: string, workers: number, callOf: CallOf, { scratch }: Bench) {
  await runOn(cores);
  // The kernel writes the file of the log on any core.
  const flags = ['--workers', String(workers), '--log-level', 'error'];
  const service = await BenchService.open(join(scratch, `cores-${workers}`), flags);
  const call = await callOf(service, await service.user(images), scratch);
  const rate = async (): Promise<number> => {
    await runOn(cores);
    return requestsPerSecond([call], load);
  };
  await rate(); // each process compiles its code first
  return { service, rate };
}

/** Restricts this process to some cores, and those that it starts from now on. */
const runOn = (cores: string): Promise<unknown> =>
  run('taskset', ['--all-tasks', '--cpu-list', '--pid', cores, String(process.pid)]);
