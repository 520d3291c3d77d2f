import type { DataSource, EntityManager } from 'typeorm';
import { tryWithLock, withLock } from '../../../database/locks.js';
import { type Queryable, row, rows, value } from '../../../database/sql.js';
import { finestKept } from './cells.js';

/** About how many changes are added in one transaction. */
const changesAtOnce = 5_000;

/**
 * Adds what has changed to the cells of platforms. Maps are right before and after; this bounds what
 * they have to add up. @returns how many changes; undefined if another node does this.
 */
export async function sumUpPlatformMaps(
  db: DataSource,
  signal: AbortSignal,
): Promise<number | undefined> {
  if (!(await row(db, 'SELECT FROM platform_cell_changes LIMIT 1'))) return 0;
  return tryWithLock(db, 'platformMaps', (session) => sumUp(session, signal));
}

/** Sums up the map of a platform from those of its users, whatever its cells say. */
export const renewPlatformMap = (
  db: DataSource,
  platformId: string,
  signal: AbortSignal,
): Promise<unknown> =>
  withLock(db, 'platformMaps', signal, async (session) => {
    await session.transaction('REPEATABLE READ', async (tx) => {
      for (const sql of allAsChanges) await rows(tx, sql, [platformId]);
    });
    return sumUp(session, signal);
  });

/** Makes all that a platform has to what has to be added to nothing. */
const allAsChanges = [
  'DELETE FROM platform_cell_changes WHERE platform_id = $1',
  'DELETE FROM platform_cells WHERE platform_id = $1',
  `INSERT INTO platform_cell_changes (platform_id, cell, active_images, active_at, active_id)
   SELECT platform_id, coalesce(active_cell, cell), active_images, active_at, active_id
   FROM map_cells WHERE platform_id = $1 AND zoom = ${finestKept} AND active_images <> 0`,
];

async function sumUp(session: EntityManager, signal: AbortSignal): Promise<number> {
  for (let changes = 0; ;) {
    const more = signal.aborted ? 0 : await session.transaction('REPEATABLE READ', sumUpSome);
    if (more === 0) return changes;
    changes += more;
  }
}

const sumUpSome = async (tx: Queryable): Promise<number> =>
  (await value<number>(tx, 'SELECT sum_platform_cells($1) AS changes', [changesAtOnce])) ?? 0;
