import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DataSource } from 'typeorm';
import type { Home } from '../../base/config/home.js';
import type { Queryable } from '../../database/sql.js';
import { withLibpqModes } from '../../database/tls.js';
import { dumpDatabase, streamOf } from '../../database/postgres/dump-programs.js';
import type { DumpPrograms } from '../../database/postgres/dump-programs.js';
import { createScratch } from '../../database/postgres/scratch.js';
import { rowsOfDump } from './dump-rows.js';
import { loadRows, namedLeft } from './load-rows.js';
import type { RowSource, SequenceValue, TableRows } from './load-rows.js';
import { selectSchemaName, selectTablesOfPlatform } from '../dumps.sql.js';
import type { TableOfPlatform } from '../dumps.sql.js';

export interface PlatformDumpParts {
  readonly db: DataSource;
  readonly report: (message: string) => void;
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
 * platform's rows are copied into a scratch database before its constraints, which then prove that
 * no row refers to an omitted one. The scratch database is dumped.
 */
export async function dumpPlatform(parts: PlatformDumpParts): Promise<void> {
  const { tx, db, programs, home, schema, platformId, staging, signal } = parts;
  const tables = await selectTablesOfPlatform(tx, schema, platformId);
  const whole = join(staging, 'whole-tables.dump');
  const { major } = programs;
  const scratch = await createScratch({ home, major, template: parts.scratch, signal });
  try {
    await dumpDatabase({ ...parts, file: whole, without: tables.map(({ table }) => table) });
    const shared = await rowsOfDump(programs, whole, signal);
    const source = { ...shared, items: () => rowsOf(parts, shared, tables) };
    const target = new DataSource({ ...db.options, url: withLibpqModes(scratch.url) } as never);
    const into = { programs, target, url: scratch.url, folder: staging, signal };
    namedLeft(await loadRows({ ...into, source }), parts.report);
    const own = await target.initialize();
    const there = await selectSchemaName(own).finally(() => own.destroy());
    await dumpDatabase({ programs, url: scratch.url, schema: there, file: parts.file, signal });
  } finally {
    await scratch.drop();
    await rm(whole, { force: true });
  }
}

/** Tables that describe the installation as a whole, then the platform's rows of all others. */
async function* rowsOf(
  { programs, url, snapshot, signal }: PlatformDumpParts,
  shared: RowSource,
  tables: readonly TableOfPlatform[],
): AsyncGenerator<TableRows | SequenceValue> {
  for await (const item of shared.items()) {
    if ('sequence' in item || !tables.some(({ name }) => name === item.table)) yield item;
  }
  for (const { name, table, columns, condition } of tables) {
    if (condition === null) continue;
    const names = columns.map((column) => `"${column}"`).join(', ');
    const commands = [
      'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY',
      `SET TRANSACTION SNAPSHOT '${snapshot}'`,
      `COPY (SELECT ${names} FROM ${table} WHERE ${condition}) TO STDOUT`,
    ];
    const args = ['-qX', '-v', 'ON_ERROR_STOP=1', ...commands.map((text) => `--command=${text}`)];
    const lines = streamOf(programs, 'psql', args, { url, signal });
    yield { table: name, columns, lines };
  }
}
