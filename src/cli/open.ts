import type { DataSource } from 'typeorm';
import type { Config } from '../base/config/options.js';
import { failure } from '../base/errors/operator.js';
import { commandLine } from '../base/os/command-line.js';
import { readMasterKey } from '../http/auth/secrets.js';
import type { ConnectedDatabase } from '../ops/service-database.js';
import type { Tenants } from '../ops/tenants.js';
import type { ObjectStore } from '../store/port.js';
import type { Context } from './context.js';

/**
 * Opens the database of an initialized home, starting a private server for the duration if none is
 * running.
 * @throws OperatorError 78 for a database newer than this program.
 */
export async function connectDatabase(
  { home, ui, interrupted }: Context,
  config: Config,
): Promise<ConnectedDatabase> {
  const { openDatabase } = await import('../database/postgres/provision.js');
  const { connectTo } = await import('../ops/service-database.js');
  const { refuseNewerDatabase } = await import('../database/migrations.js');
  interrupted.throwIfAborted();
  const server = await openDatabase({ home, url: config['database.url'], report: ui.progress });
  return ifFit(await connectTo(server, config), refuseNewerDatabase);
}

/** The same database; it is closed if a check throws. */
async function ifFit(
  connected: ConnectedDatabase,
  check: (db: DataSource) => Promise<void>,
): Promise<ConnectedDatabase> {
  try {
    await check(connected.db);
    return connected;
  } catch (error) {
    await connected.close();
    throw error;
  }
}

/** Like `connectDatabase`, and also requires that all migrations have been applied. */
export async function openMigratedDatabase(
  context: Context,
  config: Config,
): Promise<ConnectedDatabase> {
  const { pendingMigrations } = await import('../database/migrations.js');
  return ifFit(await connectDatabase(context, config), async (db) => {
    const { length: pending } = await pendingMigrations(db);
    if (pending === 0) return;
    throw failure(`The database has ${pending} pending migrations.`, {
      remedy: commandLine('migrate', '--home', context.home.dir),
    });
  });
}

export interface OpenTenants extends Tenants {
  readonly db: DataSource;
  readonly config: Config;
  readonly openStore: () => Promise<ObjectStore>;
}

/** Runs `work` on the tenants of a home, whether or not its service is running. */
export async function withTenants<T>(
  context: Context,
  work: (tenants: OpenTenants) => Promise<T>,
): Promise<T> {
  const { wireTenants } = await import('../ops/tenants.js');
  const { runAsOperator } = await import('../http/audit/acts.js');
  const { home, operator } = context;
  const { values: config } = await context.settings();
  const master = await readMasterKey(home);
  const { db, close } = await openMigratedDatabase(context, config);
  const openStore = async (): Promise<ObjectStore> => {
    const { openStores } = await import('../ops/stores.js');
    return (await openStores(db, config, home, master)).store;
  };
  try {
    const tenants = { ...wireTenants(db, config, master), db, config, openStore };
    return await runAsOperator(operator, () => work(tenants));
  } finally {
    await close();
  }
}

/** What commands on stored objects need. */
interface StoreParts {
  readonly db: DataSource;
  readonly store: ObjectStore;
  readonly config: Config;
  readonly report: (message: string) => void;
  /** Aborted when the command must stop. */
  readonly signal: AbortSignal;
}

/** Runs `work` on the objects of a home, whether or not its service is running. */
export const withStore = <T>(
  context: Context,
  work: (parts: StoreParts) => Promise<T>,
): Promise<T> =>
  withTenants(context, async ({ db, config, openStore }) => {
    const { ui, interrupted: signal } = context;
    return work({ db, store: await openStore(), config, report: ui.progress, signal });
  });
