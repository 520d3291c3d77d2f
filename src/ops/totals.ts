import type { Queryable } from '../database/sql.js';
import { selectInstallationTotals, selectServerVersion } from './ops.sql.js';

/** Totals for the whole installation. */
export const readInstallationTotals = (
  db: Queryable,
): ReturnType<typeof selectInstallationTotals> => selectInstallationTotals(db);

/** The version of the database server. */
export const readServerVersion = (db: Queryable): Promise<string> => selectServerVersion(db);
