import { chmod, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { DataSource } from 'typeorm';
import { aboutMigrations } from '../../../migrations/index.js';
import type { Home } from '../../base/config/home.js';
import { dependencyDown, OperatorError } from '../../base/errors/operator.js';
import { guarded, ignore } from '../../base/guarded.js';
import { commandLine } from '../../base/os/command-line.js';
import { stamp } from '../../base/os/files.js';
import { freeSpace } from '../../base/os/machine.js';
import { sizeText, spanText, bytesPerMegabyte, secondMs } from '../../base/units.js';
import { isMigrated, pendingMigrations, schemaVersion } from '../../database/migrations.js';
import { dumpDatabase, findDumpPrograms } from '../../database/postgres/dump-programs.js';
import { selectDatabaseDetails, selectTableSizes } from './upgrade.sql.js';

/** How many dumps a home keeps. */
const kept = 3;

/** Maximum size of a dump as a fraction of the tables, and bytes of tables dumped per second. */
const dumpShare = 0.6;
const bytesPerSecond = 15 * bytesPerMegabyte;

/** Milliseconds between two progress reports. */
const reportMs = 10 * secondMs;

const unfinished = '.unfinished';

interface DumpParts {
  readonly home: Home;
  /** Connected to the database. */
  readonly db: DataSource;
  readonly url: string;
  readonly report: (message: string) => void;
  readonly signal?: AbortSignal | undefined;
  /** The command that proceeds without a dump; added to errors that prevent one. */
  readonly without?: string;
}

/** Estimates the maximum size of a dump, and its duration on a small machine. */
async function estimateDump(db: DataSource) {
  const { bytes } = await selectDatabaseDetails(db);
  return {
    table_bytes: bytes,
    bytes: Math.ceil(bytes * dumpShare),
    seconds: Math.ceil(bytes / bytesPerSecond),
  };
}

/**
 * Dumps the database into a file of the home, before an irreversible change. @throws OperatorError
 * 69 if there is no space, or no suitable dump program.
 */
export async function dumpFirst(parts: DumpParts) {
  const { home, db, report } = parts;
  await mkdir(home.dumps, { recursive: true, mode: 0o700 });
  await sweep(home);
  const estimate = await estimateDump(db);
  await requireFreeSpace(parts, estimate);
  const name = `${stamp()}-of-${(await schemaVersion(db)) ?? 'older'}.dump`;
  const file = join(home.dumps, name);
  report(
    `Dumping the database to ${file} first: ${sizeText(estimate.table_bytes)} of tables, about ${spanText(estimate.seconds)}`,
  );
  await write(parts, file);
  const { size: bytes } = await stat(file);
  await keepNewest(home);
  return { file, bytes };
}

export type MadeDump = Awaited<ReturnType<typeof dumpFirst>>;

async function write({ home, db, url, report, signal, without }: DumpParts, file: string) {
  const { major, schema } = await selectDatabaseDetails(db);
  const programs = await findDumpPrograms(major, home).catch((error: unknown) => {
    throw error instanceof OperatorError ? withAlternative(error, without) : error;
  });
  const draft = `${file}${unfinished}`;
  const handle = await open(draft, 'wx', 0o600);
  const reportSize = guarded(ignore, async () =>
    report(`Dumped ${sizeText((await stat(draft)).size)} so far`),
  );
  const timer = setInterval(reportSize, reportMs);
  try {
    await dumpDatabase({ programs, url, schema, file: draft, signal });
    await chmod(draft, 0o600);
    await handle.sync();
    await rename(draft, file);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  } finally {
    clearInterval(timer);
    await handle.close();
  }
}

const withAlternative = (error: OperatorError, without: string | undefined): OperatorError =>
  new OperatorError(error.exitCode, error.message, {
    ...(error.setting !== undefined && { setting: error.setting }),
    remedy: `${error.remedy}${without === undefined ? '' : `; without a dump: ${without}`}`,
    cause: error,
  });

async function requireFreeSpace(
  { home, without }: DumpParts,
  { bytes }: { readonly bytes: number },
): Promise<void> {
  const { free } = await freeSpace(home.dumps);
  if (free >= bytes) return;
  const rest =
    without === undefined ? '' : `; or proceed without, after making your own backup: ${without}`;
  throw dependencyDown(
    `A dump of the database may take ${sizeText(bytes)}, and ${home.dumps} has ${sizeText(free)} free.`,
    { setting: 'home', remedy: `free up space${rest}` },
  );
}

/** Dumps by age, latest last. */
async function list(home: Home): Promise<string[]> {
  return (await readdir(home.dumps)).filter((name) => name.endsWith('.dump')).sort();
}

/** Removes files that killed runs left. */
async function sweep(home: Home): Promise<void> {
  for (const name of await readdir(home.dumps)) {
    if (name.endsWith(unfinished)) await rm(join(home.dumps, name), { force: true });
  }
}

async function keepNewest(home: Home): Promise<void> {
  for (const name of (await list(home)).slice(0, -kept)) {
    await rm(join(home.dumps, name), { force: true });
  }
}

/** Dumps the database before migrations change it, and reports how to roll back. */
export async function dumpBeforeMigrating(parts: Omit<DumpParts, 'without'>) {
  const { home, report } = parts;
  const without = commandLine('migrate', '--no-dump', '--home', home.dir);
  const dump = await dumpFirst({ ...parts, without });
  report(`Dumped ${sizeText(dump.bytes)}. ${rollbackHint(home.dir, dump.file)}`);
  return dump;
}

/** How to undo an upgrade. */
export const rollbackHint = (home: string, file: string): string =>
  `To go back: ${commandLine('database', 'restore', file, '--home', home)}, then install the former imgstore`;

/** What `migrate` would do. Changes nothing. @throws OperatorError 78 for a newer database. */
export async function planMigrations(db: DataSource) {
  const pending = await pendingMigrations(db);
  const isNew = !(await isMigrated(db));
  const planned = pending.map(async (name) => {
    const { does, holds, reads } = aboutMigrations[name] ?? undescribed;
    // The tables that it reads determine its duration.
    return { name, does, holds, reads: isNew ? [] : await selectTableSizes(db, reads) };
  });
  return {
    pending: await Promise.all(planned),
    /** Made first; null for a database without tables, and if nothing is pending. */
    dump: isNew || pending.length === 0 ? null : await estimateDump(db),
  };
}

export type MigrationPlan = Awaited<ReturnType<typeof planMigrations>>;

const undescribed = { does: 'It is not described.', holds: 'changes', reads: [] } as const;
