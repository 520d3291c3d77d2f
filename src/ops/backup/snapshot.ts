import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { DataSource } from 'typeorm';
import type { Home } from '../../base/config/home.js';
import { detectDeadClient } from '../../database/connection-error.js';
import { inDatabase, withoutLimits } from '../../database/data-source.js';
import {
  dumpDatabase,
  findDumpPrograms,
  streamOf,
  type DumpPrograms,
} from '../../database/postgres/dump-programs.js';
import { createScratch } from '../../database/postgres/scratch.js';
import type { Queryable } from '../../database/sql.js';
import {
  liftLimits,
  selectMigrationNames,
  selectSnapshot,
  selectSchemaName,
  selectTablesOfPlatform,
  type TableOfPlatform,
} from '../dumps.sql.js';
import {
  rowsOfDump,
  loadRows,
  type RowSource,
  type SequenceValue,
  type TableRows,
} from './load-rows.js';
import { versionsById, type SnapshotVersion } from './manifest.js';
import { sumOfFile, writeLines } from './repository.js';

interface SnapshotParts {
  readonly db: DataSource;
  readonly home: Home;
  readonly url: string;
  /** Where to write the dump and the list of versions. */
  readonly staging: string;
  /** Only this platform; all if null. */
  readonly platformId: string | null;
  /** For the dump of a platform: an empty database to clone, instead of starting a server. */
  readonly scratch: string | undefined;
  readonly report: (message: string) => void;
  readonly signal: AbortSignal;
}

/**
 * Dumps the database and lists the versions, both through the same snapshot. The transaction ends
 * before objects are copied: it would prevent the server from vacuuming. @returns also how many
 * objects the versions have, and the file `list`: one `SnapshotVersion` a line, by id.
 */
export async function takeSnapshot(parts: SnapshotParts) {
  const { home, url, staging, platformId } = parts;
  const own = await withoutLimits(parts.db).initialize();
  const runner = own.createQueryRunner();
  try {
    await detectDeadClient(runner);
    await liftLimits(runner);
    await runner.startTransaction('REPEATABLE READ');
    const { snapshot, takenAt, server, schema, objects } = await selectSnapshot(runner, platformId);
    const postgresql = Math.floor(server / 10_000);
    const programs = await findDumpPrograms(postgresql, home);
    const file = join(staging, 'database.dump');
    const list = join(staging, 'versions.ndjson');
    const stop = new AbortController();
    const signal = AbortSignal.any([parts.signal, stop.signal]);
    const on = { programs, url, schema, file, snapshot, signal };
    const dumping =
      platformId === null
        ? dumpDatabase(on)
        : dumpPlatform({ ...parts, ...on, tx: runner, platformId });
    try {
      await Promise.all([dumping, writeLines(list, versionsUntil(signal, runner, platformId))]);
    } catch (error) {
      stop.abort();
      await dumping.catch(() => undefined);
      throw error;
    }
    const migrations = await selectMigrationNames(runner);
    await runner.commitTransaction();
    const dump = { file, ...(await sumOfFile(file)) };
    return { takenAt, postgresql, migrations, objects, dump, list };
  } finally {
    await runner.release();
    await own.destroy();
  }
}

export type Snapshot = Awaited<ReturnType<typeof takeSnapshot>>;

async function* versionsUntil(
  signal: AbortSignal,
  session: Queryable,
  platformId: string | null,
): AsyncGenerator<SnapshotVersion> {
  for await (const version of versionsById(session, platformId)) {
    signal.throwIfAborted();
    yield version;
  }
}

interface PlatformDumpParts extends SnapshotParts {
  readonly platformId: string;
  /** The transaction that exported the snapshot. */
  readonly tx: Queryable;
  readonly snapshot: string;
  readonly programs: DumpPrograms;
  readonly schema: string;
  /** Where the dump goes. */
  readonly file: string;
}

/**
 * Dumps one platform as an installation that has no others. Since pg_dump cannot select rows, the
 * platform's rows are copied into a scratch database before its constraints, which then prove that
 * no row refers to an omitted one. The scratch database is dumped.
 */
async function dumpPlatform(parts: PlatformDumpParts): Promise<void> {
  const { tx, db, programs, home, schema, platformId, staging, signal } = parts;
  const tables = await selectTablesOfPlatform(tx, schema, platformId);
  const whole = join(staging, 'whole-tables.dump');
  const { major } = programs;
  const scratch = await createScratch({ home, major, template: parts.scratch, signal });
  try {
    await dumpDatabase({ ...parts, file: whole, without: tables.map(({ table }) => table) });
    const shared = await rowsOfDump(programs, whole, signal);
    const source = { ...shared, items: () => rowsOf(parts, shared, tables) };
    const target = inDatabase(db, scratch.url);
    const into = { target, url: scratch.url, folder: staging };
    await loadRows({ programs, source, ...into, report: parts.report, signal });
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
