import { instantText, type Bind, row, type Queryable } from '../../database/sql.js';
import type { PagePosition, FoundPage } from '../../http/paging/pages.js';
import { columnsFor, type ListedImage } from './images.sql.js';
import { pageTextSql, type PageTexts } from './record.js';

/** An image of a list, with the sort key after which the next page can start. */
export type ListedRow = ListedImage & {
  readonly sortKey: readonly string[];
  /** Meters on the ellipsoid, in lists sorted by distance. */
  readonly distance?: number;
};

/** The time by which a list is sorted. */
export type ListTime = 'created_at' | 'taken_at';

/** The order of a list: newest first, unless it says otherwise. */
export type ListOrder = ListTime | `${ListTime} asc`;

const isAscending = (order: ListOrder): boolean => order.endsWith(' asc');

/** The time that an order goes by. */
export const timeIn = (order: ListOrder): ListTime =>
  order.startsWith('taken_at') ? 'taken_at' : 'created_at';

/** SQL of a time of images `i`: `taken_at` is `created_at` of pictures that do not tell. */
export const timeOf = (time: ListTime | 'updated_at'): string =>
  time === 'taken_at' ? 'coalesce(i.taken_at, i.created_at)' : `i.${time}`;

/** The columns of its time, which an index of that order has. */
export const timeColumns = (order: ListOrder): string =>
  timeIn(order) === 'taken_at' ? 'i.taken_at, i.created_at' : 'i.created_at';

/** These columns, each in the direction of an order. */
export const directed = (order: ListOrder, ...columns: string[]): string =>
  columns.map((column) => `${column} ${isAscending(order) ? 'ASC' : 'DESC'}`).join(', ');

/** The ORDER BY of most lists; of an ascending order, oldest first. */
export const newestFirst = (order: ListOrder = 'created_at'): string =>
  directed(order, timeOf(timeIn(order)), 'i.id');

/** Sort key of such lists. */
export const newestSortKey = (order: ListOrder = 'created_at'): string =>
  `ARRAY[${instantText(timeOf(timeIn(order)))}, i.id::text]`;

/**
 * Restricts images `i` to those after the start key of such a list; empty when it starts at its
 * beginning.
 */
export const olderThan = (
  { after }: PagePosition,
  bind: Bind,
  order: ListOrder = 'created_at',
): string =>
  after
    ? `AND (${timeOf(timeIn(order))}, i.id) ${isAscending(order) ? '>' : '<'} (${bind(after[0])}::timestamptz, ${bind(after[1])}::uuid)`
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

/** A page of images as text, which `ImageRecords.list` converts to records. */
export interface PageText extends FoundPage, PageTexts {}

/** A page as text, as SQL. */
interface PageTextSql extends PageSql {
  /** Number of records in the page; the ids are one more, to tell whether anything follows. */
  readonly size: number;
  readonly key: string;
  /** SQL of further texts of each image, not null. */
  readonly besides?: readonly string[];
  /** Selects `items` and `bytes`: the totals. */
  readonly totals?: string | undefined;
}

const noTotals = 'SELECT NULL::integer AS items, NULL::bigint AS bytes';

/** Selects a page of images like `pageQuery`, but as one row, with the images as text. */
export const pageTextQuery = ({
  before = [],
  ids,
  key,
  beside = '',
  size,
  besides = [],
  totals = noTotals,
}: PageTextSql): string => `
  WITH ${before.map((one) => `${one}, `).join('')}
  page AS MATERIALIZED (SELECT ids.*, row_number() OVER () AS n FROM (${ids}) AS ids),
  found AS MATERIALIZED (
    SELECT count(*)::integer AS found, least(count(*), ${size})::integer AS count FROM page
  ),
  last AS MATERIALIZED (
    SELECT ${key} AS key FROM page JOIN images i USING (id) ${beside}
    WHERE page.n = (SELECT count FROM found)
  ),
  total AS MATERIALIZED (${totals})
  SELECT found.count, found.found > found.count AS more, last.key AS "lastKey", total.items, total.bytes,
    (SELECT ${pageTextSql('page.n', besides)}
     FROM page JOIN images i USING (id) ${beside}
     WHERE page.n <= ${size}) AS text
  FROM found LEFT JOIN last ON true LEFT JOIN total ON true`;

interface PageTextRow {
  readonly count: number;
  readonly more: boolean;
  readonly lastKey: string[] | null;
  readonly items: number | null;
  readonly bytes: number | null;
  readonly text: string | null;
}

/** Runs a statement made by `pageTextQuery`. */
export async function selectPageText(
  db: Queryable,
  sql: string,
  values: readonly unknown[],
): Promise<PageText> {
  const found = await row<PageTextRow>(db, sql, values);
  if (!found) throw new Error('a page without a row');
  const { items, bytes, lastKey, text, ...page } = found;
  return {
    ...page,
    lastKey: lastKey ?? undefined,
    text: text ?? '',
    ...(items !== null && bytes !== null && { totals: { items, bytes } }),
  };
}
