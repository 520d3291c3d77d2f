import { namesOf } from '../../database/columns.js';
import { countColumns, stateColumns } from './entity.js';

/** The columns of a ledger row: counts, then differences of states. */
export const counts = namesOf(countColumns);
export const states = namesOf(stateColumns);
export const metrics = [...counts, ...states];

/** Counts, and the states at the end. */
export type Metrics = Readonly<Record<(typeof metrics)[number], number>>;

/** SQL for each of the given columns, joined by commas. */
export const each = (columns: readonly string[], sql: (column: string) => string): string =>
  columns.map(sql).join(', ');

export const columns = each(metrics, (f) => f);
// PostgreSQL sums int8 as numeric.
export const sums = each(metrics, (f) => `coalesce(sum(${f}), 0)::bigint AS ${f}`);
