import { readAhead } from '../../base/concurrency.js';
import { bytesPerMegabyte } from '../../base/units.js';
import { instantText, onlyRow, prepared, type Bind, type Queryable } from '../../database/sql.js';
import type { FoundPage, PagePosition } from '../../http/paging/pages.js';
import { idBatches } from './images.sql.js';
import { editsAtOnce, perInclude, recordsSql, type IncludeOptions } from './record-fields.js';

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
export const olderThan = ({ after }: PagePosition, bind: Bind, order: ListOrder = 'created_at') =>
  after
    ? `AND (${timeOf(timeIn(order))}, i.id) ${isAscending(order) ? '>' : '<'} (${bind(after[0])}::timestamptz, ${bind(after[1])}::uuid)`
    : '';

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
export const pageIds = ({ columns = [], where, order, offset, limit }: PageIdsSql, bind: Bind) => `
  SELECT ${['i.id', ...columns].join(', ')} FROM images i
  WHERE ${where}
  ORDER BY ${order}
  ${offset > 0 ? `OFFSET ${bind(offset)}` : ''} LIMIT ${limit}`;

/** A page of images, as SQL. */
export interface PageSql {
  /** Common table expressions that `ids` reads. */
  readonly before?: readonly string[];
  /**
   * Selects the ids of the page in its order, and one more, to tell whether anything follows; and any
   * further columns it needs.
   */
  readonly ids: string;
  /** Of an image `i` and its row of `page`: the sort key after which the next page can start. */
  readonly key: string;
  /** Of a row of `page`: JSON of what the list says of an image, beside its record; not null. */
  readonly beside?: string;
  /** Selects `items` and `bytes`: the totals. */
  readonly totals?: string;
}

/** A page of a list, as SQL with its values. */
export interface PageStatement {
  readonly page: PageSql;
  readonly values: readonly unknown[];
}

/** Which part of a list is wanted, and what its records include. */
export interface PageRange {
  readonly start: PagePosition;
  readonly size: number;
  readonly include: IncludeOptions;
}

/** Images as texts, from which `ImageRecords` writes their records. */
export interface RecordTexts {
  /** The first images. */
  readonly text: string;
  /** Ids of the others, which are read while records are sent: see `selectRecords`. */
  readonly rest: readonly string[];
  readonly include: IncludeOptions;
  /** What the list says of each image beside its record. */
  readonly beside?: ReadonlyMap<string, string>;
  /** Where the rest is read. */
  readonly db: Queryable;
}

/** A page of images as texts. */
export interface RecordPage extends FoundPage, RecordTexts {}

/** Images whose texts are read at a time. */
export const imagesAtOnce = 100;
/**
 * Bytes of what belongs to images read at a time, unless a single image has more. As text, and as JSON,
 * it is a few times as long.
 */
const bytesAtOnce = bytesPerMegabyte / 4;
/** Bytes of a memo or custom without its text, and of an edit. */
const [noteBytes, editBytes] = [200, 500];

/** Bytes of what an image includes: kept totals `t` of an image `i`. */
const included = ({ memos, customs, history }: IncludeOptions): string =>
  [
    '0',
    ...(memos || customs
      ? [`coalesce(t.text_bytes + ${noteBytes} * (t.memos + t.customs), 0)`]
      : []),
    ...(history ? [`coalesce(${editBytes} * least(i.edits, ${editsAtOnce}), 0)`] : []),
  ].join(' + ');

/** Selects how many of the first images of `page` are read, so that memory is bounded. */
function fitting(include: IncludeOptions, size: number): string {
  const most = Math.min(size, imagesAtOnce);
  const bytes = included(include);
  if (bytes === '0') return `SELECT ${most} AS n`;
  return `
    SELECT count(*) AS n FROM (
      SELECT sum(${bytes}) OVER (ORDER BY page.n) - (${bytes}) AS before
      FROM page LEFT JOIN images i USING (id) LEFT JOIN annotation_totals t ON t.image_id = page.id
      WHERE page.n <= ${most}
    ) AS sized
    WHERE before < ${bytesAtOnce}`;
}

/** The columns `text` and `rest` of a statement with a numbered `page`, and `fit`. */
const recordColumns = (include: IncludeOptions, size: number): string => `
  (SELECT ${recordsSql(include, 'page.n')}
   FROM page JOIN images i USING (id) WHERE page.n <= (SELECT n FROM fit)) AS text,
  ARRAY(SELECT page.id::text FROM page
        WHERE page.n > (SELECT n FROM fit) AND page.n <= ${size} ORDER BY page.n) AS rest`;

const noTotals = 'SELECT NULL::integer AS items, NULL::bigint AS bytes';

/**
 * Selects a page of images as one row. The ids are found first, in an index alone where there is one,
 * so that a deep page skips no whole rows.
 */
export const pageQuery = (
  { before = [], ids, key, beside, totals = noTotals }: PageSql,
  { size, include }: Pick<PageRange, 'size' | 'include'>,
): string => `
  WITH ${before.map((one) => `${one}, `).join('')}
  page AS MATERIALIZED (SELECT ids.*, row_number() OVER () AS n FROM (${ids}) AS ids),
  found AS MATERIALIZED (
    SELECT count(*)::integer AS found, least(count(*), ${size})::integer AS count FROM page
  ),
  last AS MATERIALIZED (
    SELECT ${key} AS key FROM page JOIN images i USING (id)
    WHERE page.n = (SELECT count FROM found)
  ),
  total AS MATERIALIZED (${totals}),
  fit AS MATERIALIZED (${fitting(include, size)})
  SELECT found.count, found.found > found.count AS more, last.key AS "lastKey", total.items, total.bytes,
    ${beside ? `ARRAY(SELECT ARRAY[page.id::text, (${beside})::text] FROM page)` : 'NULL'} AS beside,
    ${recordColumns(include, size)}
  FROM found LEFT JOIN last ON true LEFT JOIN total ON true`;

interface PageRow {
  readonly count: number;
  readonly more: boolean;
  readonly lastKey: string[] | null;
  readonly items: number | null;
  readonly bytes: number | null;
  readonly text: string;
  readonly rest: string[];
  readonly beside: [string, string][] | null;
}

/** Runs a statement made by `pageQuery`. */
export async function readPage(
  db: Queryable,
  sql: string,
  values: readonly unknown[],
  include: IncludeOptions,
): Promise<RecordPage> {
  const found = await onlyRow<PageRow>(db, sql, values);
  const { items, bytes, lastKey, beside, ...page } = found;
  return {
    ...page,
    lastKey: lastKey ?? undefined,
    include,
    db,
    ...(beside && { beside: new Map(beside) }),
    ...(items !== null && bytes !== null && { totals: { items, bytes } }),
  };
}

/** A page of a list. */
export const selectPage = (
  db: Queryable,
  { page, values }: PageStatement,
  range: Pick<PageRange, 'size' | 'include'>,
): Promise<RecordPage> => readPage(db, pageQuery(page, range), values, range.include);

const recordsQuery = perInclude((include) =>
  prepared(`
    WITH page AS MATERIALIZED (
      SELECT id, n FROM unnest($1::uuid[]) WITH ORDINALITY AS wanted (id, n)
    ),
    fit AS MATERIALIZED (${fitting(include, imagesAtOnce)})
    SELECT ${recordColumns(include, imagesAtOnce)}`),
);

/** Images in the order of their ids; those that are no longer there are omitted. */
export async function selectRecords(
  db: Queryable,
  ids: readonly string[],
  include: IncludeOptions,
): Promise<RecordTexts> {
  const some = ids.slice(0, imagesAtOnce);
  type Found = Pick<RecordTexts, 'text' | 'rest'>;
  const found = await onlyRow<Found>(db, recordsQuery(include), [some]);
  return { ...found, rest: [...found.rest, ...ids.slice(imagesAtOnce)], include, db };
}

/** A condition on images `i`, with its values, and an order. */
export interface Matching {
  readonly condition: string;
  readonly values: readonly unknown[];
  readonly order?: string;
}

/** The texts of all images that match a condition on images `i`, in a transaction, read ahead. */
export const allRecords = (tx: Queryable, matching: Matching, include: IncludeOptions) =>
  readAhead(matchingRecords(tx, matching, include));

async function* matchingRecords(
  tx: Queryable,
  { condition, values, order }: Matching,
  include: IncludeOptions,
): AsyncGenerator<RecordTexts> {
  for await (const ids of idBatches(tx, condition, values, order)) {
    for (let n = 0; n < ids.length; n += imagesAtOnce) {
      yield await selectRecords(tx, ids.slice(n, n + imagesAtOnce), include);
    }
  }
}
