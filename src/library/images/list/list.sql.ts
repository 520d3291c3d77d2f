import {
  type Bind,
  column,
  parameters,
  type Queryable,
  type TimeLimited,
} from '../../../database/sql.js';
import type { ListTotals, PagePosition } from '../../../http/paging/pages.js';
import {
  newestFirst,
  newestSortKey,
  olderThan,
  pageIds,
  selectPage,
  timeColumns,
  type ListOrder,
  type PageRange,
  type PageSql,
  type PageStatement,
} from '../page.sql.js';
import { countAndSum, countInTime, sumNear } from '../totals.sql.js';
import type { Filter } from './schemas.js';
import {
  firstOf,
  isNarrow,
  isOfUpdates,
  isTree,
  orderIn,
  where,
  within,
} from './conditions.sql.js';

/** Number and total bytes of matching images, as far as they can be counted in time. */
export function selectListTotals(
  db: TimeLimited,
  userId: string,
  filter: Filter,
): Promise<ListTotals> {
  const { near } = filter;
  if (near && !isNarrow(filter)) return sumNear(db, userId, { ...filter, near });
  const { values, bind } = parameters(userId);
  return countInTime(db, `images i WHERE ${where(filter, bind)}`, values);
}

/** The same, however long it takes. */
export function countAll(db: Queryable, userId: string, filter: Filter): Promise<ListTotals> {
  const { values, bind } = parameters(userId);
  return countAndSum(db, `images i WHERE ${where(filter, bind)}`, values);
}

/** Ids of the first matches, newest first; searches would look up each image for the sake of a limit. */
export function selectMatchingIds(
  db: Queryable,
  userId: string,
  filter: Filter,
  limit: number,
): Promise<string[]> {
  const { values, bind } = parameters(userId);
  const { sortBy = 'created_at' } = filter;
  const sql = `WITH matching AS MATERIALIZED (
       SELECT i.id, ${timeColumns(sortBy)} FROM images i WHERE ${where(filter, bind)})
     SELECT i.id FROM matching i ORDER BY ${newestFirst(sortBy)} LIMIT ${limit}`;
  return column(db, sql, values);
}

/** A page of images, newest first. */
export const selectNewest = (db: Queryable, userId: string, filter: Filter, range: PageRange) =>
  selectPage(db, newestPage(filter, range, [userId]), range);

/** The statement of such a page. @param first values bound before those of the filter. */
export function newestPage(
  filter: Filter,
  { start, size }: Pick<PageRange, 'start' | 'size'>,
  first: readonly unknown[],
): PageStatement {
  const { values, bind } = parameters(...first);
  const { sortBy = 'created_at' } = filter;
  const order = newestFirst(sortBy);
  const page = { key: newestSortKey(sortBy) };
  const { offset } = start;
  const limit = size + 1;
  if (isTree(filter)) {
    const later = olderThan(start, bind, sortBy);
    const first = firstOf(filter, bind, later)(`i.id, ${timeColumns(sortBy)}`, offset + limit);
    const ids = `SELECT i.id FROM (${first}) AS i ORDER BY ${order} OFFSET ${bind(offset)}`;
    return { page: { ...page, ids }, values };
  }
  const updates = filter.periods.filter(isOfUpdates);
  if (updates.length > 0) {
    const others = filter.periods.filter((period) => !isOfUpdates(period));
    const sql = {
      updated: updates.flatMap((period) => within(period, bind)).join(' AND ') || 'true',
      where: where({ ...filter, periods: others }, bind),
      sortBy,
    };
    return { page: { ...page, ...updatedPage(sql, start, limit, bind) }, values };
  }
  const matches = `${where(filter, bind)} ${olderThan(start, bind, sortBy)}`;
  const ids = pageIds({ where: matches, order: orderIn(filter), offset, limit }, bind);
  return { page: { ...page, ids }, values };
}

const reach = {
  /**
   * Images that are scanned first: the newest ones are most often also the most recently updated.
   */
  near: 400,
  /**
   * Maximum number of images updated in the period that are sorted; if there are more, a scan finds
   * a page soon.
   */
  most: 100_000,
};

/** Conditions on images `i`. */
interface UpdatedSql {
  readonly updated: string;
  /** The others. */
  readonly where: string;
  readonly sortBy?: ListOrder | undefined;
}

/**
 * The ids of a page of images that were updated in a period, newest first. The planner would assume
 * that these are spread evenly over the list and scan it; for a period long ago, that takes
 * hundreds of thousands of images.
 */
export function updatedPage(
  { updated, where, sortBy = 'created_at' }: UpdatedSql,
  start: PagePosition,
  limit: number,
  bind: Bind,
  { near, most } = reach,
): Required<Pick<PageSql, 'before' | 'ids'>> {
  const listed = `${where} ${olderThan(start, bind, sortBy)}`;
  const order = newestFirst(sortBy);
  const columns = `i.id, ${timeColumns(sortBy)}`;
  const page = `ORDER BY ${order} OFFSET ${bind(start.offset)} LIMIT ${limit}`;
  return {
    before: [
      `nearby AS MATERIALIZED (
         SELECT ${columns} FROM (
           SELECT ${columns}, i.updated_at FROM images i
           WHERE ${listed} ORDER BY ${order} LIMIT ${near}
         ) AS i
         WHERE ${updated} ${page})`,
      `counted AS MATERIALIZED (SELECT count(*) = ${limit} AS is_whole FROM nearby)`,
      `match AS MATERIALIZED (
         SELECT ${columns} FROM images i
         WHERE NOT (SELECT is_whole FROM counted) AND ${listed} AND ${updated} LIMIT ${most + 1})`,
      `matches AS MATERIALIZED (SELECT count(*) > ${most} AS too_many FROM match)`,
    ],
    ids: `
      SELECT i.id FROM (
        SELECT ${columns} FROM nearby i WHERE (SELECT is_whole FROM counted)
        UNION ALL
        (SELECT ${columns} FROM match i WHERE NOT (SELECT too_many FROM matches) ${page})
        UNION ALL
        (SELECT ${columns} FROM images i
         WHERE (SELECT too_many FROM matches) AND ${listed} AND ${updated} ${page})
      ) AS i
      ORDER BY ${order}`,
  };
}
