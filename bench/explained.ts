import { readFile } from 'node:fs/promises';
import type { DataSource } from 'typeorm';
import { row } from '../src/database/sql.js';

/** Makes every new connection to the database write the plans of its statements to the server's log. */
export async function explainAll(db: DataSource): Promise<void> {
  const found = await row<{ name: string }>(db, 'SELECT quote_ident(current_database()) AS name');
  const settings = {
    session_preload_libraries: 'auto_explain',
    'auto_explain.log_min_duration': '0',
    'auto_explain.log_analyze': 'on',
    'auto_explain.log_buffers': 'on',
    'auto_explain.log_nested_statements': 'on',
  };
  for (const [key, value] of Object.entries(settings)) {
    await db.query(`ALTER DATABASE ${found?.name} SET ${key} = '${value}'`);
  }
}

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
