import { row, rows } from '../database/sql.js';
import type { Queryable } from '../database/sql.js';
import type { Totals } from './totals.js';

/** The end of a page, as it is remembered. */
export interface Waypoint {
  /** Sort key of the last item; what is in it is up to the list. */
  readonly key: readonly string[];
  readonly totals: Totals;
}

/** How long a walk may rest between two pages, in minutes. */
const restMinutes = 60;

/** @returns undefined when no page of the walk ended there lately. */
export async function selectWaypoint(
  db: Queryable,
  walk: Buffer,
  index: number,
): Promise<Waypoint | undefined> {
  const found = await row<{ key: string[] } & Totals>(
    db,
    `SELECT sort_key AS key, total_images AS items, total_bytes AS bytes FROM walks
     WHERE id = $1 AND last_index = $2 AND noted_at > now() - make_interval(mins => $3)`,
    [walk, index, restMinutes],
  );
  return found && { key: found.key, totals: { items: found.items, bytes: found.bytes } };
}

export const upsertWaypoint = (
  db: Queryable,
  walk: Buffer,
  index: number,
  { key, totals }: Waypoint,
): Promise<unknown> =>
  rows(
    db,
    `INSERT INTO walks (id, last_index, sort_key, total_images, total_bytes)
     VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT (id, last_index) DO UPDATE
     SET sort_key = excluded.sort_key, total_images = excluded.total_images,
         total_bytes = excluded.total_bytes, noted_at = excluded.noted_at`,
    [walk, index, key, totals.items, totals.bytes],
  );

export const deleteOldWaypoints = (db: Queryable): Promise<unknown> =>
  rows(db, `DELETE FROM walks WHERE noted_at <= now() - make_interval(mins => $1)`, [restMinutes]);
