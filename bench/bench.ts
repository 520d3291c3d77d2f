/**
 * Everything that docs/performance.md reports, each figure beside its limit in the same rounds.
 *
 *     npm run bench [-- --only NAME[,NAME…]] [--images 1000000] [--rounds 5] [--home DIR] [--out DIR]
 *
 * With --home, what was seeded stays there for the next run. With --out, writes results.json,
 * results.md, and results.svg to that directory.
 */
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { BenchService } from './harness/bench-service.js';
import { LoadGenerator } from './harness/load.js';
import { chart, markdown } from './harness/report.js';
import { measure } from './harness/rounds.js';
import type { Result } from './harness/rounds.js';
import type { Bench } from './harness/row.js';
import { report } from './private-service.js';
import { rowsFor } from './rows/rows.js';

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    images: { type: 'string', default: '1000000' },
    rounds: { type: 'string', default: '5' },
    home: { type: 'string' },
    out: { type: 'string' },
  },
});

async function writeResults(dir: string, results: readonly Result[]): Promise<void> {
  const [cpu] = cpus();
  const machine = { processors: cpus().length, model: cpu?.model, node: process.version };
  await mkdir(dir, { recursive: true });
  await writeFile(join(dir, 'results.json'), `${JSON.stringify({ machine, results }, null, 2)}\n`);
  await writeFile(join(dir, 'results.md'), markdown(results));
  await writeFile(join(dir, 'results.svg'), chart(results, 'Ratio to the limit, with its goal'));
}

async function main(dir: string): Promise<void> {
  const services = new Map<string, Promise<BenchService>>();
  const service = (name: string): Promise<BenchService> => {
    const open = services.get(name) ?? BenchService.open(join(dir, name));
    services.set(name, open);
    return open;
  };
  const load = new LoadGenerator();
  const scratch = await mkdtemp(join(tmpdir(), 'imgstore-bench-scratch-'));
  await chmod(scratch, 0o755); // as root, the database server's own user needs access
  const bench: Bench = {
    ...{ load, scratch },
    large: () => service('large'),
    small: () => service('small'),
  };
  const wanted = values.only?.split(',');
  const results: Result[] = [];
  try {
    for (const row of rowsFor(Number(values.images))) {
      if (wanted && !wanted.some((name) => row.name.startsWith(name))) continue;
      report(`Measuring ${row.name}`);
      const result = await measure(row, bench, Number(values.rounds));
      results.push(result);
      console.log(markdown([result]).split('\n')[2]);
      if (values.out !== undefined) await writeResults(values.out, results);
    }
  } finally {
    load.close();
    for (const open of services.values()) await open.then((one) => one.stop());
    await rm(scratch, { recursive: true });
  }
}

const dir = values.home ?? (await mkdtemp(join(tmpdir(), 'imgstore-bench-')));
try {
  await main(dir);
} finally {
  if (values.home === undefined) await rm(dir, { recursive: true, force: true });
}
