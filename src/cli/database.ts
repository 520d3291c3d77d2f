import type { DataSource } from 'typeorm';
import { serviceDataSource } from '../ops/service-database.js';
import type { Config } from '../base/config/options.js';
import { migrationStatus, refuseNewerDatabase } from '../database/migrations.js';
import { failure } from '../base/errors/operator.js';
import { openDatabase } from '../database/postgres/provision.js';
import type { OpenDatabase } from '../database/postgres/provision.js';
import type { Context } from './context.js';
import { commandLine } from '../base/os/command-line.js';

export interface ConnectedDatabase {
  readonly db: DataSource;
  readonly url: string;
  readonly server: OpenDatabase;
  readonly close: () => Promise<void>;
}

/**
 * Opens the database of an initialized home, starting a private server for the duration if none is
 * running.
 * @throws OperatorError 78 for a database newer than this program.
 */
export async function connectDatabase(
  { home, ui }: Context,
  config: Config,
): Promise<ConnectedDatabase> {
  const database = await openDatabase({ home, url: config['database.url'], report: ui.progress });
  const db = serviceDataSource(database.url, config);
  const close = async (): Promise<void> => {
    if (db.isInitialized) await db.destroy();
    await database.close();
  };
  try {
    await db.initialize();
    await refuseNewerDatabase(db);
    return { db, url: database.url, server: database, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Like `connectDatabase`, and also requires that all migrations have been applied. */
export async function openMigratedDatabase(
  context: Context,
  config: Config,
): Promise<ConnectedDatabase> {
  const connected = await connectDatabase(context, config);
  try {
    const pending = (await migrationStatus(connected.db)).filter((m) => !m.appliedAt);
    if (pending.length === 0) return connected;
    throw failure(`The database has ${pending.length} pending migrations.`, {
      remedy: commandLine('migrate', '--home', context.home.dir),
    });
  } catch (error) {
    await connected.close();
    throw error;
  }
}
