import { open, readFile, writeFile, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';

const settings = `
session_preload_libraries = 'auto_explain'
auto_explain.log_min_duration = 0
auto_explain.log_analyze = on
auto_explain.log_buffers = on
auto_explain.log_nested_statements = on
`;

/**
 * Makes a private server, which must be stopped, log the plans of all statements, including those inside
 * functions. @returns a function that restores the configuration.
 */
export async function explainAll(cluster: string): Promise<() => Promise<void>> {
  const file = join(cluster, 'postgresql.conf');
  const before = await readFile(file, 'utf8');
  await writeFile(file, before + settings);
  return () => writeFile(file, before);
}

/** The plans logged since the last call, or since the log was opened. */
export class PlanLog {
  #read: number;

  private constructor(
    private readonly file: FileHandle,
    end: number,
  ) {
    this.#read = end;
  }

  /** The caller must close it. */
  static async open(path: string): Promise<PlanLog> {
    const file = await open(path);
    return new PlanLog(file, (await file.stat()).size);
  }

  close(): Promise<void> {
    return this.file.close();
  }

  async since(): Promise<string[]> {
    const { size } = await this.file.stat();
    if (size < this.#read) this.#read = 0; // the service has truncated it
    const { buffer } = await this.file.read({
      buffer: Buffer.alloc(size - this.#read),
      position: this.#read,
    });
    const fresh = buffer.toString('utf8');
    this.#read = size;
    // An entry continues on indented lines; the next one begins with its time.
    return fresh
      .split(/^(?=\d{4}-\d\d-\d\d )/m)
      .filter((entry) => entry.includes(' plan:'))
      .map((entry) => entry.trimEnd());
  }
}

/** The work in the plans of a read. */
export interface Work {
  readonly statements: number;
  /** Rows that scans returned, and those that they removed. */
  readonly scanned: number;
  readonly sorted: number;
  /** Tables read by a sequential scan, with more rows than a page has. */
  readonly sequential: readonly string[];
}

/** Scans of tables only: the rows of scans of, for example, common table expressions are already counted. */
const scan =
  /(Seq|Index Only|(?<!Bitmap )Index|Bitmap Heap) Scan (?:Backward )?(?:using \w+ )?on (\w+)/;
/** Above this number of rows, a sequential scan is no longer the best plan. */
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

/** Rows that a node removed, according to the lines below it up to the next node. */
function removed(lines: readonly string[], node: number): number {
  const loops = Number(/loops=(\d+)/.exec(lines[node] ?? '')?.[1] ?? 1);
  let sum = 0;
  for (const line of lines.slice(node + 1)) {
    if (line.includes('->') || line.includes('(cost=')) break;
    sum += Number(/Rows Removed by [\w ]+: (\d+)/.exec(line)?.[1] ?? 0) * loops;
  }
  return sum;
}
