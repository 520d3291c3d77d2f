import { parameters, row, rows } from '../../database/sql.js';
import type { Queryable } from '../../database/sql.js';
import type { TimeLimited } from '../../database/time-limit.js';
import { newestFirst, newestSortKey, olderThan, pageQuery } from '../page-queries.js';
import type { ListedRow } from '../page-queries.js';
import { countInTime } from '../totals-queries.js';
import type { ListTotals } from '../../paging/totals.js';
import type { PagePosition } from '../../paging/page-cursors.js';
import type { Filter } from './filter.js';
import { unsearched } from './queries.js';
import { lookup, walk } from './search-queries.js';

/** A filter with a search, of lists that are newest first. */
export type SearchFilter = Filter & Required<Pick<Filter, 'search'>>;

/** Ids of the matches of a page, newest first, by looking at this many images at most. */
export async function walkForIds(
  db: Queryable,
  userId: string,
  filter: SearchFilter,
  start: PagePosition,
  { limit, furthest }: { readonly limit: number; readonly furthest: number },
): Promise<string[]> {
  const { values, bind } = parameters(userId);
  const search = { type: filter.search.type, words: bind(filter.search.words) };
  const where = `${unsearched(filter, bind)} ${olderThan(start, bind)}`;
  const stretch = { where, offset: bind(start.offset), limit: bind(limit) };
  const found = await rows<{ id: string }>(db, walk(search, stretch, bind(furthest)), values);
  return found.map(({ id }) => id);
}

/** What an index finds. */
export interface Matches {
  /** Of the page, newest first; of all pages only if there are no more matches. */
  readonly ids: readonly string[];
  /** Whether the index may have more than it was asked for. */
  readonly more: boolean;
  /** Of all matches that were found, on any page. */
  readonly items: number;
  readonly bytes: number;
}

/** @param enough matches to stop at; null to find all. */
export async function lookUp(
  db: Queryable,
  userId: string,
  filter: SearchFilter,
  start: PagePosition,
  { limit, enough }: { readonly limit: number; readonly enough: number | null },
): Promise<Matches> {
  const { values, bind } = parameters(userId);
  const search = { type: filter.search.type, words: bind(filter.search.words) };
  const stretch = {
    where: unsearched(filter, bind),
    offset: bind(start.offset),
    limit: bind(limit),
  };
  const sql = lookup(search, stretch, bind(enough), olderThan(start, bind));
  const found = await row<Omit<Matches, 'more'> & { more: boolean | null }>(db, sql, values);
  if (!found) throw new Error('an aggregate returned no row');
  return { ...found, more: found.more === true };
}

/** Counts up to one more than `most` matches among this many of the newest images. */
export async function countByWalking(
  db: TimeLimited,
  userId: string,
  filter: SearchFilter,
  { most, furthest }: { readonly most: number; readonly furthest: number },
): Promise<ListTotals> {
  const { values, bind } = parameters(userId);
  const search = { type: filter.search.type, words: bind(filter.search.words) };
  const where = unsearched(filter, bind);
  const stretch = { where, offset: bind(0), limit: bind(most + 1) };
  return countInTime(db, `(${walk(search, stretch, bind(furthest))}) AS match`, values);
}

/** The images with these ids that still exist, newest first. */
export function selectByIds(db: Queryable, ids: readonly string[]): Promise<ListedRow[]> {
  const { values, bind } = parameters();
  const limit = ids.length;
  const page = `SELECT id FROM unnest(${bind(ids)}::uuid[]) AS wanted (id)`;
  return rows(db, pageQuery({ ids: page, key: newestSortKey, order: newestFirst, limit }), values);
}
