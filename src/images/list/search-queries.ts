import { newestFirst } from '../page-queries.js';
import type { SearchType } from './search.js';

/** A search of user `$1`'s images, as placeholders and conditions on images `i`. */
export interface SearchSql {
  readonly type: SearchType;
  /** Placeholder of the search text. */
  readonly words: string;
  /** Placeholders of its parts that indexes on texts are asked for; all of it if omitted. */
  readonly selective?: SelectiveParts;
}

/** Columns of `image_texts`. */
type TextColumn = 'address' | 'filename';

export type SelectiveParts = Readonly<Partial<Record<TextColumn, string>>>;

const like = (column: string, words: string): string => `${column} LIKE search_pattern(${words})`;

/**
 * What the index on a column finds; its grams may occur in another order, so LIKE decides.
 * @param asked placeholder of the part of the words that the index is asked for.
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

/** Looked up image by image, so that a limit ends it early. */
const building = (image: string, words: string): string =>
  `(SELECT ${like('searchable(b.building_name)', words)} FROM images b WHERE b.id = ${image})`;

type Sql = (words: string, selective?: SelectiveParts) => string;

const everywhere = ['filename', 'address', 'memo', 'custom', 'folder'] as const;

/** By index: the ids of images that match, some perhaps more than once. */
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

/** By looking: whether an image `i` with the texts `t` matches. */
const looks: Readonly<Record<SearchType, Sql>> = {
  address: (words) => like('t.address', words),
  building_name: (words) => building('i.id', words),
  filename: (words) => like('t.filename', words),
  memo: (words) => annotated('memos', words),
  custom: (words) => annotated('customs', words),
  folder: (words) => `i.folder_id IN (${folders(words)})`,
  all: (words) => everywhere.map((type) => looks[type](words)).join(' OR '),
};

const inTexts: ReadonlySet<SearchType> = new Set(['address', 'filename', 'all']);

/** The condition on images `i` of user `$1` expressed by a search. */
export const searchCondition = ({ type, words }: SearchSql): string =>
  `i.id IN (${lookups[type](words)})`;

/** A part of a list in its order: SQL that follows WHERE, on images `i`. */
export interface Stretch {
  /** The other conditions of the list. */
  readonly where: string;
  /** Placeholders. */
  readonly offset: string;
  readonly limit: string;
}

// With an offset, it is looked up image by image, which ends with the last that is wanted.
const beside =
  'CROSS JOIN LATERAL (SELECT * FROM image_texts t WHERE t.image_id = i.id OFFSET 0) AS t';

/**
 * Looks at the images of a list one after the other, newest first.
 * @param furthest placeholder of the number of images to look at.
 */
export const walk = (
  { type, words }: SearchSql,
  { where, offset, limit }: Stretch,
  furthest: string,
): string => `
  SELECT i.id, i.created_at, i.bytes
  FROM (
    SELECT i.id, i.created_at, i.folder_id, i.bytes FROM images i
    WHERE ${where} ORDER BY ${newestFirst} LIMIT ${furthest}
  ) AS i
  ${inTexts.has(type) ? beside : ''}
  WHERE ${looks[type](words)}
  ORDER BY ${newestFirst} OFFSET ${offset} LIMIT ${limit}`;

/** Of how many of the newest texts it is looked up which letters all of them have. */
const sampled = 60;

/**
 * The part of the words from the first to the last three letters in a row that some texts lack. What
 * all have excludes nothing, but to read that takes as long as there are images. Null if there is no
 * such part.
 */
const selectivePart = (column: TextColumn, words: string, where: string): string => `(
  WITH given AS MATERIALIZED (SELECT searchable(${words}) COLLATE "C" AS words),
  text AS MATERIALIZED (
    SELECT t.${column} COLLATE "C" AS text
    FROM (SELECT i.id FROM images i WHERE ${where} ORDER BY ${newestFirst} LIMIT ${sampled}) AS i
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

const selectiveParts = ({ type, words }: SearchSql, where: string): string =>
  `jsonb_build_object(${(indexedColumns[type] ?? [])
    .map((column) => `'${column}', ${selectivePart(column, words, where)}`)
    .join(', ')})`;

/**
 * The same as one row, which also says whether the end of the list was seen, and, if there is more to
 * be found, which parts of the words indexes should be asked for.
 */
export const walkToEnd = (search: SearchSql, stretch: Stretch, furthest: string): string => `
  SELECT *, CASE WHEN items < ${stretch.limit} AND NOT ended
    THEN ${selectiveParts(search, stretch.where)} ELSE '{}' END AS selective
  FROM (
    SELECT ids, items, bytes, CASE WHEN items < ${stretch.limit} THEN NOT EXISTS (
        SELECT FROM images i WHERE ${stretch.where} ORDER BY ${newestFirst} OFFSET ${furthest}
      ) ELSE false END AS ended
    FROM (
      SELECT coalesce(array_agg(i.id ORDER BY ${newestFirst}), '{}') AS ids,
             count(*)::integer AS items, coalesce(sum(i.bytes), 0)::bigint AS bytes
      FROM (${walk(search, stretch, furthest)}) AS i
    ) AS found OFFSET 0
  ) AS walked`;

/**
 * Finds images by index, in no order, and sorts those that are in the list.
 * @param enough placeholder of the number of matches to stop at; null for none.
 * @param later the condition for those after the start of the page.
 */
export const lookup = (
  { type, words, selective }: SearchSql,
  { where, offset, limit }: Stretch,
  enough: string,
  later: string,
): string => `
  WITH match AS MATERIALIZED (
    SELECT id FROM (${lookups[type](words, selective)}) AS found LIMIT ${enough}::bigint
  ),
  listed AS MATERIALIZED (
    SELECT i.id, i.created_at, i.bytes FROM (SELECT DISTINCT id FROM match) AS m JOIN images i USING (id)
    WHERE ${where}
  )
  SELECT (SELECT count(*) FROM match) >= ${enough}::bigint AS more,
         (SELECT count(*)::integer FROM listed) AS items,
         (SELECT coalesce(sum(bytes), 0)::bigint FROM listed) AS bytes,
         ARRAY(
           SELECT i.id FROM listed i WHERE true ${later}
           ORDER BY ${newestFirst} OFFSET ${offset} LIMIT ${limit}
         ) AS ids`;
