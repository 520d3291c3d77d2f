import { row } from '../../database/sql.js';
import type { Queryable } from '../../database/sql.js';
import { noteEndSql } from '../../http/paging/bookmark.js';
import type { BookmarkSql } from '../../http/paging/bookmark.js';
import type { FoundPage } from '../../http/paging/page-cursors.js';
import type { PageSql } from './page.sql.js';
import { pageTextSql } from './record.js';
import type { PageTexts } from './record.js';
import { placeOfImage } from './field-types.js';

/** A page of images as text, which `ImageRecords.list` converts to records. */
export interface PageText extends FoundPage, PageTexts {}

/** A page as text, as SQL. */
export interface PageTextSql extends PageSql {
  /** Number of records in the page; the ids are one more, to tell whether anything follows. */
  readonly size: number;
  readonly key: string;
  /** SQL of further texts of each image, not null. */
  readonly besides?: readonly string[];
  /** Selects `items` and `bytes`: the totals. */
  readonly totals?: string | undefined;
  /** The bookmark in which to record the end of the page. */
  readonly noteAt?: BookmarkSql;
  /** Columns of the result after those of every page. */
  readonly results?: readonly string[];
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
    (SELECT ${pageTextSql('page.n', besides)}
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

/** Runs a statement made by `pageTextQuery`. */
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
    count,
    more,
    lastKey: lastKey ?? undefined,
    text: text ?? '',
    ...(items !== null && bytes !== null && { noted: { items, bytes } }),
  };
  return { page, results: results as Results };
}
