import type { Queryable } from '../database/sql.js';
import { selectTotals } from './queries.js';

/** What the whole installation holds. */
export const readTotals = (db: Queryable): ReturnType<typeof selectTotals> => selectTotals(db);
