import { nameList, namesOf, only, selectList, without } from '../database/columns.js';
import { row, rows } from '../database/sql.js';
import type { Queryable } from '../database/sql.js';
import { walkColumns } from './entity.js';
import type { Totals } from './totals.js';

/** The end of a page, as stored. */
export interface Waypoint {
  /** Sort key of the last item; its content is up to the list. */
  readonly key: readonly string[];
  readonly totals: Totals;
}

/** How long a client may pause between two pages, in minutes. */
const restMinutes = 60;

const waypoint = selectList(only(walkColumns, 'key', 'items', 'bytes'));

/** @returns undefined if no recent page of this list ended there. */
export async function selectWaypoint(
  db: Queryable,
  walk: Buffer,
  index: number,
): Promise<Waypoint | undefined> {
  const found = await row<{ key: string[] } & Totals>(
    db,
    `SELECT ${waypoint} FROM walks
     WHERE id = $1 AND last_index = $2 AND noted_at > now() - make_interval(mins => $3)`,
    [walk, index, restMinutes],
  );
  return found && { key: found.key, totals: { items: found.items, bytes: found.bytes } };
}

const noted = without(walkColumns, 'notedAt');
const pageOfWalk = only(walkColumns, 'id', 'lastIndex');
const replaced = namesOf(without(walkColumns, 'id', 'lastIndex'));

export const upsertWaypoint = (
  db: Queryable,
  walk: Buffer,
  index: number,
  { key, totals }: Waypoint,
): Promise<unknown> =>
  rows(
    db,
    `INSERT INTO walks (${nameList(noted)}) VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT (${nameList(pageOfWalk)}) DO UPDATE
     SET ${replaced.map((name) => `${name} = excluded.${name}`).join(', ')}`,
    [walk, index, key, totals.items, totals.bytes],
  );

export const deleteOldWaypoints = (db: Queryable): Promise<unknown> =>
  rows(db, `DELETE FROM walks WHERE noted_at <= now() - make_interval(mins => $1)`, [restMinutes]);
