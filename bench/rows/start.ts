import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { program } from '../../testkit/command.js';
import { BenchService } from '../harness/bench-service.js';
import type { Bench, Row } from '../harness/row.js';

/** Start-up times of the program. */
export const startRows = (): Row[] => [
  {
    name: 'start/help',
    title: 'imgstore --help',
    limit: 'node -e 0',
    unit: 'ms',
    goal: { atMost: 2 },
    open: async () => ({
      ours: () => timed(() => run(program, '--help')),
      limit: () => timed(() => run(process.execPath, '-e', '0')),
    }),
  },
  {
    name: 'start/ready',
    title: 'imgstore serve, to ready',
    unit: 'ms',
    goal: { atMost: 1_500 },
    open: async (bench) => ({ ours: () => ready(bench) }),
  },
];

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

async function run(command: string, ...args: readonly string[]): Promise<void> {
  await once(spawn(command, args, { stdio: 'ignore' }), 'exit');
}

async function ready({ scratch }: Bench): Promise<number> {
  const service = await BenchService.open(join(scratch, 'start'));
  await service.stop();
  return service.startMs;
}
