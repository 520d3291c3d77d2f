import { columnName } from '../../../database/columns.js';
import { prepared, type Queryable } from '../../../database/sql.js';
import { defaultPageSize } from '../../../http/request-fields.js';
import { keyBefore, type Bookmark } from '../../../http/paging/bookmark.js';
import type { PagePosition } from '../../../http/paging/page-cursors.js';
import { counterColumns } from '../../quota/entity.js';
import {
  pageTextQuery,
  selectPageAndMore,
  selectPageText,
  type PageText,
} from '../page-text.sql.js';
import type { TrashFilter } from '../images.sql.js';
import { countSql } from '../totals/totals.sql.js';
import type { Filter } from './filter.js';
import { nearestPage, newestPage, pageFrom, type NearFilter } from './list.sql.js';
import { positionAtIndex } from './range.sql.js';

/** Where a page of text begins, and how much of it there is. */
export interface TextRange {
  readonly start: PagePosition;
  readonly size: number;
}

const counter = (property: keyof typeof counterColumns): string =>
  columnName(counterColumns, property);
const active = { items: counter('activeImages'), bytes: counter('activeBytes') };
const trashed = { items: counter('trashedImages'), bytes: counter('trashedBytes') };
const both = {
  items: `${active.items} + ${trashed.items}`,
  bytes: `${active.bytes} + ${trashed.bytes}`,
};

/** The totals of user `$1`, kept by triggers. */
function keptTotals(trash: TrashFilter): string {
  const { items, bytes } = trash === null ? both : trash ? trashed : active;
  return `SELECT ${items} AS items, ${bytes} AS bytes FROM users WHERE id = $1`;
}

/** Placeholders in the two statements below. */
const bookmarkAt = { list: '$2', index: '$3' };

/**
 * The first page of all of a user's images, or all in or out of the trash, newest first, with its
 * totals; records its end in a bookmark. No totals if there is no such user.
 */
export function selectFirstPage(
  db: Queryable,
  userId: string,
  trash: TrashFilter,
  size: number,
  { list, index }: Bookmark,
): Promise<PageText> {
  return selectPageText(db, firstPageSql(trash, size), [userId, list, index]);
}

const firstPageSql = often((trash, size) => {
  const bound = [null, null, null]; // bound by selectFirstPage
  const { page } = newestPage({ trash, periods: [] }, { offset: 0 }, size + 1, bound);
  return pageTextQuery({
    ...page,
    size,
    totals: keptTotals(trash),
    noteAt: bookmarkAt,
  });
});

/** A page, and whether it follows one that ended where it begins. */
export interface FollowingPage extends PageText {
  readonly follows: boolean;
}

/**
 * Any other page: starts after the last image of the previous page, or at its index if no page
 * ended there (docs/adr/0006).
 */
export async function selectFollowingPage(
  db: Queryable,
  userId: string,
  trash: TrashFilter,
  size: number,
  { list, index }: Bookmark,
): Promise<FollowingPage> {
  const { page, results } = await selectPageAndMore<{ follows: boolean }>(
    db,
    followingPageSql(trash, size),
    [userId, list, index],
  );
  return { ...page, ...results };
}

const followingPageSql = often((trash, size) =>
  pageTextQuery({
    ...pageFrom(trash, size + 1),
    size,
    totals: keptTotals(trash),
    before: [
      `before AS MATERIALIZED (${keyBefore(bookmarkAt)})`,
      `origin AS MATERIALIZED (
         SELECT key[1]::timestamptz AS at, key[2]::uuid AS id, 0 AS rest FROM before
         UNION ALL
         SELECT coalesce(until_at, 'infinity'), coalesce(until_id, '${lastId}'), rest
         FROM (${positionAtIndex('$1', countSql(trash), '$3::integer')}) AS place
         WHERE NOT EXISTS (SELECT FROM before))`,
    ],
    noteAt: bookmarkAt,
    results: ['EXISTS (SELECT FROM before) AS follows'],
  }),
);

const lastId = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

type PageSqlOf = (trash: TrashFilter, size: number) => string;

/**
 * Caches the statements for pages of the default size; others are not worth a prepared plan on
 * every connection.
 */
function often(make: PageSqlOf): PageSqlOf {
  const kept = new Map<TrashFilter, string>();
  return (trash, size) => {
    if (size !== defaultPageSize) return make(trash, size);
    const sql = kept.get(trash) ?? prepared(make(trash, size));
    kept.set(trash, sql);
    return sql;
  };
}

/** A page of any list, newest first. */
export function selectNewestText(
  db: Queryable,
  userId: string,
  filter: Filter,
  { start, size }: TextRange,
): Promise<PageText> {
  const { page, values } = newestPage(filter, start, size + 1, [userId]);
  return selectPageText(db, pageTextQuery({ ...page, size }), values);
}

/** Rounded to millimeters, halves up. */
const distance = 'floor(page.distance * 1000 + 0.5) / 1000';

/** A page of a list sorted by distance. */
export async function selectNearestText(
  db: Queryable,
  userId: string,
  filter: NearFilter,
  { start, size }: TextRange,
): Promise<PageText> {
  const { page, values } = nearestPage(userId, filter, start, size + 1);
  const sql = pageTextQuery({ ...page, size, besides: [distance] });
  return { ...(await selectPageText(db, sql, values)), besides: ['distance_m'] };
}
