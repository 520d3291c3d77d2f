import { instantText, prepared, row, type Queryable } from '../../../database/sql.js';
import type { PagePosition } from '../../../http/paging/pages.js';
import { defaultPageSize } from '../../../http/request-fields.js';
import { trashCondition, type TrashFilter } from '../images.sql.js';
import {
  newestFirst,
  newestSortKey,
  pageTextQuery,
  selectPageText,
  timeOf,
  type ListTime,
  type PageText,
} from '../page.sql.js';
import { kept } from '../totals.sql.js';
import { newestPage, type TextRange } from './list.sql.js';

// Pages of all of a user's images, or of all in or out of the trash, newest first. Their totals and
// ranges are kept, so that nothing is counted.

/** Such a list. */
export interface WholeList {
  readonly trash: TrashFilter;
  readonly sortBy: ListTime;
}

/** A page, with its totals; none if there is no such user. */
export function selectWholePage(
  db: Queryable,
  userId: string,
  whole: WholeList,
  { start: { after, offset }, size }: TextRange,
): Promise<PageText> {
  if (after) return selectPageText(db, pageAfterSql(whole, size), [userId, after[0], after[1]]);
  return offset > 0
    ? selectPageText(db, pageAtSql(whole, size), [userId, offset])
    : selectPageText(db, firstPageSql(whole, size), [userId]);
}

/** The values are bound by `selectWholePage`. */
const pageSql = (start: PagePosition): PageSqlOf =>
  often((whole, size) => {
    const { page } = newestPage({ ...whole, periods: [] }, start, size + 1, [null]);
    return pageTextQuery({ ...page, size, totals: keptTotals(whole.trash) });
  });

const firstPageSql = pageSql({ offset: 0 });

/** The page after the sort key `$2`, `$3`. */
const pageAfterSql = pageSql({ after: ['', ''], offset: 0 });

/**
 * The page at the index `$2`: from the range that the index is in, skipping the images before it.
 */
const pageAtSql = often(({ trash, sortBy }, size) => {
  const limit = size + 1;
  const order = newestFirst(sortBy);
  const where = `i.user_id = $1 ${trashCondition(trash)}
    AND (${timeOf(sortBy)}, i.id) < ((SELECT at FROM origin), (SELECT id FROM origin))`;
  // The planner estimates an unknown offset at a tenth of all images. It knows that the inner rows are in
  // this order by their column alone, not by an expression; it would read them all to sort them.
  const ids = `
    SELECT i.id FROM (
      SELECT i.id, ${timeOf(sortBy)} AS at FROM images i WHERE ${where}
      ORDER BY ${order} LIMIT ${longestRange + limit}
    ) AS i
    ORDER BY i.at DESC, i.id DESC OFFSET (SELECT rest FROM origin) LIMIT ${limit}`;
  return pageTextQuery({
    ids,
    key: newestSortKey(sortBy),
    order,
    limit,
    size,
    totals: keptTotals(trash),
    before: [
      `origin AS MATERIALIZED (
         SELECT coalesce(until_at, 'infinity') AS at, coalesce(until_id, '${lastId}') AS id, rest
         FROM (${positionAtIndex('$1', kept(trash, 'images'), '$2::integer', sortBy)}) AS place)`,
    ],
  });
});

const lastId = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** The totals of user `$1`, kept by triggers. */
const keptTotals = (trash: TrashFilter): string =>
  `SELECT ${kept(trash, 'images')} AS items, ${kept(trash, 'bytes')} AS bytes FROM users WHERE id = $1`;

type PageSqlOf = (whole: WholeList, size: number) => string;

/**
 * Caches the statements for pages of the default size; others are not worth a prepared plan on
 * every connection.
 */
function often(make: PageSqlOf): PageSqlOf {
  const made = new Map<string, string>();
  return (whole, size) => {
    if (size !== defaultPageSize) return make(whole, size);
    const key = `${whole.sortBy} ${whole.trash}`;
    const sql = made.get(key) ?? prepared(make(whole, size));
    made.set(key, sql);
    return sql;
  };
}

/**
 * Finds the position in a user's images, newest first, that this many images precede, by summing
 * the range counts (docs/adr/0005): `until_at` and `until_id` are the key that it follows, null at
 * the newest, and `rest` is the number of images still in between. No row past the last image.
 * @param counts columns of a range, such as `active_images`.
 */
export const positionAtIndex = (
  userId: string,
  counts: string,
  index: string,
  sortBy: ListTime = 'created_at',
): string => `
  SELECT until_at, until_id, ${index} - before AS rest
  FROM (
    SELECT from_at, from_id, ${counts} AS images,
           sum(${counts}) OVER newest - (${counts}) AS before,
           lag(from_at) OVER newest AS until_at, lag(from_id) OVER newest AS until_id
    FROM ${sortBy === 'taken_at' ? 'taken_ranges' : 'image_ranges'} WHERE user_id = ${userId}
    WINDOW newest AS (ORDER BY from_at DESC, from_id DESC)
  ) AS range
  WHERE before <= ${index} AND before + images > ${index}
  ORDER BY from_at DESC, from_id DESC LIMIT 1`;

/** Maximum number of images in a range; `rest` is less. */
const longestRange = 2_000;

/** Past every image. */
const end: PagePosition = {
  after: ['-infinity', '00000000-0000-0000-0000-000000000000'],
  offset: 0,
};

/**
 * Where the page at an index begins, among all images of a user or only those in or out of the
 * trash.
 */
export async function selectPageStart(
  db: Queryable,
  userId: string,
  { trash, sortBy }: WholeList,
  index: number,
): Promise<PagePosition> {
  const found = await row<{ at: string | null; id: string | null; rest: number }>(
    db,
    `SELECT ${instantText('until_at')} AS at, until_id AS id, rest::integer
     FROM (${positionAtIndex('$1', kept(trash, 'images'), '$2::integer', sortBy)}) AS place`,
    [userId, index],
  );
  if (!found) return end;
  const { at, id, rest } = found;
  return { offset: rest, ...(at !== null && id !== null && { after: [at, id] }) };
}
