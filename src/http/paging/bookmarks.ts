import { EntitySchema } from 'typeorm';
import {
  columnName,
  nameList,
  namesOf,
  only,
  selectList,
  without,
  now,
  type RowOf,
} from '../../database/columns.js';
import { row, rows, type Queryable } from '../../database/sql.js';

/** The item after which the page at `lastIndex` starts (docs/adr/0006). */
const cursorColumns = {
  /** 16 bytes of the caller, and a digest of the token and of the list's parameters. */
  id: { type: 'bytea', primary: true },
  lastIndex: { name: 'last_index', type: 'integer', primary: true },
  key: { name: 'sort_key', type: 'text', array: true },
  items: { name: 'total_images', type: 'integer' },
  bytes: { name: 'total_bytes', type: 'bigint' },
  /** false: there are at least as many items, and as many bytes. */
  exact: { type: 'boolean', default: true },
  notedAt: { name: 'noted_at', type: 'timestamptz', default: now },
} as const;

export const CursorEntity = new EntitySchema<RowOf<typeof cursorColumns>>({
  name: 'walk',
  tableName: 'walks',
  columns: cursorColumns,
});

/** Where the end of a page is recorded. */
export interface Bookmark {
  /** The caller, and a digest of the token and of the list's parameters. */
  readonly list: Buffer;
  /** Index of the page's first item. */
  readonly index: number;
}

/** The totals of a list. */
export interface ListTotals {
  readonly items: number;
  /** Of the images' current versions. */
  readonly bytes: number;
  /** false: there are at least as many items, and as many bytes (docs/adr/0028). */
  readonly exact?: boolean;
}

const noted = without(cursorColumns, 'notedAt');
const pageKey = only(cursorColumns, 'id', 'lastIndex');
const replaced = namesOf(without(cursorColumns, 'id', 'lastIndex'));

/**
 * SQL that records the end of a page, as a statement or a part of one.
 * @param source VALUES or a query of the columns in `noted`, in that order.
 */
const noteSql = (source: string): string => `
  INSERT INTO walks (${nameList(noted)}) ${source}
  ON CONFLICT (${nameList(pageKey)}) DO UPDATE
  SET ${replaced.map((name) => `${name} = excluded.${name}`).join(', ')}`;

/** Placeholders, or other SQL, of a bookmark's `list` and `index`. */
export interface BookmarkSql {
  readonly list: string;
  readonly index: string;
}

/** How long a client may pause between two pages, in minutes. */
const cursorLifetimeMinutes = 60;

/** SQL: the end of the page before a bookmark; no row if no recent page of the list ended there. */
const endBefore = ({ list, index }: BookmarkSql, columns: string): string => `
  SELECT ${columns} FROM walks
  WHERE id = ${list} AND last_index = ${index}
    AND noted_at > now() - make_interval(mins => ${cursorLifetimeMinutes})`;

/** The sort key after which the page at a bookmark begins, as SQL: a `key`, or no row. */
export const keyBefore = (at: BookmarkSql): string =>
  endBefore(at, `${columnName(cursorColumns, 'key')} AS key`);

/**
 * How long an unchanged cursor is not renewed, in minutes; shortens the pause that clients may make
 * by as much.
 */
const renewalMinutes = 1;

/**
 * `noteSql` within the statement that finds the page. A page that is requested again and again is
 * only read: writes of the same row would wait for each other.
 * @param count SQL of the number of items in the page.
 * @param from follows FROM: a row with `key`, and with `items` and `bytes`, which are exact.
 */
export const noteEndSql = (at: BookmarkSql, count: string, from: string): string =>
  noteSql(`
    SELECT ${at.list}::bytea, ${at.index}::integer + ${count}, key, items, bytes, true FROM ${from}
    WHERE NOT EXISTS (
      SELECT FROM walks AS known
      WHERE known.id = ${at.list}::bytea AND known.last_index = ${at.index}::integer + ${count}
        AND (known.sort_key, known.total_images, known.total_bytes, known.exact)
          = (key, items, bytes, true)
        AND known.noted_at > now() - make_interval(mins => ${renewalMinutes}))`);

/** The end of a page, as stored. */
interface PageCursor {
  /** Sort key of the last item; its content is up to the list. */
  readonly key: readonly string[];
  readonly totals: ListTotals;
}

const cursorRow = selectList(only(cursorColumns, 'key', 'items', 'bytes', 'exact'));

/** @returns undefined if no recent page of this list ended there. */
export async function selectCursor(
  db: Queryable,
  list: Buffer,
  index: number,
): Promise<PageCursor | undefined> {
  const found = await row<{ key: string[] } & ListTotals>(
    db,
    endBefore({ list: '$1', index: '$2' }, cursorRow),
    [list, index],
  );
  if (!found) return undefined;
  const { key, ...totals } = found;
  return { key, totals };
}

export const upsertCursor = (
  db: Queryable,
  list: Buffer,
  index: number,
  { key, totals }: PageCursor,
): Promise<unknown> =>
  rows(db, noteSql('VALUES ($1, $2, $3, $4, $5, $6)'), [
    list,
    index,
    key,
    totals.items,
    totals.bytes,
    totals.exact ?? true,
  ]);

/** Deletes all but the newest ends of pages whose lists begin with these 16 bytes. */
export const deleteOldCursors = (db: Queryable, owner: Buffer, kept: number): Promise<unknown> =>
  rows(
    db,
    `DELETE FROM walks w USING (
       SELECT id, last_index FROM walks
       WHERE id >= $1 AND id < $2 ORDER BY noted_at DESC OFFSET $3
     ) AS old
     WHERE w.id = old.id AND w.last_index = old.last_index`,
    [owner, Buffer.concat([owner, Buffer.alloc(17, 0xff)]), kept],
  );

/** Deletes page cursors that have not been used for an hour. */
export const expireCursors = (db: Queryable): Promise<unknown> =>
  rows(db, `DELETE FROM walks WHERE noted_at <= now() - make_interval(mins => $1)`, [
    cursorLifetimeMinutes,
  ]);
