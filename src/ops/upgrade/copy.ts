import { setTimeout as delay } from 'node:timers/promises';
import type { DataSource, QueryRunner } from 'typeorm';
import type { Home } from '../../base/config/home.js';
import type { Config } from '../../base/config/options.js';
import { dependencyDown, failure } from '../../base/errors/operator.js';
import { commandLine } from '../../base/os/command-line.js';
import { counted, secondMs } from '../../base/units.js';
import { detectDeadClient } from '../../database/connection-error.js';
import { withoutLimits } from '../../database/data-source.js';
import { pendingMigrations } from '../../database/migrations.js';
import { findDumpPrograms } from '../../database/postgres/dump-programs.js';
import { isAbortedByServer, type Queryable } from '../../database/sql.js';
import { startFeedClock } from '../../feed/changes/upkeep.js';
import { rowsOfDump, loadRows } from '../backup/load-rows.js';
import { analyze, holdsTables, liftLimits } from '../dumps.sql.js';
import { serviceDataSource } from '../service-database.js';
import { readServerMajor } from '../totals.js';
import { verifyDatabase } from '../verify/database.js';
import { Findings } from '../verify/findings.js';
import { dumpFirst } from './dump.js';
import * as queries from './upgrade.sql.js';

interface CopyParts {
  readonly home: Home;
  /** Connected to the database that is copied. */
  readonly db: DataSource;
  readonly url: string;
  /** An empty database, or one with the copy of an interrupted run. */
  readonly target: string;
  readonly config: Config;
  readonly report: (message: string) => void;
  readonly signal: AbortSignal;
}

/**
 * Copies a database, verifies the copy, and calls `settle` to switch to it. Rows of the original
 * cannot change until `settle` has returned, so the comparison stays valid. @throws OperatorError;
 * the original is unchanged.
 */
export async function copyDatabase(parts: CopyParts, settle: () => Promise<void>) {
  const { target, report, signal } = parts;
  const own = await withoutLimits(parts.db).initialize();
  const copy = withoutLimits(serviceDataSource(target, parts.config));
  const runner = own.createQueryRunner();
  try {
    await requireNoOtherSession(parts.db);
    await copy.initialize();
    await refuseOlderServer(own, copy);
    await detectDeadClient(runner);
    const tables = await lockAgainstChanges(runner);
    const dump = await dumpFirst(parts);
    signal.throwIfAborted();
    await waitForRestore(copy, parts);
    if (!(await holdsCopy(runner, copy))) await fillFromDump(parts, copy, dump.file);
    signal.throwIfAborted();
    report(`Comparing the rows of ${counted(tables.length, 'table')} with the original`);
    const compared = await compareDatabases(runner, copy);
    refuseDifferent(compared.differences);
    signal.throwIfAborted();
    await verifyCopy(copy, report);
    signal.throwIfAborted();
    await settle();
    await runner.rollbackTransaction();
    return { tables: compared.tables, rows: compared.rows, dump };
  } finally {
    await runner.release();
    await own.destroy();
    if (copy.isInitialized) await copy.destroy();
  }
}

/** How long the server may take to notice that one of our sessions has ended, in milliseconds. */
const noticeMs = 15 * secondMs;

/** @throws OperatorError 1 while another node or command uses the database. */
async function requireNoOtherSession(db: DataSource): Promise<void> {
  for (const deadline = Date.now() + noticeMs; ; await delay(100)) {
    const [other] = await queries.selectOtherSessions(db);
    if (!other) return;
    if (Date.now() < deadline) continue;
    throw failure(
      `Another imgstore uses the database (process ${other.pid} of the server, from ${other.client}).`,
      { setting: 'database.url', remedy: 'Stop every node and every other command first.' },
    );
  }
}

/** @throws OperatorError 69 for a server that cannot restore a dump of the present one. */
async function refuseOlderServer(from: DataSource, to: DataSource): Promise<void> {
  const [present, next] = [await readServerMajor(from), await readServerMajor(to)];
  if (next >= present) return;
  throw dependencyDown(
    `The database uses PostgreSQL ${present}, but the new server has PostgreSQL ${next}.`,
    { setting: '--to', remedy: `use a server with PostgreSQL ${present} or newer` },
  );
}

/** Locks every table against changes. @returns the tables. */
async function lockAgainstChanges(runner: QueryRunner): Promise<string[]> {
  await liftLimits(runner);
  await runner.startTransaction();
  await queries.limitWait(runner);
  const tables = await queries.selectTables(runner);
  await queries.lockTables(runner, tables).catch((cause: unknown) => {
    if (!isAbortedByServer(cause)) throw cause;
    throw failure('A transaction elsewhere keeps a table of the database locked.', {
      setting: 'database.url',
      remedy: 'End it first: SELECT pid, query FROM pg_stat_activity WHERE xact_start IS NOT NULL;',
      cause,
    });
  });
  return tables;
}

/** Waits for a restore that a killed run may have left running: it restores all or nothing. */
async function waitForRestore(
  copy: DataSource,
  { report, signal }: Pick<CopyParts, 'report' | 'signal'>,
): Promise<void> {
  if (!(await queries.isBeingRestored(copy))) return;
  report('Waiting for a restore into the new database that is still running');
  while (await queries.isBeingRestored(copy)) await delay(200, undefined, { signal });
}

/**
 * Whether an interrupted run has made the copy. @throws OperatorError if there is something else.
 */
async function holdsCopy(runner: QueryRunner, copy: DataSource): Promise<boolean> {
  if (!(await holdsTables(copy))) return false;
  const found = await queries.selectInstanceId(copy).catch(() => undefined);
  if (found !== undefined && found === (await queries.selectInstanceId(runner))) return true;
  throw notEmpty('copy to');
}

/** @param purpose completes "the database to". */
export const notEmpty = (purpose: string) =>
  failure(`The database to ${purpose} is not empty: it has tables.`, {
    code: 'not_empty',
    setting: '--to',
    remedy: 'Create another one: CREATE DATABASE NAME OWNER ROLE TEMPLATE template0;',
  });

/** Restores a dump into an empty database, connected as `copy`: either all of it or nothing. */
export async function fillFromDump(
  { home, target, signal, report }: Pick<CopyParts, 'home' | 'target' | 'signal' | 'report'>,
  copy: DataSource,
  dump: string,
): Promise<void> {
  report(`Restoring ${dump} into the new database`);
  const programs = await findDumpPrograms(await readServerMajor(copy), home);
  const source = await rowsOfDump(programs, dump, signal);
  const into = { target: copy, url: target, folder: home.incoming };
  await loadRows({ programs, source, ...into, report, signal });
}

function refuseDifferent(differences: readonly string[]): void {
  if (differences.length === 0) return;
  throw failure(
    `The copy differs from the original: ${differences.slice(0, 5).join('; ')}. The original stays in use.`,
    {
      setting: '--to',
      remedy:
        'If the service ran since an interrupted run: empty the copy (DROP DATABASE NAME; CREATE DATABASE NAME OWNER ROLE TEMPLATE template0;), then run the command again.',
    },
  );
}

/** The query planner needs statistics; schema and accounts must be complete. */
async function verifyCopy(copy: DataSource, report: (message: string) => void): Promise<void> {
  report('Checking schema and accounts of the copy');
  await analyze(copy);
  // With pending migrations, the schema is not the one that both checks expect.
  if ((await pendingMigrations(copy)).length > 0) return;
  const findings = new Findings();
  await verifyDatabase(copy, findings);
  const [first] = findings.listed;
  if (first) {
    throw failure(
      `The copy fails its checks, and so does the original: ${first.kind} ${first.subject}. The original stays in use.`,
      {
        setting: 'database.url',
        remedy: `Investigate this first: ${commandLine('verify', 'accounts')}`,
      },
    );
  }
  await startFeedClock(copy);
}

/**
 * Compares every row of two databases, and the values of their sequences. Reads each table once, in
 * both at the same time. Tables and columns that only the original has are not imgstore's.
 * @returns also a description of each table or sequence that differs.
 */
async function compareDatabases(from: Queryable, to: DataSource) {
  for (const session of [from, to]) await queries.prepareDigests(session);
  const differences: string[] = [];
  let rows = 0;
  const tables = await queries.selectColumns(to);
  for (const table of tables) {
    const [a, b] = await Promise.all([
      queries.selectDigest(from, table),
      queries.selectDigest(to, table),
    ]);
    rows += a.rows;
    if (a.rows !== b.rows)
      differences.push(`${table.name} has ${b.rows} rows instead of ${a.rows}`);
    else if (a.digest !== b.digest) differences.push(`rows of ${table.name} differ`);
  }
  const [wanted, found] = await Promise.all([
    queries.selectSequences(from),
    queries.selectSequences(to),
  ]);
  for (const [name, value] of found) {
    if (wanted.get(name) !== value) differences.push(`the sequence ${name} differs`);
  }
  return { tables: tables.length, rows, differences };
}
