import type { Queryable } from '../database/sql.js';
import { selectTotals } from './queries.js';

/** Totals for the whole installation. */
export const readTotals = (db: Queryable): ReturnType<typeof selectTotals> => selectTotals(db);
