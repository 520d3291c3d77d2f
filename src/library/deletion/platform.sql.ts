import { type RowOf, selectList } from '../../database/columns.js';
import { column, type Queryable, row, rows, value } from '../../database/sql.js';
import { erasureColumns } from '../platforms/entity.js';

export type ErasureRow = Readonly<RowOf<typeof erasureColumns>>;

/**
 * Makes the platform unusable: all tokens are refused, and its name becomes available. @returns
 * false for an unknown platform, or one that is already being deleted.
 */
export const closePlatform = async (tx: Queryable, platformId: string): Promise<boolean> =>
  (await row(
    tx,
    `UPDATE platforms
     SET deleting_at = now(), suspended_at = coalesce(suspended_at, now()),
         token_generation = token_generation + 1, revoked_at = now(), updated_at = now(),
         name = 'being deleted: ' || id::text
     WHERE id = $1 AND deleting_at IS NULL RETURNING id`,
    [platformId],
  )) !== undefined;

export const insertErasure = (tx: Queryable, platformId: string): Promise<unknown> =>
  rows(tx, 'INSERT INTO erasures (platform_id) VALUES ($1)', [platformId]);

export const selectErasure = (db: Queryable, platformId: string): Promise<ErasureRow | undefined> =>
  row(db, `SELECT ${selectList(erasureColumns)} FROM erasures WHERE platform_id = $1`, [
    platformId,
  ]);

/** Whether there is a platform to delete, or one whose objects may have been deleted since. */
export const hasRemovals = async (db: Queryable): Promise<boolean> =>
  (await rows(db, 'SELECT FROM erasures WHERE objects_deleted_at IS NULL LIMIT 1')).length > 0;

export const selectDeleting = (db: Queryable): Promise<string[]> =>
  column<string>(
    db,
    'SELECT id FROM platforms WHERE deleting_at IS NOT NULL ORDER BY deleting_at, id',
  );

export const selectNextUser = (db: Queryable, platformId: string): Promise<string | undefined> =>
  value(db, 'SELECT id FROM users WHERE platform_id = $1 ORDER BY created_at, id LIMIT 1', [
    platformId,
  ]);

const counters = ['users', 'folders', 'images', 'versions', 'objects', 'bytes'] as const;
export type ErasureCounts = Readonly<Partial<Record<(typeof counters)[number], number>>>;

export const addToErasure = (
  tx: Queryable,
  platformId: string,
  counts: ErasureCounts,
): Promise<unknown> =>
  rows(
    tx,
    `UPDATE erasures SET ${counters.map((name, n) => `${name} = ${name} + $${n + 2}`).join(', ')}
     WHERE platform_id = $1`,
    [platformId, ...counters.map((name) => counts[name] ?? 0)],
  );

/** Deletes the stored replays of the user or the platform. */
export const deleteKeys = (tx: Queryable, owner: string): Promise<unknown> =>
  rows(tx, 'DELETE FROM idempotency_keys WHERE owner = $1', [owner]);

/** Tables with many rows of a platform, and their keys. */
const lists = { changes: 'user_id, seq', usage_events: 'id' } as const;

export const listsOfPlatforms = Object.keys(lists) as (keyof typeof lists)[];

/** Deletes some rows of the platform. @returns how many; fewer than `limit` if none are left. */
export const deleteSome = async (
  db: Queryable,
  table: keyof typeof lists,
  platformId: string,
  limit: number,
): Promise<number> =>
  (
    await rows(
      db,
      `DELETE FROM ${table} WHERE (${lists[table]}) IN (
         SELECT ${lists[table]} FROM ${table} WHERE platform_id = $1 LIMIT $2
       ) RETURNING 1`,
      [platformId, limit],
    )
  ).length;

/** Deletes the row of the platform, and the few rows that still reference it. */
export const deletePlatform = (tx: Queryable, platformId: string): Promise<unknown> =>
  rows(tx, 'DELETE FROM platforms WHERE id = $1 AND deleting_at IS NOT NULL', [platformId]);

export const markRowsDeleted = (tx: Queryable, platformId: string): Promise<unknown> =>
  rows(tx, 'UPDATE erasures SET rows_deleted_at = now() WHERE platform_id = $1', [platformId]);

/** Marks erasures whose objects have all been deleted. */
export const markObjectsDeleted = (db: Queryable): Promise<unknown> =>
  rows(
    db,
    `UPDATE erasures e SET objects_deleted_at = now()
     WHERE rows_deleted_at IS NOT NULL AND objects_deleted_at IS NULL AND NOT EXISTS (
       SELECT FROM object_reclaim WHERE key LIKE e.platform_id::text || '/%'
     )`,
  );
