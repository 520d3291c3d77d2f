import { setTimeout as delay } from 'node:timers/promises';
import { MigrationExecutor, type DataSource, type QueryRunner } from 'typeorm';
import { before as former, migrations } from '../../migrations/index.js';
import { version } from '../base/installed-files.js';
import { badConfiguration } from '../base/errors/operator.js';
import { commandLine } from '../base/os/command-line.js';
import { secondMs } from '../base/units.js';
import { forSqlAlone, whileOpen } from './data-source.js';
import { detectDeadClient } from './connection-error.js';
import { isLockTimeout, onlyValue, row, rows, type Queryable } from './sql.js';

/** Every migration of this program, in order. */
export const migrationNames: readonly string[] = migrations.map(
  (migration) => new migration().name ?? '',
);

/** Key of the advisory lock held while migrating ("imgs" in ASCII). */
const lockKey = 0x696d6773;

export interface MigrationState {
  readonly name: string;
  /** Undefined while pending. */
  readonly appliedAt: Date | undefined;
}

// TypeORM's table, created here first because TypeORM itself does not record a time.
const migrationsTable = `
  CREATE TABLE IF NOT EXISTS migrations (
    id serial PRIMARY KEY,
    timestamp bigint NOT NULL,
    name varchar NOT NULL UNIQUE,
    applied_at timestamptz NOT NULL DEFAULT now()
  )`;

/**
 * The version that applies a migration is taken from the session, so that both are recorded
 * together.
 */
const versionSetting = 'imgstore.version';
const whoApplied = [
  'ALTER TABLE migrations ADD COLUMN IF NOT EXISTS applied_by text',
  `ALTER TABLE migrations ALTER COLUMN applied_by SET DEFAULT current_setting('${versionSetting}', true)`,
];

interface Applied {
  readonly at: Date;
  /** Version of imgstore; null where it was not recorded yet. */
  readonly by: string | null;
}

async function applied(db: Queryable): Promise<Map<string, Applied>> {
  if (!(await onlyValue(db, `SELECT to_regclass('migrations') IS NOT NULL`))) return new Map();
  const found = await rows<Applied & { name: string }>(
    db,
    `SELECT name, applied_at AS at, to_jsonb(m) ->> 'applied_by' AS by FROM migrations m ORDER BY id`,
  );
  return new Map(found.map(({ name, at, by }) => [name, { at, by }]));
}

/**
 * Where rows come from: this version, the last one before it, an older one, or a newer one.
 * @param names the migrations of their database. @param known those of this program.
 */
export function lineageOf(
  names: readonly string[],
  known: readonly string[] = migrationNames,
): 'ours' | 'former' | 'older' | 'newer' {
  if (names.includes(former.first)) return names.includes(former.last) ? 'former' : 'older';
  return names.every((name) => known.includes(name)) ? 'ours' : 'newer';
}

/** @throws OperatorError 78 for a database that this program cannot take on. */
function refuseForeign(names: readonly string[], done: ReadonlyMap<string, Applied>): void {
  const lineage = lineageOf([...done.keys()], names);
  if (lineage === 'ours' || lineage === 'former') return;
  if (lineage === 'older') throw olderThanFormer('The database', 'database.url', 'migrate');
  const unknown = [...done].filter(([name]) => !names.includes(name));
  const newest = unknown.at(-1);
  if (!newest) return;
  const { by } = newest[1];
  const maker = by === null ? 'a newer imgstore' : `imgstore ${by}`;
  const unknownNames = unknown.map(([name]) => name).join(', ');
  const needed = by === null ? 'the version that applied them' : `imgstore ${by} or newer`;
  throw badConfiguration(
    `The database is newer than this program, imgstore ${version()}: ${maker} has applied migrations that it does not know (${unknownNames}).`,
    {
      code: 'newer',
      setting: 'database.url',
      remedy: `install ${needed}; or restore the dump that was made before the upgrade, with the newer program: ${commandLine('database', 'restore', 'DUMP')} (docs/upgrading.md)`,
    },
  );
}

/** What is of a version before the former one passes through that. @param command of that version. */
export const olderThanFormer = (what: string, setting: string, command: string) =>
  badConfiguration(`${what} is of an imgstore before ${former.version}.`, {
    code: 'older',
    setting,
    remedy: `Install imgstore ${former.version} first, and run there: imgstore ${command}. Then use this version (docs/upgrading.md).`,
  });

const known = (dataSource: DataSource): string[] =>
  dataSource.migrations.map((m) => m.name ?? m.constructor.name);

/**
 * Every migration of this program in order, and when it ran. Changes nothing.
 * @throws OperatorError 78 when the database has migrations unknown to this program.
 */
export async function migrationStatus(dataSource: DataSource): Promise<MigrationState[]> {
  const names = known(dataSource);
  const done = await applied(dataSource);
  refuseForeign(names, done);
  return names.map((name) => ({ name, appliedAt: done.get(name)?.at }));
}

/** @throws OperatorError 78 when the database has migrations unknown to this program. */
export const refuseNewerDatabase = async (dataSource: DataSource): Promise<void> =>
  refuseForeign(known(dataSource), await applied(dataSource));

/**
 * The version of imgstore that last migrated the database; undefined if it was not recorded yet.
 */
export async function schemaVersion(dataSource: DataSource): Promise<string | undefined> {
  return [...(await applied(dataSource)).values()].at(-1)?.by ?? undefined;
}

/** Whether any migration has run. */
export const isMigrated = async (dataSource: DataSource): Promise<boolean> =>
  (await applied(dataSource)).size > 0;

/** The names of migrations that have not run. @throws OperatorError 78 as `migrationStatus`. */
export const pendingMigrations = async (dataSource: DataSource): Promise<string[]> =>
  (await migrationStatus(dataSource)).flatMap(({ name, appliedAt }) => (appliedAt ? [] : [name]));

/**
 * Whether this version can still serve a database that another one has migrated further: up to the
 * next minor version, migrations only add (docs/upgrading.md).
 */
function servesAfter(other: string | null): boolean {
  const [major, minor] = numbersOf(version());
  const [otherMajor, otherMinor] = numbersOf(other ?? '');
  return major === otherMajor && otherMinor <= minor + 1;
}

const numbersOf = (of: string): [major: number, minor: number] => {
  const [, major, minor] = /^(\d+)\.(\d+)\./.exec(of) ?? [];
  return [Number(major), Number(minor)];
};

/**
 * Checks that a running service can use the database, which a newer one may have migrated.
 * @throws Error if it cannot.
 */
export async function assertServable(dataSource: DataSource): Promise<void> {
  const [names, done] = [known(dataSource), await applied(dataSource)];
  if (names.some((name) => !done.has(name))) throw new Error('migrations are pending');
  const newer = [...done].filter(([name]) => !names.includes(name));
  if (!newer.every(([, { by }]) => servesAfter(by))) refuseForeign(names, done);
}

/**
 * Runs pending migrations, each in its own transaction, while concurrent processes wait. Uses a dedicated
 * connection, so that lock and work end together.
 * @param before runs first, under the lock, unless the database is new or nothing is pending.
 * @returns the names of the migrations applied now.
 * @throws OperatorError 78 when the database is newer than this program.
 */
export const migrate = (
  dataSource: DataSource,
  report: (message: string) => void,
  before: (pending: readonly string[]) => Promise<unknown> = async () => undefined,
): Promise<string[]> =>
  // Ending the session releases the lock.
  whileOpen(forSqlAlone(dataSource), async (own) => {
    const runner = own.createQueryRunner();
    await detectDeadClient(runner);
    await takeMigrationLock(runner, report);
    const done = await applied(runner);
    refuseForeign(known(own), done);
    const pending = known(own).filter((name) => !done.has(name));
    if (done.size > 0 && pending.length > 0) await before(pending);
    await runner.query(migrationsTable);
    if (pending.length > 0) await recordVersion(runner);
    await execute(own, runner, report);
    for (const name of pending) report(`Applied migration ${name}`);
    await runner.release();
    return pending;
  });

/** How long a statement of a migration waits for a table, while whoever reads it waits behind, in milliseconds. */
const lockWaitMs = 500;
/** How long all others go on before the migration tries again. */
const pauseMs = 2 * secondMs;

/** Runs pending migrations; one that a dump or a long query keeps from a table tries again until it gets it. */
async function execute(own: DataSource, runner: QueryRunner, report: (message: string) => void) {
  await runner.query(`SET lock_timeout = ${lockWaitMs}`);
  for (let waited = false; ; waited = true) {
    const executor = new MigrationExecutor(own, runner);
    executor.transaction = 'each';
    try {
      await executor.executePendingMigrations();
      return;
    } catch (error) {
      if (!isLockTimeout(error)) throw error;
      if (!waited) report('Waiting for a table that another session uses, such as a dump');
      await delay(pauseMs);
    }
  }
}

async function recordVersion(runner: QueryRunner): Promise<void> {
  await runner.query('SELECT set_config($1, $2, false)', [versionSetting, version()]);
  for (const statement of whoApplied) await runner.query(statement);
}

async function takeMigrationLock(
  runner: QueryRunner,
  report: (message: string) => void,
): Promise<void> {
  if (await onlyValue(runner, 'SELECT pg_try_advisory_lock($1)', [lockKey])) return;
  report(`Waiting for ${await holderOf(runner)}`);
  await runner.query('SELECT pg_advisory_lock($1)', [lockKey]);
}

/** Who holds the lock, and how to end a session that was left behind, by a pooler for example. */
async function holderOf(runner: QueryRunner): Promise<string> {
  const holder = await row<{ pid: number; host: string; since: string }>(
    runner,
    `SELECT pid, coalesce(host(client_addr), 'this machine') AS host,
            to_char(backend_start, 'YYYY-MM-DD HH24:MI:SS TZ') AS since
     FROM pg_locks JOIN pg_stat_activity USING (pid)
     WHERE locktype = 'advisory' AND granted AND pg_locks.objsubid = 1
       AND classid = 0 AND pg_locks.objid = $1
       AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
    [lockKey],
  );
  const who = 'another process that is migrating the database';
  if (!holder) return who;
  return `${who}, from ${holder.host} (if none is: SELECT pg_terminate_backend(${holder.pid}); ends its session, begun ${holder.since})`;
}
