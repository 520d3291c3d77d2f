import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { openDirectory, report } from '../private-service.js';
import { BenchService } from './bench-service.js';
import { LoadGenerator } from './load.js';
import { record } from './recorded.js';
import { markdown } from './report.js';
import { measure } from './rounds.js';
import type { Bench, Row } from './row.js';
import { generatorShare } from './wrk.js';

export interface Run {
  readonly rows: readonly Row[];
  readonly rounds: number;
  /** Directory for the report. */
  readonly out?: string | undefined;
}

/** Measures the rows one after the other, and records each result immediately. */
export async function measureRows({ rows, rounds, out }: Run, bench: Bench): Promise<void> {
  for (const row of rows) {
    report(`Measuring ${row.name}`);
    const result = await measure(row, bench, rounds);
    console.log(markdown([result]).split('\n')[2]);
    if (out !== undefined) await record(out, { results: [result] });
  }
  const share = generatorShare();
  if (share > 0) report(`wrk took ${Math.round(share * 100)} % of one core`);
}

/** @param home of all services, which is kept; if omitted, a temporary one. */
export async function withBench(
  home: string | undefined,
  work: (bench: Bench) => Promise<void>,
): Promise<void> {
  const dir = home ?? (await openDirectory('imgstore-bench-'));
  const services = new Map<string, Promise<BenchService>>();
  const service = (name: string): Promise<BenchService> => {
    const open = services.get(name) ?? BenchService.open(join(dir, name));
    services.set(name, open);
    return open;
  };
  const load = new LoadGenerator();
  const scratch = await openDirectory('imgstore-bench-scratch-');
  try {
    await work({
      load,
      scratch,
      large: () => service('large'),
      small: () => service('small'),
      table: (rows) => service(`table-${rows}`),
    });
  } finally {
    load.close();
    // A service that failed to start has nothing to stop, and its error is already being reported.
    for (const opened of await Promise.allSettled(services.values())) {
      if (opened.status === 'fulfilled') await opened.value.stop();
    }
    await rm(scratch, { recursive: true });
    if (home === undefined) await rm(dir, { recursive: true, force: true });
  }
}
