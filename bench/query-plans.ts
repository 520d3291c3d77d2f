import { open, readFile, writeFile } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { join } from 'node:path';

const settings = `
session_preload_libraries = 'auto_explain'
auto_explain.log_min_duration = 0
auto_explain.log_analyze = on
auto_explain.log_buffers = on
auto_explain.log_nested_statements = on
`;

/**
 * Makes a private server, which must be stopped, log the plans of all statements, those inside of
 * functions included. @returns what takes it back.
 */
export async function explainAll(cluster: string): Promise<() => Promise<void>> {
  const file = join(cluster, 'postgresql.conf');
  const before = await readFile(file, 'utf8');
  await writeFile(file, before + settings);
  return () => writeFile(file, before);
}

/** The plans logged since the last call, or since it was made. */
export class PlanLog {
  #read: number;

  private constructor(
    private readonly file: FileHandle,
    end: number,
  ) {
    this.#read = end;
  }

  /** To be closed. */
  static async open(path: string): Promise<PlanLog> {
    const file = await open(path);
    return new PlanLog(file, (await file.stat()).size);
  }

  close(): Promise<void> {
    return this.file.close();
  }

  async since(): Promise<string[]> {
    const { size } = await this.file.stat();
    if (size < this.#read) this.#read = 0; // the service has cut it
    const { buffer } = await this.file.read({
      buffer: Buffer.alloc(size - this.#read),
      position: this.#read,
    });
    const fresh = buffer.toString('utf8');
    this.#read = size;
    // An entry continues on indented lines, until the next one begins with its time.
    return fresh
      .split(/^(?=\d{4}-\d\d-\d\d )/m)
      .filter((entry) => entry.includes(' plan:'))
      .map((entry) => entry.trimEnd());
  }
}

/** What the plans of a read looked at. */
export interface Work {
  readonly statements: number;
  /** Rows that scans found, and those that they threw away. */
  readonly scanned: number;
  readonly sorted: number;
  /** Tables read from end to end, with more rows than a page has. */
  readonly sequential: readonly string[];
}

/** Of a table; what is scanned again, such as a common table expression, has been counted there. */
const scan =
  /(Seq|Index Only|(?<!Bitmap )Index|Bitmap Heap) Scan (?:Backward )?(?:using \w+ )?on (\w+)/;
/** More than this many rows of a table, and reading all of them is no longer the best plan. */
const fewRows = 1_000;

const rowsOf = (line: string): number => {
  const [, rows, loops] = /actual (?:time=\S+ )?rows=([\d.]+) loops=(\d+)/.exec(line) ?? [];
  return Number(rows ?? 0) * Number(loops ?? 0);
};

export function workOf(plans: readonly string[]): Work {
  const sequential = new Set<string>();
  let [scanned, sorted] = [0, 0];
  for (const lines of plans.map((plan) => plan.split('\n'))) {
    lines.forEach((line, i) => {
      if (/\bSort +\(cost/.test(line)) sorted += rowsOf(line);
      const [, kind, table] = scan.exec(line) ?? [];
      if (!kind || !table) return;
      const rows = rowsOf(line) + removed(lines, i);
      scanned += rows;
      if (kind === 'Seq' && rows > fewRows) sequential.add(table);
    });
  }
  return { statements: plans.length, scanned, sorted, sequential: [...sequential] };
}

/** Rows that a node threw away, as the lines below it say until the next node begins. */
function removed(lines: readonly string[], node: number): number {
  const loops = Number(/loops=(\d+)/.exec(lines[node] ?? '')?.[1] ?? 1);
  let sum = 0;
  for (const line of lines.slice(node + 1)) {
    if (line.includes('->') || line.includes('(cost=')) break;
    sum += Number(/Rows Removed by [\w ]+: (\d+)/.exec(line)?.[1] ?? 0) * loops;
  }
  return sum;
}
