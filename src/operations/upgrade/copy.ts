import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { DataSource, QueryRunner } from 'typeorm';
import { counted } from '../../amounts.js';
import { startFeedClock } from '../../changes/clock.js';
import type { Home } from '../../config/home.js';
import { withoutLimits } from '../../database/data-source.js';
import { detectDeadClient } from '../../database/dead-client.js';
import { migrationStatus } from '../../database/migrations.js';
import { isAbortedByServer } from '../../database/sql.js';
import { dependencyDown, failure } from '../../errors/operator.js';
import { findDumpPrograms, restoreDatabase } from '../../postgres/dump-programs.js';
import { ensureExtensions } from '../../postgres/extensions.js';
import { commandLine } from '../../os/command-line.js';
import { analyze, holdsTables, liftLimits } from '../backup/queries.js';
import { verifyAccounts } from '../verify/accounts.js';
import { Differences } from '../verify/differences.js';
import { verifySchema } from '../verify/schema.js';
import { readServerVersion } from '../totals.js';
import { compareDatabases } from './compare.js';
import type { Compared } from './compare.js';
import { secondMs } from '../../units.js';
import { dumpFirst } from './dump.js';
import type { MadeDump } from './dump.js';
import {
  isBeingRestored,
  limitWait,
  lockTables,
  selectInstanceId,
  selectOtherSessions,
  selectTables,
} from './queries.js';

export interface CopyParts {
  readonly home: Home;
  /** Connected to the database that is copied. */
  readonly db: DataSource;
  readonly url: string;
  /** An empty database, or one with what an interrupted run copied. */
  readonly target: string;
  readonly dataSource: (url: string) => DataSource;
  readonly report: (message: string) => void;
  readonly signal: AbortSignal;
}

export interface Copied extends Pick<Compared, 'tables' | 'rows'> {
  readonly dump: MadeDump;
}

/**
 * Copies a database, proves the copy, and has `settle` put it to use. Until that has returned, nobody
 * can change a row of the original: what is compared is what there is.
 * @throws OperatorError; the original is as it was.
 */
export async function copyDatabase(parts: CopyParts, settle: () => Promise<void>): Promise<Copied> {
  const { target, report, signal } = parts;
  const own = await withoutLimits(parts.db).initialize();
  const copy = withoutLimits(parts.dataSource(target));
  const runner = own.createQueryRunner();
  try {
    await requireAlone(parts.db);
    await copy.initialize();
    await refuseOlderServer(own, copy);
    await detectDeadClient(runner);
    const tables = await holdStill(runner);
    const dump = await dumpFirst(parts);
    signal.throwIfAborted();
    await untilRestored(copy, parts);
    if (!(await holdsCopy(runner, copy))) await fillFromDump(parts, copy, dump.file);
    signal.throwIfAborted();
    report(`Comparing the rows of ${counted(tables.length, 'table')} with the original`);
    const compared = await compareDatabases(runner, copy, tables);
    refuseDifferent(compared.differences);
    signal.throwIfAborted();
    await prove(copy, report);
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

/** How long the server may take to notice that a session of ours has ended, in milliseconds. */
const noticeMs = 15 * secondMs;

/** @throws OperatorError 1 while another node or command uses the database. */
async function requireAlone(db: DataSource): Promise<void> {
  for (const deadline = Date.now() + noticeMs; ; await delay(100)) {
    const [other] = await selectOtherSessions(db);
    if (!other) return;
    if (Date.now() < deadline) continue;
    throw failure(
      `Another imgstore uses the database (process ${other.pid} of the server, from ${other.address}).`,
      { setting: 'database.url', remedy: 'Stop every node and every other command first.' },
    );
  }
}

/** @throws OperatorError 69 for a server that cannot restore what the present one dumps. */
async function refuseOlderServer(from: DataSource, to: DataSource): Promise<void> {
  const [present, next] = [await majorOf(from), await majorOf(to)];
  if (next >= present) return;
  throw dependencyDown(
    `The database is of PostgreSQL ${present}, and the new server has PostgreSQL ${next}.`,
    { setting: '--to', remedy: `use a server with PostgreSQL ${present} or newer` },
  );
}

const majorOf = async (db: DataSource): Promise<number> =>
  Number((await readServerVersion(db)).split('.')[0]);

/** Locks every table against changes. @returns the tables. */
async function holdStill(runner: QueryRunner): Promise<string[]> {
  await liftLimits(runner);
  await runner.startTransaction();
  await limitWait(runner);
  const tables = await selectTables(runner);
  await lockTables(runner, tables).catch((cause: unknown) => {
    if (!isAbortedByServer(cause)) throw cause;
    throw failure('A transaction elsewhere keeps a table of the database locked.', {
      setting: 'database.url',
      remedy: 'End it first: SELECT pid, query FROM pg_stat_activity WHERE xact_start IS NOT NULL;',
      cause,
    });
  });
  return tables;
}

/** Waits for what a killed run may have left going: it restores all or nothing. */
async function untilRestored(
  copy: DataSource,
  { report, signal }: Pick<CopyParts, 'report' | 'signal'>,
): Promise<void> {
  if (!(await isBeingRestored(copy))) return;
  report('Waiting for a restore into the new database that is still going on');
  while (await isBeingRestored(copy)) await delay(200, undefined, { signal });
}

/** Whether the copy has been made by an interrupted run. @throws OperatorError for anything else. */
async function holdsCopy(runner: QueryRunner, copy: DataSource): Promise<boolean> {
  if (!(await holdsTables(copy))) return false;
  const there = await selectInstanceId(copy).catch(() => undefined);
  if (there !== undefined && there === (await selectInstanceId(runner))) return true;
  throw failure('The database to copy to is not empty: it has tables.', {
    setting: '--to',
    remedy: 'Create another one: CREATE DATABASE NAME OWNER ROLE TEMPLATE template0;',
  });
}

/** Restores a dump into an empty database, connected as `copy`: all of it, or nothing. */
export async function fillFromDump(
  { home, target, signal, report }: Pick<CopyParts, 'home' | 'target' | 'signal' | 'report'>,
  copy: DataSource,
  dump: string,
): Promise<void> {
  report(`Restoring ${dump} into the new database`);
  await ensureExtensions(target);
  const programs = await findDumpPrograms(await majorOf(copy), home);
  const list = join(home.incoming, 'restore.list');
  await restoreDatabase({ programs, url: target, dump, list, signal });
}

function refuseDifferent(differences: readonly string[]): void {
  if (differences.length === 0) return;
  throw failure(
    `The copy is not what the original is: ${differences.slice(0, 5).join('; ')}. The original stays in use.`,
    {
      setting: '--to',
      remedy:
        'If the service ran since an interrupted run: empty the copy (DROP DATABASE NAME; CREATE DATABASE NAME OWNER ROLE TEMPLATE template0;), then run the command again.',
    },
  );
}

/** Plans are made by statistics; the schema and the accounts must be whole. */
async function prove(copy: DataSource, report: (message: string) => void): Promise<void> {
  report('Checking schema and accounts of the copy');
  await analyze(copy);
  // Else its schema is not the one of this program, which both checks are of.
  if ((await migrationStatus(copy)).some(({ appliedAt }) => !appliedAt)) return;
  const differences = new Differences();
  await verifySchema(copy, differences);
  await verifyAccounts(copy, undefined, differences);
  const [first] = differences.listed;
  if (first) {
    throw failure(
      `The copy fails its checks, as the original does: ${first.kind} ${first.subject}. The original stays in use.`,
      { setting: 'database.url', remedy: `Look into it first: ${commandLine('stats', 'verify')}` },
    );
  }
  await startFeedClock(copy);
}
