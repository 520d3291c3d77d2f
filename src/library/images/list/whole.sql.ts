import { prepared, type Queryable } from '../../../database/sql.js';
import type { PagePosition } from '../../../http/paging/pages.js';
import { defaultPageSize } from '../../../http/request-fields.js';
import type { TrashFilter } from '../images.sql.js';
import {
  pageQuery,
  readPage,
  type ListTime,
  type PageRange,
  type RecordPage,
} from '../page.sql.js';
import { includedIn, type IncludeOptions } from '../record-fields.js';
import { kept } from '../totals.sql.js';
import { newestPage } from './list.sql.js';

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
  { start: { after, offset }, size, include }: PageRange,
): Promise<RecordPage> {
  const read = (page: PageSqlOf, ...values: unknown[]): Promise<RecordPage> =>
    readPage(db, page(whole, size, include), [userId, ...values], include);
  if (after) return read(pageAfterSql, after[0], after[1]);
  return offset > 0 ? read(pageAtSql, offset) : read(firstPageSql);
}

type PageSqlOf = (whole: WholeList, size: number, include: IncludeOptions) => string;

/**
 * The values are bound by `selectWholePage`. Statements for pages of the default size are cached;
 * others are not worth a prepared plan on every connection.
 */
function pageSql(start: PagePosition): PageSqlOf {
  const make: PageSqlOf = (whole, size, include) => {
    const { page } = newestPage({ ...whole, periods: [] }, { start, size }, [null]);
    return pageQuery({ ...page, totals: keptTotals(whole.trash) }, { size, include });
  };
  const made = new Map<string, string>();
  return (whole, size, include) => {
    if (size !== defaultPageSize) return make(whole, size, include);
    const key = `${whole.sortBy} ${whole.trash} ${includedIn(include).join()}`;
    const sql = made.get(key) ?? prepared(make(whole, size, include));
    made.set(key, sql);
    return sql;
  };
}

const firstPageSql = pageSql({ offset: 0 });

/** The page after the sort key `$2`, `$3`. */
const pageAfterSql = pageSql({ after: ['', ''], offset: 0 });

/** The page at the index `$2`, which an index scan counts up to: 50 ms for 400,000 images (docs/adr/0005). */
const pageAtSql = pageSql({ offset: 1 });

/** The totals of user `$1`, kept by triggers. */
const keptTotals = (trash: TrashFilter): string =>
  `SELECT ${kept(trash, 'images')} AS items, ${kept(trash, 'bytes')} AS bytes FROM users WHERE id = $1`;
