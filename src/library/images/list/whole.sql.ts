import { prepared, type Queryable } from '../../../database/sql.js';
import type { PagePosition } from '../../../http/paging/pages.js';
import { defaultPageSize } from '../../../http/request-fields.js';
import type { TrashFilter } from '../images.sql.js';
import { pageTextQuery, selectPageText, type ListTime, type PageText } from '../page.sql.js';
import { kept } from '../totals.sql.js';
import { newestPage, type TextRange } from './list.sql.js';

// Pages of all of a user's images, or of all in or out of the trash, newest first. Their totals are
// kept, so that nothing is counted.

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

/** The page at the index `$2`, which an index scan counts up to: 50 ms for 400,000 images (docs/adr/0005). */
const pageAtSql = pageSql({ offset: 1 });

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
