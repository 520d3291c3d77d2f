import { only, selectList } from '../database/columns.js';
import { row, rows } from '../database/sql.js';
import type { Queryable } from '../database/sql.js';
import { noteSql } from './bookmark-queries.js';
import { cursorColumns } from './entity.js';
import type { ListTotals } from './totals.js';

/** The end of a page, as stored. */
export interface PageCursor {
  /** Sort key of the last item; its content is up to the list. */
  readonly key: readonly string[];
  readonly totals: ListTotals;
}

/** How long a client may pause between two pages, in minutes. */
const cursorLifetimeMinutes = 60;

const waypoint = selectList(only(cursorColumns, 'key', 'items', 'bytes'));

/** @returns undefined if no recent page of this list ended there. */
export async function selectCursor(
  db: Queryable,
  list: Buffer,
  index: number,
): Promise<PageCursor | undefined> {
  const found = await row<{ key: string[] } & ListTotals>(
    db,
    `SELECT ${waypoint} FROM walks
     WHERE id = $1 AND last_index = $2 AND noted_at > now() - make_interval(mins => $3)`,
    [list, index, cursorLifetimeMinutes],
  );
  return found && { key: found.key, totals: { items: found.items, bytes: found.bytes } };
}

export const upsertCursor = (
  db: Queryable,
  list: Buffer,
  index: number,
  { key, totals }: PageCursor,
): Promise<unknown> =>
  rows(db, noteSql('VALUES ($1, $2, $3, $4, $5)'), [list, index, key, totals.items, totals.bytes]);

export const deleteStaleCursors = (db: Queryable): Promise<unknown> =>
  rows(db, `DELETE FROM walks WHERE noted_at <= now() - make_interval(mins => $1)`, [
    cursorLifetimeMinutes,
  ]);
