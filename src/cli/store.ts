import type { DataSource } from 'typeorm';
import { readMasterKey } from '../http/auth/secrets.js';
import type { Config } from '../base/config/options.js';
import type { ObjectStore } from '../store/port.js';
import { openStores } from '../ops/stores.js';
import type { Context } from './context.js';
import { openMigratedDatabase } from './database.js';

/** What commands on stored objects need. */
export interface StoreParts {
  readonly db: DataSource;
  readonly store: ObjectStore;
  readonly config: Config;
  readonly report: (message: string) => void;
  /** Aborted when the command must stop. */
  readonly signal: AbortSignal;
}

/** Runs `work` on the objects of a home, whether or not its service is running. */
export async function withStore<T>(
  context: Context,
  work: (parts: StoreParts) => Promise<T>,
): Promise<T> {
  const { home, ui, interrupted: signal } = context;
  const { values: config } = await context.settings();
  const master = await readMasterKey(home);
  const { db, close } = await openMigratedDatabase(context, config);
  try {
    const { store } = await openStores(db, config, home, master);
    return await work({ db, store, config, report: ui.progress, signal });
  } finally {
    await close();
  }
}
