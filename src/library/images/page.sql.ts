import { instantText } from '../../database/sql.js';
import type { Bind } from '../../database/sql.js';
import type { PagePosition } from '../../http/paging/page-cursors.js';
import { columnsFor } from './images.sql.js';
import type { ListedImage } from './images.sql.js';

/** An image of a list, with the sort key after which the next page can start. */
export type ListedRow = ListedImage & {
  readonly sortKey: readonly string[];
  /** Meters on the ellipsoid, in lists sorted by distance. */
  readonly distance?: number;
};

/** The order of most lists. */
export const newestFirst = 'i.created_at DESC, i.id DESC';

/** Sort key of newest-first lists. */
export const newestSortKey = `ARRAY[${instantText('i.created_at')}, i.id::text]`;

/**
 * Restricts images `i` to those after the start key of such a list; empty when it starts at the
 * newest.
 */
export const olderThan = ({ after }: PagePosition, bind: Bind): string =>
  after
    ? `AND (i.created_at, i.id) < (${bind(after[0])}::timestamptz, ${bind(after[1])}::uuid)`
    : '';

const more = (columns: readonly string[]): string => columns.map((one) => `, ${one}`).join('');

/** The ids of a page, as SQL on images `i`. */
export interface PageIdsSql {
  /** Columns of the page besides the id. */
  readonly columns?: readonly string[];
  readonly where: string;
  readonly order: string;
  /** Items to skip. */
  readonly offset: number;
  readonly limit: number;
}

/** Selects the ids of a page. The limit is in the text, since plans depend on it. */
export const pageIds = (
  { columns = [], where, order, offset, limit }: PageIdsSql,
  bind: Bind,
): string => `
  SELECT i.id${more(columns)} FROM images i
  WHERE ${where}
  ORDER BY ${order}
  ${offset > 0 ? `OFFSET ${bind(offset)}` : ''} LIMIT ${limit}`;

/** A page of images, as SQL on images `i` and their `page`. */
export interface PageSql {
  /** Common table expressions that `ids` reads. */
  readonly before?: readonly string[];
  /** Selects the ids of the page, and any further columns it needs. */
  readonly ids: string;
  /** Columns in addition to those of every list. */
  readonly columns?: readonly string[];
  /** The sort key, if the next page can start after one. */
  readonly key?: string;
  /** Joins and conditions in addition to the page. */
  readonly beside?: string;
  readonly order: string;
  /** Maximum number of rows of the page. */
  readonly limit: number;
}

/** A page of a list, as SQL with its values. */
export interface PageStatement {
  readonly page: PageSql & { readonly key: string };
  readonly values: readonly unknown[];
}

/**
 * Selects a page of images. The ids are found first, in an index alone where there is one, so that
 * a deep page skips no whole rows.
 */
export const pageQuery = ({
  before = [],
  ids,
  columns = [],
  key,
  beside = '',
  order,
  limit,
}: PageSql): string => `
  WITH ${before.map((one) => `${one}, `).join('')}page AS MATERIALIZED (${ids})
  SELECT ${columnsFor(limit)}${more(columns)}${key ? `, ${key} AS "sortKey"` : ''}
  FROM page JOIN images i USING (id) ${beside}
  ORDER BY ${order}`;
