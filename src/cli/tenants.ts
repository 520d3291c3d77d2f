import type { DataSource } from 'typeorm';
import { runAsOperator } from '../http/audit/acts.js';
import { wireTenants, type Tenants } from '../ops/tenants.js';
import { readMasterKey } from '../http/auth/secrets.js';
import type { Config } from '../base/config/options.js';
import type { Context } from './context.js';
import { openMigratedDatabase } from './database.js';

export interface OpenTenants extends Tenants {
  readonly db: DataSource;
  readonly config: Config;
}

/** Runs `work` on the tenants of a home, whether or not its service is running. */
export async function withTenants<T>(
  context: Context,
  work: (tenants: OpenTenants) => Promise<T>,
): Promise<T> {
  const { values: config } = await context.settings();
  const master = await readMasterKey(context.home);
  const { db, close } = await openMigratedDatabase(context, config);
  try {
    const tenants = { ...wireTenants(db, config, master), db, config };
    return await runAsOperator(context.operator, () => work(tenants));
  } finally {
    await close();
  }
}
