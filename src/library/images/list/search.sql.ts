import { newestFirst, timeColumns, type ListOrder } from '../page.sql.js';
import type { SearchType } from './schemas.js';

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

/** What an index finds among the images of user `$1`, in no particular order. */
export interface Sought {
  /** Selects the ids of matching images, possibly with duplicates. @param parts by default, all words. */
  readonly lookup: (parts?: SelectiveParts) => string;
  /** Whether an image `i` with the texts `t` matches. */
  readonly matches: string;
  /** Placeholder of the words of a search. */
  readonly words?: string;
  /** The columns of texts that an index finds the words in. */
  readonly texts: readonly TextColumn[];
}

const indexedTexts: Readonly<Partial<Record<SearchType, readonly TextColumn[]>>> = {
  address: ['address'],
  building_name: ['address'],
  filename: ['filename'],
  all: ['filename', 'address'],
};

/** Images that a search finds. @param words placeholder. */
export const searched = (type: SearchType, words: string): Sought => ({
  lookup: (parts) => lookups[type](words, parts),
  matches: `(${scanConditions[type](words)})`,
  words,
  texts: indexedTexts[type] ?? [],
});

/** Images with a custom of exactly this key, and value if there is one. Both are placeholders. */
export function withCustom(key: string, value?: string): Sought {
  // What customs are searched in, from its beginning.
  const words = `(${key}::text || U&'\\001F'${value === undefined ? '' : ` || ${value}::text`})`;
  const equals = (custom: string): string =>
    `${custom}.key = ${key}${value === undefined ? '' : ` AND ${custom}.value = ${value}`}`;
  return {
    lookup: () =>
      `SELECT c.image_id AS id FROM customs c WHERE ${indexed('c', 'search', words)} AND ${equals('c')}`,
    matches: `EXISTS (SELECT FROM customs a WHERE a.image_id = i.id AND ${equals('a')} OFFSET 0)`,
    texts: [],
  };
}

/**
 * Images that were uploaded to a set, which expects their first files. @param set placeholder of the
 * id of a set that is there.
 */
export const uploadedTo = (set: string): Sought => ({
  lookup: () =>
    `SELECT s.id FROM upload_set_files f
     JOIN image_versions v ON v.user_id = $1 AND v.hash = f.hash AND v.version = 0
     JOIN images s ON s.id = v.image_id AND s.upload_set_id = ${set}
     WHERE f.upload_set_id = ${set}`,
  matches: `i.upload_set_id = ${set}`,
  texts: [],
});

/** Images within a radius. @param point SQL. @param radius placeholder, in meters. */
export const around = (point: string, radius: string): Sought => ({
  lookup: () =>
    `SELECT a.id FROM images a WHERE a.user_id = $1 AND ST_DWithin(a.location, ${point}, ${radius})`,
  matches: `ST_DWithin(i.location, ${point}, ${radius})`,
  texts: [],
});

/** Images in folders. @param tree subquery of their ids. */
export const inFolders = (tree: string): Sought => ({
  lookup: () => `SELECT d.id FROM images d WHERE d.user_id = $1 AND d.folder_id IN (${tree})`,
  matches: `i.folder_id IN (${tree})`,
  texts: [],
});

/** Selects columns of the first images of a list; by the number of these. */
export type First = (columns: string, limit: number | string) => string;

/** A filter with something to look up, as parts of SQL on images `i`. */
export interface SoughtList {
  /** What to look up, and what else has to match. */
  readonly sought: readonly [Sought, ...Sought[]];
  /** The images to scan: those that an index has in the order of the list. */
  readonly first: First;
  /** The condition for each of them, on `comparedColumns`. */
  readonly byRow: string;
  /** The condition for images that a lookup has found. */
  readonly where: () => string;
}

const comparedColumns =
  'i.folder_id, i.bytes, i.updated_at, i.has_det, i.location, i.camera, i.upload_set_id';

/** A slice of a list. */
export interface ListSlice extends SoughtList {
  readonly sortBy: ListOrder | undefined;
  /** Placeholders. */
  readonly offset: string;
  readonly limit: string;
}

// OFFSET makes it a lookup per image, so that a limit can stop it early.
const beside =
  'CROSS JOIN LATERAL (SELECT * FROM image_texts t WHERE t.image_id = i.id OFFSET 0) AS t';

const besides = (sought: readonly Sought[]): string =>
  sought.some((each) => each.texts.length > 0) ? beside : '';

const matching = (sought: readonly Sought[]): string =>
  sought.map(({ matches }) => ` AND ${matches}`).join('');

/**
 * Scans the images of a list one after the other, newest first. @param scanLimit placeholder of the
 * number of images to scan; null for all.
 */
export const scanSql = (
  { sought, first, byRow, sortBy = 'created_at', offset, limit }: ListSlice,
  scanLimit: string,
): string => `
  SELECT i.id, ${timeColumns(sortBy)}, i.bytes
  FROM (${first(`i.id, ${timeColumns(sortBy)}, ${comparedColumns}`, scanLimit)}) AS i
  ${besides(sought)}
  WHERE ${byRow}${matching(sought)}
  ORDER BY ${newestFirst(sortBy)} OFFSET ${offset} LIMIT ${limit}`;

/** How many of the newest texts are sampled for grams that all of them have. */
const sampled = 60;

/**
 * The part of the words from the first to the last gram that some sampled texts lack. A gram that
 * all texts have excludes nothing, but reading its index entries takes time in proportion to the
 * number of images. Null if there is no such part.
 */
const selectivePart = (column: TextColumn, words: string, { first, sortBy }: ListSlice) => `(
  WITH given AS MATERIALIZED (SELECT searchable(${words}) COLLATE "C" AS words),
  text AS MATERIALIZED (
    SELECT t.${column} COLLATE "C" AS text
    FROM (${first(`i.id, ${timeColumns(sortBy ?? 'created_at')}`, sampled)}) AS i
    ${beside}
  )
  SELECT substr(words, min(n), max(n) - min(n) + 3)
  FROM given, generate_series(1, length(words) - 2) AS n
  WHERE (SELECT bool_or(strpos(text, substr(words, n, 3)) = 0) FROM text)
  GROUP BY words
)`;

/** Of what is looked up. */
function selectiveParts(slice: ListSlice): string {
  const [{ texts: columns, words }] = slice.sought;
  const parts = columns.map(
    (column) => `'${column}', ${selectivePart(column, words ?? '', slice)}`,
  );
  return `jsonb_build_object(${parts.join(', ')})`;
}

/**
 * The same as one row, with whether the end of the list was reached and, if more matches may
 * follow, the parts of the words to look up in indexes.
 */
export function scanForPageSql(slice: ListSlice, scanLimit: string): string {
  const { first, limit, sortBy = 'created_at' } = slice;
  const beyond = first(`i.id, ${timeColumns(sortBy)}`, `${scanLimit}::bigint + 1`);
  return `
  SELECT *, CASE WHEN items < ${limit} AND NOT ended
    THEN ${selectiveParts(slice)} ELSE '{}' END AS selective
  FROM (
    SELECT ids, items, bytes, CASE WHEN items < ${limit}
      THEN ${scanLimit}::bigint IS NULL OR NOT EXISTS (SELECT FROM (${beyond}) AS i OFFSET ${scanLimit})
      ELSE false END AS ended
    FROM (
      SELECT coalesce(array_agg(i.id ORDER BY ${newestFirst(sortBy)}), '{}') AS ids,
             count(*)::integer AS items, coalesce(sum(i.bytes), 0)::bigint AS bytes
      FROM (${scanSql(slice, scanLimit)}) AS i
    ) AS found OFFSET 0
  ) AS scanned`;
}

/**
 * Finds images by index, in no particular order, and sorts those that are in the list.
 * @param enough placeholder of the number of matches to stop at.
 * @param later the condition for images after the start of the page.
 */
export const lookup = (
  slice: ListSlice,
  parts: SelectiveParts,
  enough: string,
  later: string,
): string => {
  const { sortBy = 'created_at', offset, limit } = slice;
  return `
  WITH ${matchesOf(slice, `i.id, ${timeColumns(sortBy)}, i.bytes`, enough, parts)}
  SELECT (SELECT count(*) FROM match) >= ${enough}::bigint AS more,
         (SELECT count(*)::integer FROM listed) AS items,
         (SELECT coalesce(sum(bytes), 0)::bigint FROM listed) AS bytes,
         ARRAY(
           SELECT i.id FROM listed i WHERE true ${later}
           ORDER BY ${newestFirst(sortBy)} OFFSET ${offset} LIMIT ${limit}
         ) AS ids`;
};

/**
 * SQL: what an index finds (`match`), as many at most as `enough` says, and columns of those of them that
 * are in the list (`listed`).
 */
export const matchesOf = (
  { sought: [most, ...others], where }: Pick<SoughtList, 'sought' | 'where'>,
  columns: string,
  enough: string,
  parts?: SelectiveParts,
): string => `
  match AS MATERIALIZED (
    SELECT id FROM (${most.lookup(parts)}) AS found LIMIT ${enough}::bigint
  ),
  listed AS MATERIALIZED (
    SELECT ${columns}
    FROM (SELECT DISTINCT id FROM match) AS m JOIN images i USING (id) ${besides(others)}
    WHERE ${where()}${matching(others)}
  )`;
