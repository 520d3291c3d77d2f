import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { growthChart } from './growth-chart.js';
import { growthMarkdown } from './growth-series.js';
import { chart, markdown } from './report.js';
import type { Result } from './rounds.js';
import { timesChart, type Times } from './times-chart.js';

/** All results so far, as stored in results.json. */
export interface Recorded {
  readonly results: readonly Result[];
  /** CPU time breakdowns by operation. */
  readonly times: readonly Times[];
}

const empty: Recorded = { results: [], times: [] };

/** Replaces earlier results with later ones of the same name, in the same position. */
function merged<T extends { readonly name: string }>(
  before: readonly T[],
  fresh: readonly T[],
): T[] {
  const byName = new Map(before.map((one) => [one.name, one]));
  for (const one of fresh) byName.set(one.name, one);
  return [...byName.values()];
}

/** The files of a report by name: text and pictures. */
export function report({ results, times }: Recorded): ReadonlyMap<string, string> {
  const peers = results.filter(({ peer }) => peer);
  const growth = results.filter((one) => one.growth);
  const others = results.filter((one) => !one.peer && !one.growth);
  const files = new Map<string, string>();
  const sections: string[] = [];
  if (others.length > 0) {
    sections.push(markdown(others));
    files.set('results.svg', chart(others, 'Ratio to the limit, with its goal'));
  }
  if (growth.length > 0) {
    sections.push('## Growth\n', 'The largest user of each table, a tenth of it:\n');
    sections.push(growthMarkdown(growth, 'largest'));
    sections.push('A user of 10,000 images in the same tables:\n', growthMarkdown(growth, 'small'));
    files.set('growth.svg', growthChart(growth));
  }
  if (peers.length > 0) sections.push('## Beside others\n', markdown(peers));
  if (times.length > 0) files.set('times.svg', timesChart(times));
  return files.set('results.md', sections.join('\n'));
}

/** Merges results with those of earlier runs in the directory, and rewrites the report. */
export async function record(dir: string, fresh: Partial<Recorded>): Promise<void> {
  await mkdir(dir, { recursive: true });
  const file = join(dir, 'results.json');
  const before = await readFile(file, 'utf8').then(
    (text) => ({ ...empty, ...(JSON.parse(text) as Partial<Recorded>) }),
    () => empty,
  );
  const all = {
    results: merged(before.results, fresh.results ?? []),
    times: merged(before.times, fresh.times ?? []),
  };
  const [cpu] = cpus();
  const machine = { processors: cpus().length, model: cpu?.model, node: process.version };
  await writeFile(file, `${JSON.stringify({ machine, ...all }, null, 2)}\n`);
  for (const [name, content] of report(all)) await writeFile(join(dir, name), content);
}
