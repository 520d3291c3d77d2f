import { parameters, row, rows, type Queryable, type TimeLimited } from '../../../database/sql.js';
import {
  newestFirst,
  newestSortKey,
  olderThan,
  pageIds,
  pageQuery,
  type ListedRow,
  type PageStatement,
} from '../page.sql.js';
import { pageTextQuery, selectPageText, type PageText } from '../page-text.sql.js';
import { countInTime } from '../totals.sql.js';
import type { ListTotals } from '../../../http/paging/totals.js';
import type { PagePosition } from '../../../http/paging/page-cursors.js';
import type { Filter } from './filter.js';
import { unsearched } from './list.sql.js';
import { lookup, scanSql, scanForPageSql, type SelectiveParts } from './search.sql.js';

/** A filter with a search, of lists that are newest first. */
export type SearchFilter = Filter & Required<Pick<Filter, 'search'>>;

/** The result of scanning images one after the other. */
export interface Scanned {
  /** Ids of the page, newest first. */
  readonly ids: readonly string[];
  readonly items: number;
  readonly bytes: number;
  /** Whether the scan reached the end of the list. */
  readonly ended: boolean;
  /** The part of the words to look up in an index, by column; null: all of them. */
  readonly selective: Readonly<Partial<Record<keyof SelectiveParts, string | null>>>;
}

/** Values bound for a search of user `$1`. */
function searchParameters(userId: string, { search: { type, words } }: SearchFilter) {
  const { values, bind } = parameters(userId);
  return { values, bind, search: { type, words: bind(words) } };
}

/** Finds the matches of a page by scanning at most `scanLimit` images. */
export async function scanForPage(
  db: Queryable,
  userId: string,
  filter: SearchFilter,
  start: PagePosition,
  { limit, scanLimit }: { readonly limit: number; readonly scanLimit: number },
): Promise<Scanned> {
  const { values, bind, search } = searchParameters(userId, filter);
  const where = `${unsearched(filter, bind)} ${olderThan(start, bind)}`;
  const slice = { where, offset: bind(start.offset), limit: bind(limit) };
  return oneRow<Scanned>(db, scanForPageSql(search, slice, bind(scanLimit)), values);
}

/** The result of an index lookup. */
export interface Matches {
  /** Ids of the page, newest first; valid as a page only if there are no more matches. */
  readonly ids: readonly string[];
  /** Whether the index may have more matches. */
  readonly more: boolean;
  /** Totals of all matches found, on any page. */
  readonly items: number;
  readonly bytes: number;
}

interface Lookup {
  readonly limit: number;
  /** Matches to stop at; null to find all. */
  readonly enough: number | null;
  readonly selective: Scanned['selective'];
}

export async function lookUp(
  db: Queryable,
  userId: string,
  filter: SearchFilter,
  start: PagePosition,
  { limit, enough, selective: parts }: Lookup,
): Promise<Matches> {
  const { values, bind, search: given } = searchParameters(userId, filter);
  const bound = Object.entries(parts).flatMap(([column, part]) =>
    part === null ? [] : [[column, bind(part)]],
  );
  const search = { ...given, selective: Object.fromEntries(bound) as SelectiveParts };
  const slice = {
    where: unsearched(filter, bind),
    offset: bind(start.offset),
    limit: bind(limit),
  };
  const sql = lookup(search, slice, bind(enough), olderThan(start, bind));
  const found = await oneRow<Omit<Matches, 'more'> & { more: boolean | null }>(db, sql, values);
  return { ...found, more: found.more === true };
}

async function oneRow<Row>(db: Queryable, sql: string, values: readonly unknown[]): Promise<Row> {
  const found = await row<Row>(db, sql, values);
  if (!found) throw new Error('an aggregate returned no row');
  return found;
}

/** Counts up to one more than `maxMatches` matches among the newest `scanLimit` images. */
export async function countByScanning(
  db: TimeLimited,
  userId: string,
  filter: SearchFilter,
  { maxMatches, scanLimit }: { readonly maxMatches: number; readonly scanLimit: number },
): Promise<ListTotals> {
  const { values, bind, search } = searchParameters(userId, filter);
  const where = unsearched(filter, bind);
  const slice = { where, offset: bind(0), limit: bind(maxMatches + 1) };
  return countInTime(db, `(${scanSql(search, slice, bind(scanLimit))}) AS match`, values);
}

/** The images with these ids that still exist, newest first. */
function pageOfIds(found: readonly string[]): PageStatement {
  const { values, bind } = parameters(found);
  const order = newestFirst;
  const limit = found.length;
  const ids = pageIds({ where: 'i.id = ANY ($1::uuid[])', order, offset: 0, limit }, bind);
  return { page: { ids, key: newestSortKey, order, limit }, values };
}

export function selectByIds(db: Queryable, ids: readonly string[]): Promise<ListedRow[]> {
  const { page, values } = pageOfIds(ids);
  return rows(db, pageQuery(page), values);
}

/** @param size maximum number of records; further ids tell that there is more. */
export function selectTextByIds(
  db: Queryable,
  ids: readonly string[],
  size: number,
): Promise<PageText> {
  const { page, values } = pageOfIds(ids);
  return selectPageText(db, pageTextQuery({ ...page, size }), values);
}
