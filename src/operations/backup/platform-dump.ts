import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Home } from '../../config/home.js';
import type { Queryable } from '../../database/sql.js';
import { dumpDatabase, restoreDatabase, runOn } from '../../postgres/dump-programs.js';
import type { DumpPrograms } from '../../postgres/dump-programs.js';
import { createScratch } from '../../postgres/scratch.js';
import { selectTablesOfPlatform } from './queries.js';
import type { TableOfPlatform } from './queries.js';

export interface PlatformDumpParts {
  /** The transaction that exported the snapshot. */
  readonly tx: Queryable;
  readonly snapshot: string;
  readonly programs: DumpPrograms;
  readonly home: Home;
  readonly url: string;
  readonly schema: string;
  readonly platformId: string;
  /** An empty database to clone, instead of starting a server. */
  readonly scratch: string | undefined;
  readonly staging: string;
  /** Where the dump goes. */
  readonly file: string;
  readonly signal: AbortSignal;
}

/**
 * Dumps one platform as an installation that has no others. Since pg_dump cannot select rows, the
 * platform's rows are copied into a scratch database after its tables and before their constraints,
 * which then prove that no row refers to an omitted one. The scratch database is dumped.
 */
export async function dumpPlatform(parts: PlatformDumpParts): Promise<void> {
  const { tx, programs, home, schema, platformId, scratch: template, staging, signal } = parts;
  const tables = await selectTablesOfPlatform(tx, schema, platformId);
  const skeleton = join(staging, 'skeleton.dump');
  const list = join(staging, 'skeleton.list');
  const scratch = await createScratch({ home, major: programs.major, template, signal });
  try {
    const without = tables.map(({ table }) => table);
    await dumpDatabase({ ...parts, file: skeleton, without });
    const into = { programs, url: scratch.url, dump: skeleton, list, signal };
    await restoreDatabase({ ...into, sections: ['pre-data', 'data'] });
    for (const table of tables) await copyRows(parts, scratch.url, table);
    await restoreDatabase({ ...into, sections: ['post-data'] });
    await dumpDatabase({ programs, url: scratch.url, schema, file: parts.file, signal });
  } finally {
    await scratch.drop();
    for (const path of [skeleton, list]) await rm(path, { force: true });
  }
}

/** Copies the platform's rows of one table via a file. */
async function copyRows(
  { programs, url, snapshot, staging, signal }: PlatformDumpParts,
  scratch: string,
  { table, columns, condition }: TableOfPlatform,
): Promise<void> {
  if (condition === null) return;
  const file = join(staging, 'rows.copy');
  const doing = `copying ${table}`;
  const psql = (to: string, commands: readonly string[]): Promise<string> =>
    runOn(
      { programs, url: to, signal },
      'psql',
      ['-qX', '-v', 'ON_ERROR_STOP=1', ...commands.map((command) => `--command=${command}`)],
      doing,
    );
  const target = `'${file.replaceAll("'", "''")}'`;
  try {
    await psql(url, [
      'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY',
      `SET TRANSACTION SNAPSHOT '${snapshot}'`,
      `\\copy (SELECT ${columns} FROM ${table} WHERE ${condition}) TO ${target}`,
    ]);
    await psql(scratch, [`\\copy ${table} (${columns}) FROM ${target}`]);
  } finally {
    await rm(file, { force: true });
  }
}
