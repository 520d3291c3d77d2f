import { only, selectList } from '../../database/columns.js';
import { row, rows } from '../../database/sql.js';
import type { Queryable } from '../../database/sql.js';
import { cursorLifetimeMinutes, endBefore, noteSql } from './bookmark.sql.js';
import { cursorColumns } from './entity.js';
import type { ListTotals } from './totals.js';

/** The end of a page, as stored. */
export interface PageCursor {
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

export const deleteStaleCursors = (db: Queryable): Promise<unknown> =>
  rows(db, `DELETE FROM walks WHERE noted_at <= now() - make_interval(mins => $1)`, [
    cursorLifetimeMinutes,
  ]);
