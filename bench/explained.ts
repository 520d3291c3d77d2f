import { appendFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';

const settings = `
session_preload_libraries = 'auto_explain'
auto_explain.log_min_duration = 0
auto_explain.log_analyze = on
auto_explain.log_buffers = on
`;

/** Makes a private server, which must not run, write the plans of all statements to its log. */
export const explainAll = (cluster: string): Promise<void> =>
  appendFile(join(cluster, 'postgresql.conf'), settings);

/** The plans that the log has got since the last time. */
export class PlanLog {
  #read = 0;

  constructor(private readonly file: string) {}

  async since(): Promise<string[]> {
    const log = await readFile(this.file);
    const fresh = log.subarray(this.#read).toString('utf8');
    this.#read = log.length;
    // An entry runs on in indented lines, until the next one begins with its time.
    return fresh
      .split(/^(?=\d{4}-\d\d-\d\d )/m)
      .filter((entry) => entry.includes(' plan:'))
      .map((entry) => entry.trimEnd());
  }
}

/** Whether a plan reads all images of everyone. */
export const scansImages = (plan: string): boolean => /Seq Scan on images\b/.test(plan);
