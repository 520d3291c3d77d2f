import { newestFirst, timeColumns, type ListTime } from '../page.sql.js';
import type { SearchType } from './schemas.js';

/** A search of user `$1`'s images, as placeholders and conditions on images `i`. */
export interface SearchSql {
  readonly type: SearchType;
  /** Placeholder of the search text. */
  readonly words: string;
  /** The time by which the list is sorted. */
  readonly sortBy?: ListTime | undefined;
  /** Placeholders of the parts to look up in indexes on texts; by default, all of the text. */
  readonly selective?: SelectiveParts;
}

/** Columns of `image_texts`. */
type TextColumn = 'address' | 'filename';

export type SelectiveParts = Readonly<Partial<Record<TextColumn, string>>>;

const like = (column: string, words: string): string => `${column} LIKE search_pattern(${words})`;

/**
 * The condition for an index lookup on a column. Grams may occur in another order, so LIKE decides.
 * @param asked placeholder of the part of the words to look up in the index.
 */
const indexed = (table: string, column: string, words: string, asked = words): string =>
  `${table}.user_id = $1
   AND search_grams(${table}.user_id, ${table}.${column}) @@ search_query($1, ${asked})
   AND ${like(`${table}.${column}`, words)}`;

const folders = (words: string): string =>
  `SELECT f.id FROM folders f WHERE ${indexed('f', 'search', words)}`;

const texts = (column: TextColumn, words: string, selective?: SelectiveParts): string =>
  `SELECT t.image_id AS id FROM image_texts t
   WHERE ${indexed('t', column, words, selective?.[column])}`;

/** Looked up image by image, so that a limit can stop it early. */
const building = (image: string, words: string): string =>
  `(SELECT ${like('searchable(b.building_name)', words)} FROM images b WHERE b.id = ${image})`;

type Sql = (words: string, selective?: SelectiveParts) => string;

const everywhere = ['filename', 'address', 'memo', 'custom', 'folder'] as const;

/** Index lookups: the ids of matching images, possibly with duplicates. */
const lookups: Readonly<Record<SearchType, Sql>> = {
  address: (words, selective) => texts('address', words, selective),
  // One index serves both, since the building name is one of the address fields.
  building_name: (words, selective) =>
    `${texts('address', words, selective)} AND ${building('t.image_id', words)}`,
  filename: (words, selective) => texts('filename', words, selective),
  memo: (words) => `SELECT m.image_id AS id FROM memos m WHERE ${indexed('m', 'search', words)}`,
  custom: (words) =>
    `SELECT c.image_id AS id FROM customs c WHERE ${indexed('c', 'search', words)}`,
  folder: (words) =>
    `SELECT i.id FROM images i WHERE i.user_id = $1 AND i.folder_id IN (${folders(words)})`,
  all: (words, selective) =>
    everywhere.map((type) => `(${lookups[type](words, selective)})`).join(' UNION ALL '),
};

const annotated = (table: string, words: string): string =>
  `EXISTS (SELECT FROM ${table} a WHERE a.image_id = i.id AND ${like('a.search', words)} OFFSET 0)`;

/** Conditions for scans: whether an image `i` with the texts `t` matches. */
const scanConditions: Readonly<Record<SearchType, Sql>> = {
  address: (words) => like('t.address', words),
  building_name: (words) => building('i.id', words),
  filename: (words) => like('t.filename', words),
  memo: (words) => annotated('memos', words),
  custom: (words) => annotated('customs', words),
  folder: (words) => `i.folder_id IN (${folders(words)})`,
  all: (words) => everywhere.map((type) => scanConditions[type](words)).join(' OR '),
};

const inTexts: ReadonlySet<SearchType> = new Set(['address', 'filename', 'all']);

/** The condition on images `i` of user `$1` expressed by a search. */
export const searchCondition = ({ type, words }: SearchSql): string =>
  `i.id IN (${lookups[type](words)})`;

/** A slice of a list, as SQL on images `i`. */
export interface ListSlice {
  /** The other conditions of the list. */
  readonly where: string;
  /** Placeholders. */
  readonly offset: string;
  readonly limit: string;
}

// OFFSET makes it a lookup per image, so that a limit can stop it early.
const beside =
  'CROSS JOIN LATERAL (SELECT * FROM image_texts t WHERE t.image_id = i.id OFFSET 0) AS t';

/**
 * Scans the images of a list one after the other, newest first. @param scanLimit placeholder of the
 * number of images to scan.
 */
export const scanSql = (
  { type, words, sortBy = 'created_at' }: SearchSql,
  { where, offset, limit }: ListSlice,
  scanLimit: string,
): string => `
  SELECT i.id, ${timeColumns(sortBy)}, i.bytes
  FROM (
    SELECT i.id, ${timeColumns(sortBy)}, i.folder_id, i.bytes FROM images i
    WHERE ${where} ORDER BY ${newestFirst(sortBy)} LIMIT ${scanLimit}
  ) AS i
  ${inTexts.has(type) ? beside : ''}
  WHERE ${scanConditions[type](words)}
  ORDER BY ${newestFirst(sortBy)} OFFSET ${offset} LIMIT ${limit}`;

/** How many of the newest texts are sampled for grams that all of them have. */
const sampled = 60;

/**
 * The part of the words from the first to the last gram that some sampled texts lack. A gram that
 * all texts have excludes nothing, but reading its index entries takes time in proportion to the
 * number of images. Null if there is no such part.
 */
const selectivePart = (
  column: TextColumn,
  { words, sortBy }: SearchSql,
  where: string,
): string => `(
  WITH given AS MATERIALIZED (SELECT searchable(${words}) COLLATE "C" AS words),
  text AS MATERIALIZED (
    SELECT t.${column} COLLATE "C" AS text
    FROM (SELECT i.id FROM images i WHERE ${where} ORDER BY ${newestFirst(sortBy)} LIMIT ${sampled}) AS i
    ${beside}
  )
  SELECT substr(words, min(n), max(n) - min(n) + 3)
  FROM given, generate_series(1, length(words) - 2) AS n
  WHERE (SELECT bool_or(strpos(text, substr(words, n, 3)) = 0) FROM text)
  GROUP BY words
)`;

const indexedColumns: Readonly<Partial<Record<SearchType, readonly TextColumn[]>>> = {
  address: ['address'],
  building_name: ['address'],
  filename: ['filename'],
  all: ['filename', 'address'],
};

const selectiveParts = (search: SearchSql, where: string): string =>
  `jsonb_build_object(${(indexedColumns[search.type] ?? [])
    .map((column) => `'${column}', ${selectivePart(column, search, where)}`)
    .join(', ')})`;

/**
 * The same as one row, with whether the end of the list was reached and, if more matches may
 * follow, the parts of the words to look up in indexes.
 */
export const scanForPageSql = (search: SearchSql, slice: ListSlice, scanLimit: string): string => `
  SELECT *, CASE WHEN items < ${slice.limit} AND NOT ended
    THEN ${selectiveParts(search, slice.where)} ELSE '{}' END AS selective
  FROM (
    SELECT ids, items, bytes, CASE WHEN items < ${slice.limit} THEN NOT EXISTS (
        SELECT FROM images i WHERE ${slice.where} ORDER BY ${newestFirst(search.sortBy)} OFFSET ${scanLimit}
      ) ELSE false END AS ended
    FROM (
      SELECT coalesce(array_agg(i.id ORDER BY ${newestFirst(search.sortBy)}), '{}') AS ids,
             count(*)::integer AS items, coalesce(sum(i.bytes), 0)::bigint AS bytes
      FROM (${scanSql(search, slice, scanLimit)}) AS i
    ) AS found OFFSET 0
  ) AS scanned`;

/**
 * Finds images by index, in no particular order, and sorts those that are in the list.
 * @param enough placeholder of the number of matches to stop at; null for none.
 * @param later the condition for images after the start of the page.
 */
export const lookup = (
  { type, words, selective, sortBy = 'created_at' }: SearchSql,
  { where, offset, limit }: ListSlice,
  enough: string,
  later: string,
): string => `
  WITH match AS MATERIALIZED (
    SELECT id FROM (${lookups[type](words, selective)}) AS found LIMIT ${enough}::bigint
  ),
  listed AS MATERIALIZED (
    SELECT i.id, ${timeColumns(sortBy)}, i.bytes FROM (SELECT DISTINCT id FROM match) AS m JOIN images i USING (id)
    WHERE ${where}
  )
  SELECT (SELECT count(*) FROM match) >= ${enough}::bigint AS more,
         (SELECT count(*)::integer FROM listed) AS items,
         (SELECT coalesce(sum(bytes), 0)::bigint FROM listed) AS bytes,
         ARRAY(
           SELECT i.id FROM listed i WHERE true ${later}
           ORDER BY ${newestFirst(sortBy)} OFFSET ${offset} LIMIT ${limit}
         ) AS ids`;
