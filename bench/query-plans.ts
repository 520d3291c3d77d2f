import { appendFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';

const settings = `
session_preload_libraries = 'auto_explain'
auto_explain.log_min_duration = 0
auto_explain.log_analyze = on
auto_explain.log_buffers = on
`;

/** Makes a private server, which must be stopped, log the plans of all statements. */
export const explainAll = (cluster: string): Promise<void> =>
  appendFile(join(cluster, 'postgresql.conf'), settings);

/** The plans logged since the last call. */
export class PlanLog {
  #read = 0;

  constructor(private readonly file: string) {}

  async since(): Promise<string[]> {
    const log = await readFile(this.file);
    const fresh = log.subarray(this.#read).toString('utf8');
    this.#read = log.length;
    // An entry continues on indented lines, until the next one begins with its time.
    return fresh
      .split(/^(?=\d{4}-\d\d-\d\d )/m)
      .filter((entry) => entry.includes(' plan:'))
      .map((entry) => entry.trimEnd());
  }
}

/** Whether a plan reads all users' images. */
export const scansImages = (plan: string): boolean => /Seq Scan on images\b/.test(plan);
