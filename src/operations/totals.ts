import type { Queryable } from '../database/sql.js';
import { selectInstallationTotals } from './queries.js';

/** Totals for the whole installation. */
export const readInstallationTotals = (
  db: Queryable,
): ReturnType<typeof selectInstallationTotals> => selectInstallationTotals(db);
