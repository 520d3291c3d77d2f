import { isTimedOut, row, type Queryable, type TimeLimited } from '../../database/sql.js';
import type { ListTotals } from '../../http/paging/totals.js';

/** How long a page waits for its totals, in milliseconds. */
const totalsLimitMs = 500;

/** Number of rows and the sum of their `bytes`. @param from follows FROM. */
export async function countAndSum(
  db: Queryable,
  from: string,
  values: readonly unknown[],
): Promise<ListTotals> {
  const totals = await row<ListTotals>(
    db,
    `SELECT count(*)::integer AS items, coalesce(sum(bytes), 0)::bigint AS bytes FROM ${from}`,
    values,
  );
  if (!totals) throw new Error('an aggregate returned no row');
  return totals;
}

/** Counts, but gives up when it takes too long, and returns zero as a lower bound. */
export async function inTime(
  db: TimeLimited,
  count: (limited: Queryable) => Promise<ListTotals>,
): Promise<ListTotals> {
  const limited: Queryable = {
    query: (sql, parameters) => db.queryWithin(totalsLimitMs, sql, parameters),
  };
  try {
    return await count(limited);
  } catch (error) {
    if (!isTimedOut(error)) throw error;
    return { items: 0, bytes: 0, exact: false };
  }
}

/** `countAndSum` with this time limit. */
export const countInTime = (
  db: TimeLimited,
  from: string,
  values: readonly unknown[],
): Promise<ListTotals> => inTime(db, (limited) => countAndSum(limited, from, values));
