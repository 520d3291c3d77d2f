import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { cpus, release, totalmem } from 'node:os';
import { promisify } from 'node:util';
import type { Result } from './row.js';

export const figure = (value: number): string =>
  value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2);

/** A table in Markdown; all columns but those named in `words` have figures. */
export const markdownTable = (
  head: readonly string[],
  rows: readonly (readonly string[])[],
  words: readonly string[] = [head[0] ?? ''],
): string =>
  [head, head.map((name) => (words.includes(name) ? '---' : '--:')), ...rows]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n');

function cellsOf({ row: { title, limit = '' }, row, ours, beside }: Result): string[] {
  const own = [title, `${figure(ours)} ${row.unit}`, limit];
  if (!beside) return [...own, '', ''];
  const range = `${beside.lowest.toFixed(2)} to ${beside.highest.toFixed(2)}`;
  return [...own, `${figure(beside.limit)} ${row.unit}`, `${beside.ratio.toFixed(2)} (${range})`];
}

/** What readers see: the figures without our goals. */
export const resultsTable = (results: readonly Result[]): string => {
  const head = ['What', 'imgstore', 'Beside it', '', 'Ratio'];
  return markdownTable(head, results.map(cellsOf), ['What', 'Beside it']);
};

/** What the terminal shows, with the goal. */
export function lineOf(result: Result): string {
  const { goal } = result.row;
  const text = 'atLeast' in goal ? `≥ ${goal.atLeast}` : `≤ ${goal.atMost}`;
  return [...cellsOf(result), `${text} ${result.reached ? '✓' : '✗'}`].join(' | ');
}

/** When, of what, and where a run was. */
export async function provenance(command: string): Promise<string> {
  const describe = ['describe', '--always', '--dirty', '--exclude=*'];
  const { stdout } = await promisify(execFile)('git', describe);
  const { model = 'unknown processor' } = cpus()[0] ?? {};
  const gigabytes = Math.round(totalmem() / 1024 ** 3);
  const machine = `${cpus().length} × ${model.trim()}, ${gigabytes} GB, Linux ${release()}`;
  const day = new Date().toISOString().slice(0, 10);
  return `One run of \`${command}\` on ${day}, commit ${stdout.trim()}, Node.js ${process.version}, ${machine}.`;
}

/** A page with other text between the markers of its part. @throws Error if it has no such part. */
export function withPart(page: string, name: string, text: string): string {
  const [start, end] = [`<!-- bench: ${name} -->`, `<!-- /bench: ${name} -->`];
  const [from, to] = [page.indexOf(start), page.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`the page has no part ${start} … ${end}`);
  return `${page.slice(0, from + start.length)}\n\n${text}\n\n${page.slice(to)}`;
}

/** Writes the parts of a page that are measured. */
export async function writeParts(path: string, parts: ReadonlyMap<string, string>): Promise<void> {
  let page = await readFile(path, 'utf8');
  for (const [name, text] of parts) page = withPart(page, name, text);
  await writeFile(path, page);
}
