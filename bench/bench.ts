import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { misused, numberOf, readOptions } from '../testkit/script.js';
import { costTable } from './cost.js';
import { BenchService } from './harness/bench-service.js';
import { LoadGenerator } from './harness/load.js';
import { lineOf, provenance, resultsTable, writeParts } from './harness/report.js';
import { measure, type Bench, type Result } from './harness/row.js';
import { generatorShare, requireWrk } from './harness/wrk.js';
import { openDirectory, report } from './private-service.js';
import { rowsFor } from './rows/rows.js';

const usage = `Usage: npm run bench -- [--release] [--only NAME[,NAME…]] [--images N[,N…]] [--table ROWS[,ROWS…]]
                     [--rounds 3] [--home DIR]

How fast imgstore is and what it costs, each figure beside its limit in the same rounds, on servers of its
own, which it stops and removes. Exit code 1 if a goal is missed.

  --release       writes the tables of docs/performance.md; takes about eight minutes
  --only NAME,…   rows whose names start like this, or "cost"
  --images N,…    images of the users whose growth is measured; pages are read of the largest
                  (default: 100000)
  --table ROWS,…  growth, in tables of that many images of many users
  --rounds N      rounds (default: 3)
  --home DIR      keeps the seeded data there for the next run`;

const values = readOptions(usage, {
  release: { type: 'boolean', default: false },
  only: { type: 'string' },
  images: { type: 'string', default: '100000' },
  table: { type: 'string', default: '' },
  rounds: { type: 'string', default: '3' },
  home: { type: 'string' },
});

const numbers = (option: 'images' | 'table'): number[] =>
  values[option]
    .split(',')
    .filter(Boolean)
    .map((text) => numberOf([option, text], usage, 1));
const [images, rounds] = [numbers('images'), numberOf(['rounds', values.rounds], usage, 1)];
if (images.length === 0) misused('There is no --images.', usage);
if (values.release && values.only !== undefined) misused('--release has no --only.', usage);
const wanted = values.only?.split(',');
const isWanted = (name: string): boolean => wanted?.some((start) => name.startsWith(start)) ?? true;
const rows = rowsFor(images, numbers('table')).filter(({ name }) => isWanted(name));
if (rows.length === 0 && !isWanted('cost')) {
  misused(`No row's name starts with ${values.only}.`, usage);
}

async function run(bench: Bench): Promise<void> {
  const parts = new Map<string, string>();
  if (values.release) parts.set('run', await provenance('npm run bench -- --release'));
  const results: Result[] = [];
  for (const row of rows) {
    report(`Measuring ${row.name}`);
    const result = await measure(row, bench, rounds);
    console.log(lineOf(result));
    results.push(result);
    if (!result.reached) process.exitCode = 1;
  }
  parts.set('figures', resultsTable(results));
  if (isWanted('cost')) {
    report('Measuring cost');
    const service = await bench.large();
    const cost = await costTable(service, await service.user(Math.max(...images)), bench, rounds);
    console.log(cost);
    parts.set('cost', cost);
  }
  const share = generatorShare();
  if (share > 0) report(`wrk took ${Math.round(share * 100)} % of one core`);
  if (values.release) await writeParts('docs/performance.md', parts);
}

await requireWrk();
const dir = values.home ?? (await openDirectory('imgstore-bench-'));
const services = new Map<string, Promise<BenchService>>();
const service = (name: string): Promise<BenchService> => {
  const open = services.get(name) ?? BenchService.open(join(dir, name));
  services.set(name, open);
  return open;
};
const load = new LoadGenerator();
const scratch = await openDirectory('imgstore-bench-scratch-');
try {
  await run({
    load,
    scratch,
    large: () => service('large'),
    small: () => service('small'),
    table: (count) => service(`table-${count}`),
  });
} finally {
  load.close();
  // A service that failed to start has nothing to stop, and its error is already being reported.
  for (const opened of await Promise.allSettled(services.values())) {
    if (opened.status === 'fulfilled') await opened.value.stop();
  }
  await rm(scratch, { recursive: true });
  if (values.home === undefined) await rm(dir, { recursive: true, force: true });
}
