import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { clusterFiles } from '../src/database/postgres/cluster-files.js';
import { BenchService } from './harness/bench-service.js';
import type { Call } from './harness/load.js';
import { openDirectory, provision } from './private-service.js';
import { explainAll, PlanLog, workOf, type Work } from './query-plans.js';
import { reads, requestOf } from './reads.js';

// npm run plans [-- --table 1000000] [--home DIR] [--only NAME]: prints the plans of all reads whose cost
// may grow with a user's images, as the service runs them for the largest user of a table of --table
// images, and lists reads that scanned more rows than a page needs. Exit code 1 if one scans a large
// table sequentially. With --home, a table seeded there is reused or kept.

const { values } = parseArgs({
  options: {
    table: { type: 'string', default: '1000000' },
    home: { type: 'string' },
    only: { type: 'string', default: '' },
  },
});
const tableRows = Number(values.table);

/** Reads that exceed these for a page of 60 are listed at the end. */
const thresholds = { scanned: 2_000, sorted: 1_000 } as const;

async function send(what: string, { url, headers }: Call): Promise<void> {
  const answer = await fetch(url, { headers });
  const text = await answer.text();
  // A failed read is reported but does not end the run.
  if (answer.status !== 200) console.log(`\n${what}: ${answer.status} ${text.slice(0, 500)}`);
}

interface Seen extends Work {
  readonly what: string;
  readonly ms: number;
}

/** Sends every read twice and prints the plans of the second, when connections and plans are warm. */
async function explain(service: BenchService, log: PlanLog): Promise<Seen[]> {
  const { largest: user } = await service.table(tableRows);
  const seen: Seen[] = [];
  for (const read of reads) {
    const [what] = read;
    if (!what.startsWith(values.only)) continue;
    const call = await requestOf(read, service, user);
    await send(what, call);
    await log.since();
    const start = performance.now();
    await send(what, call);
    const ms = performance.now() - start;
    const plans = await log.since();
    seen.push({ what, ms, ...workOf(plans) });
    console.log(`\n## ${what}: ${ms.toFixed(0)} ms\n`);
    console.log(plans.join('\n'));
  }
  return seen;
}

/** @returns the number of reads with a sequential scan of a large table. */
function summarize(seen: readonly Seen[]): number {
  const excessive = seen.filter(
    ({ scanned, sorted, sequential }) =>
      scanned > thresholds.scanned || sorted > thresholds.sorted || sequential.length > 0,
  );
  console.log(
    `\n# Reads that scanned more than ${thresholds.scanned} rows, or sorted more than ${thresholds.sorted}\n`,
  );
  console.log('| Read | ms | Statements | Rows scanned | Rows sorted | Sequential scans |');
  console.log('|---|--:|--:|--:|--:|---|');
  for (const { what, ms, statements, ...its } of excessive) {
    const [scanned, sorted] = [its.scanned, its.sorted].map((rows) => rows.toLocaleString('en'));
    const cells = [what, ms.toFixed(0), statements, scanned, sorted, its.sequential.join(', ')];
    console.log(`| ${cells.join(' | ')} |`);
  }
  const scanning = seen.filter(({ sequential }) => sequential.length > 0).length;
  console.log(
    `\n${seen.length} reads, ${scanning} of them with a sequential scan of a large table`,
  );
  return scanning;
}

/** Seeds the table if it is missing, before plans are logged: those of seeding would take gigabytes. */
async function seedTable(dir: string): Promise<void> {
  const service = await BenchService.open(dir);
  try {
    await service.table(tableRows);
  } finally {
    await service.stop();
  }
}

async function main(dir: string): Promise<number> {
  await mkdir(dir, { recursive: true });
  const { home } = await provision(dir);
  await seedTable(dir);
  const { data, log } = clusterFiles(home);
  const undo = await explainAll(data);
  try {
    const service = await BenchService.open(dir);
    try {
      const plans = await PlanLog.open(log);
      try {
        return summarize(await explain(service, plans));
      } finally {
        await plans.close();
      }
    } finally {
      await service.stop();
    }
  } finally {
    await undo();
  }
}

const dir = values.home ?? (await openDirectory('imgstore-plans-'));
try {
  process.exitCode = (await main(join(dir, `table-${tableRows}`))) === 0 ? 0 : 1;
} finally {
  if (values.home === undefined) await rm(dir, { recursive: true, force: true });
}
