import { nameOf } from '../../database/columns.js';
import { prepared } from '../../database/prepared.js';
import type { Queryable } from '../../database/sql.js';
import { defaultPageSize } from '../../http/page-fields.js';
import { keyBefore } from '../../paging/bookmark.js';
import type { Bookmark } from '../../paging/bookmark.js';
import type { PagePosition } from '../../paging/page-cursors.js';
import { counterColumns } from '../../quota/columns.js';
import { pageTextQuery, selectPageAndMore, selectPageText } from '../page-text-queries.js';
import type { PageText } from '../page-text-queries.js';
import type { TrashFilter } from '../queries.js';
import type { Filter } from './filter.js';
import { followingPage, nearestPage, newestPage } from './queries.js';
import { startOf, startSql } from './range-queries.js';
import type { FoundStart } from './range-queries.js';
import type { NearFilter } from './queries.js';

/** Where a page of text begins, and how much of it there is. */
export interface TextRange {
  readonly start: PagePosition;
  readonly size: number;
}

const counter = (property: keyof typeof counterColumns): string => nameOf(counterColumns, property);
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

/** Placeholders of the two statements below. */
const bookmarkAt = { list: '$2', index: '$3' };

/**
 * A page of all of a user's images, or all in or out of the trash, newest first, with its totals;
 * notes in a bookmark where it ends. No totals if there is no such user.
 */
export function selectWholePage(
  db: Queryable,
  userId: string,
  trash: TrashFilter,
  { start, size }: TextRange,
  { list, index }: Bookmark,
): Promise<PageText> {
  const bound = [userId, list, index];
  const { page, values } = newestPage({ trash, periods: [] }, start, size + 1, bound);
  const sql = pageTextQuery({
    ...{ ...page, size, totals: keptTotals(trash) },
    noteAt: bookmarkAt,
  });
  // Few texts are worth a plan on every connection; an offset would also mislead a general plan.
  const usual = size === defaultPageSize && start.offset === 0;
  return selectPageText(db, usual ? prepared(sql) : sql, values);
}

/**
 * The same page if another one ended where it begins, looked up in the same statement. Otherwise
 * where it begins: the text depends on nothing but the trash and the size.
 */
export async function selectFollowingPage(
  db: Queryable,
  userId: string,
  trash: TrashFilter,
  size: number,
  { list, index }: Bookmark,
): Promise<{ readonly page?: PageText; readonly start: PagePosition }> {
  const sql = pageTextQuery({
    ...{ ...followingPage(trash, size + 1), size, totals: keptTotals(trash) },
    before: [
      `before AS MATERIALIZED (${keyBefore(bookmarkAt)})`,
      `start AS MATERIALIZED (
         SELECT * FROM (${startSql('$1', trash, '$3::integer')}) AS start
         WHERE NOT EXISTS (SELECT FROM before))`,
    ],
    noteAt: bookmarkAt,
    results: [
      'EXISTS (SELECT FROM before) AS follows',
      '(SELECT to_jsonb(start) FROM start) AS start',
    ],
  });
  const { page, results } = await selectPageAndMore<{ follows: boolean; start: FoundStart | null }>(
    db,
    size === defaultPageSize ? prepared(sql) : sql,
    [userId, list, index],
  );
  const { follows, start } = results;
  return { ...(follows && { page }), start: startOf(start ?? undefined) };
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
export function selectNearestText(
  db: Queryable,
  userId: string,
  filter: NearFilter,
  { start, size }: TextRange,
): Promise<PageText> {
  const { page, values } = nearestPage(userId, filter, start, size + 1);
  const fields = { distance_m: distance };
  return selectPageText(db, pageTextQuery({ ...page, size, fields }), values);
}
