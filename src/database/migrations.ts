import { MigrationExecutor, type DataSource, type QueryRunner } from 'typeorm';
import { badConfiguration } from '../errors/operator.js';
import { forSqlAlone } from './data-source.js';
import { detectDeadClient } from './dead-client.js';

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

interface SqlRunner {
  query(sql: string): Promise<unknown>;
}

async function applied(db: SqlRunner): Promise<Map<string, Date>> {
  const [{ there }] = (await db.query(`SELECT to_regclass('migrations') IS NOT NULL AS there`)) as [
    { there: boolean },
  ];
  if (!there) return new Map();
  const rows = (await db.query('SELECT name, applied_at FROM migrations ORDER BY id')) as {
    name: string;
    applied_at: Date;
  }[];
  return new Map(rows.map((row) => [row.name, row.applied_at]));
}

function refuseNewer(names: readonly string[], done: ReadonlyMap<string, Date>): void {
  const strangers = [...done.keys()].filter((name) => !names.includes(name));
  if (strangers.length === 0) return;
  throw badConfiguration(
    `The database is newer than this program: it has unknown migrations (${strangers.join(', ')}).`,
    { setting: 'database.url', remedy: 'upgrade imgstore to the version that applied them' },
  );
}

const known = (dataSource: DataSource): string[] =>
  dataSource.migrations.map((m) => m.name ?? m.constructor.name);

/**
 * Every migration of this program in order, and when it ran. Changes nothing.
 * @throws OperatorError 78 when the database has migrations unknown to this program.
 */
export async function migrationStatus(dataSource: DataSource): Promise<MigrationState[]> {
  const names = known(dataSource);
  const done = await applied(dataSource);
  refuseNewer(names, done);
  return names.map((name) => ({ name, appliedAt: done.get(name) }));
}

/** @throws Error while migrations are pending. */
export async function assertMigrated(dataSource: DataSource): Promise<void> {
  const pending = (await migrationStatus(dataSource)).filter((m) => !m.appliedAt);
  if (pending.length > 0) throw new Error('migrations are pending');
}

/**
 * Runs pending migrations, each in its own transaction, while concurrent processes wait. Uses a
 * dedicated connection, so that lock and work end together.
 * @returns the names of the migrations applied now.
 * @throws OperatorError 78 when the database is newer than this program.
 */
export async function migrate(
  dataSource: DataSource,
  report: (message: string) => void,
): Promise<string[]> {
  const own = await forSqlAlone(dataSource).initialize();
  try {
    const runner = own.createQueryRunner();
    await detectDeadClient(runner);
    await takeMigrationLock(runner, report);
    refuseNewer(known(own), await applied(runner));
    await runner.query(migrationsTable);
    const executor = new MigrationExecutor(own, runner);
    executor.transaction = 'each';
    const ran = (await executor.executePendingMigrations()).map((m) => m.name);
    for (const name of ran) report(`Applied migration ${name}`);
    await runner.release();
    return ran;
  } finally {
    await own.destroy(); // ending the session releases the lock
  }
}

async function takeMigrationLock(
  runner: QueryRunner,
  report: (message: string) => void,
): Promise<void> {
  const [{ taken }] = (await runner.query('SELECT pg_try_advisory_lock($1) AS taken', [
    lockKey,
  ])) as [{ taken: boolean }];
  if (taken) return;
  report('Waiting for another process that is migrating the database');
  await runner.query('SELECT pg_advisory_lock($1)', [lockKey]);
}
