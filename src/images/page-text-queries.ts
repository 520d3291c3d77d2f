import { row } from '../database/sql.js';
import type { Queryable } from '../database/sql.js';
import { noteEndSql } from '../paging/bookmark.js';
import type { BookmarkSql } from '../paging/bookmark.js';
import type { FoundPage } from '../paging/page-cursors.js';
import type { PageSql } from './page-queries.js';
import { recordJson } from './record.js';
import { placeOfImage } from './record-kinds.js';
import { characterPerByte, sqlPiece } from '../database/json-text.js';

/** A page of images as JSON text: records without includes, comma-separated. */
export interface PageText extends FoundPage {
  /** A character for each byte of UTF-8. */
  readonly text: string;
}

/** A page as text, as SQL. */
export interface PageTextSql extends PageSql {
  /** Number of records in the page; the ids are one more, to tell whether anything follows. */
  readonly size: number;
  readonly key: string;
  /** Fields after those of every record, as JSON text. */
  readonly fields?: Readonly<Record<string, string>>;
  /** Selects `items` and `bytes`: the totals. */
  readonly totals?: string | undefined;
  /** A bookmark, to note there where the page ends. */
  readonly noteAt?: BookmarkSql;
  /** Columns of the result after those of every page. */
  readonly results?: readonly string[];
}

const plainRecord = recordJson();

const jsonOf = (fields: PageTextSql['fields']): string =>
  fields === undefined
    ? plainRecord
    : recordJson(
        Object.fromEntries(Object.entries(fields).map(([name, sql]) => [name, sqlPiece(sql)])),
      );

const noTotals = 'SELECT NULL::integer AS items, NULL::bigint AS bytes';

/**
 * Selects a page of images as one row of JSON text. Like `pageQuery`, but what is listed is neither
 * taken apart nor put together again in JavaScript.
 */
export const pageTextQuery = ({
  before = [],
  ids,
  key,
  beside = '',
  size,
  fields,
  totals = noTotals,
  noteAt,
  results = [],
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
  ${noteAt ? `, noted AS (${noteEndSql(noteAt, '(SELECT count FROM found)', 'last, total')})` : ''}
  SELECT found.count, found.found > found.count AS more, last.key AS "lastKey", total.items, total.bytes,
    (SELECT ${characterPerByte(`string_agg(${jsonOf(fields)}, ',' ORDER BY page.n)`)}
     FROM page JOIN images i USING (id) ${beside} ${placeOfImage}
     WHERE page.n <= ${size}) AS text${results.map((one) => `, ${one}`).join('')}
  FROM found LEFT JOIN last ON true LEFT JOIN total ON true`;

interface PageTextRow {
  readonly count: number;
  readonly more: boolean;
  readonly lastKey: string[] | null;
  readonly items: number | null;
  readonly bytes: number | null;
  readonly text: string | null;
}

/** Runs what `pageTextQuery` makes. */
export const selectPageText = async (
  db: Queryable,
  sql: string,
  values: readonly unknown[],
): Promise<PageText> => (await selectPageAndMore(db, sql, values)).page;

/** The same, with further `results`. */
export async function selectPageAndMore<Results>(
  db: Queryable,
  sql: string,
  values: readonly unknown[],
): Promise<{ readonly page: PageText; readonly results: Results }> {
  const found = await row<PageTextRow & Results>(db, sql, values);
  if (!found) throw new Error('a page without a row');
  const { items, bytes, lastKey, text, count, more, ...results } = found;
  const page = {
    ...{ count, more },
    lastKey: lastKey ?? undefined,
    text: text ?? '',
    ...(items !== null && bytes !== null && { noted: { items, bytes } }),
  };
  return { page, results: results as Results };
}
