import type { DataSource, EntityManager } from 'typeorm';
import { validate as isUuid } from 'uuid';
import { inBatches } from '../../base/concurrency.js';
import { noteAct } from '../../http/audit/acts.js';
import { tryWithLock } from '../../database/locks.js';
import { type RowOf, selectList } from '../../database/columns.js';
import { column, countRows, exists, type Queryable, row, rows, value } from '../../database/sql.js';
import { erasureColumns } from '../platforms/entity.js';
import { ServiceError } from '../../base/errors/catalogue.js';
import { remainingObjects, type RemainingObjects } from '../reclaim/reclaim.js';
import { deleteUser, finishChanges, selectChanges, type SomeImages } from './bulk-changes.js';

type ErasureRow = Readonly<RowOf<typeof erasureColumns>>;

/** The report on the deletion of a platform, with what is still stored. */
export interface Erasure extends ErasureRow {
  readonly remaining: RemainingObjects;
}

/** Rows of other tables deleted in one statement. */
const rowsAtOnce = 5_000;

/** Starts the deletion of a platform, which is unusable when this returns. */
export const beginRemoval = (db: DataSource, platformId: string): Promise<void> =>
  db.transaction(async (tx) => {
    if (!(await closePlatform(tx, platformId))) {
      throw new ServiceError('platform_not_found');
    }
    await rows(tx, 'INSERT INTO erasures (platform_id) VALUES ($1)', [platformId]);
    await noteAct(tx, { act: 'platform.delete', platformId });
  });

/** The report on the deletion of a platform, finished or not. */
export const readErasure = async (
  db: DataSource,
  platformId: string,
): Promise<Erasure | undefined> => {
  const found = isUuid(platformId) ? await selectErasure(db, platformId) : undefined;
  return found && { ...found, remaining: await remainingObjects(db, platformId) };
};

interface RemovalOptions {
  readonly db: DataSource;
  /** Stops after the current transaction; the next run resumes there. */
  readonly signal: AbortSignal;
  /** Called after each transaction. */
  readonly progress?: (platformId: string) => Promise<void>;
}

/**
 * Deletes platforms marked for deletion, in small transactions that each update the report: an
 * interrupted run can be resumed. @returns false if another process is doing this.
 */
export async function removePlatforms(options: RemovalOptions): Promise<boolean> {
  const { db, signal } = options;
  if (!(await hasRemovals(db))) return true;
  const done = await tryWithLock(db, 'platformRemoval', async (session) => {
    for (const platformId of await selectDeleting(session)) {
      if (signal.aborted) break;
      await removeOne(session, platformId, options);
    }
    await markObjectsDeleted(session);
    return true;
  });
  return done === true;
}

async function removeOne(
  db: EntityManager,
  platformId: string,
  { signal, progress }: RemovalOptions,
): Promise<void> {
  const count = (tx: Queryable, { ids, ...counted }: SomeImages): Promise<unknown> =>
    addToErasure(tx, platformId, { images: ids.length, ...counted });
  for (;;) {
    for (const change of await selectChanges(db, { platformId })) {
      await finishChanges(db, change, { signal, count });
      if (signal.aborted) return;
    }
    const userId = await selectNextUser(db, platformId);
    if (userId === undefined) break;
    await db.transaction(async (tx) => {
      const { deleted } = await deleteUser(tx, userId);
      const folders = deleted.deleted_folders;
      await addToErasure(tx, platformId, { users: 1, folders });
    });
    if (signal.aborted) return;
    await progress?.(platformId);
  }
  for (const [table, key] of lists) {
    await inBatches(rowsAtOnce, signal, () =>
      countRows(
        db,
        `DELETE FROM ${table} WHERE (${key}) IN (
           SELECT ${key} FROM ${table} WHERE platform_id = $1 LIMIT $2
         ) RETURNING 1`,
        [platformId, rowsAtOnce],
      ),
    );
  }
  if (signal.aborted) return;
  await db.transaction(async (tx) => {
    for (const sql of lastOfPlatform) await rows(tx, sql, [platformId]);
    await noteAct(tx, { act: 'platform.deleted', platformId });
  });
}

/**
 * Makes the platform unusable: all tokens are refused, and its name and identity become available.
 * @returns false for an unknown platform, or one that is already being deleted.
 */
const closePlatform = (tx: Queryable, platformId: string) =>
  exists(
    tx,
    `WITH freed AS (DELETE FROM identities WHERE platform_id = $1)
     UPDATE platforms
     SET deleting_at = now(), suspended_at = coalesce(suspended_at, now()),
         token_generation = token_generation + 1, revoked_at = now(), updated_at = now(),
         name = 'being deleted: ' || id::text
     WHERE id = $1 AND deleting_at IS NULL RETURNING id`,
    [platformId],
  );

const selectErasure = (db: Queryable, platformId: string): Promise<ErasureRow | undefined> =>
  row(db, `SELECT ${selectList(erasureColumns)} FROM erasures WHERE platform_id = $1`, [
    platformId,
  ]);

/** Whether there is a platform to delete, or one whose objects may have been deleted since. */
const hasRemovals = (db: Queryable) =>
  exists(db, 'SELECT FROM erasures WHERE objects_deleted_at IS NULL LIMIT 1');

const selectDeleting = (db: Queryable): Promise<string[]> =>
  column<string>(
    db,
    'SELECT id FROM platforms WHERE deleting_at IS NOT NULL ORDER BY deleting_at, id',
  );

const selectNextUser = (db: Queryable, platformId: string): Promise<string | undefined> =>
  value(db, 'SELECT id FROM users WHERE platform_id = $1 ORDER BY created_at, id LIMIT 1', [
    platformId,
  ]);

const counters = ['users', 'folders', 'images', 'versions', 'objects', 'bytes'] as const;
type ErasureCounts = Readonly<Partial<Record<(typeof counters)[number], number>>>;

const addToErasure = (tx: Queryable, platformId: string, counts: ErasureCounts): Promise<unknown> =>
  rows(
    tx,
    `UPDATE erasures SET ${counters.map((name, n) => `${name} = ${name} + $${n + 2}`).join(', ')}
     WHERE platform_id = $1`,
    [platformId, ...counters.map((name) => counts[name] ?? 0)],
  );

/** Tables with many rows of a platform, and their keys. */
const lists = [
  ['changes', 'user_id, seq'],
  ['usage_events', 'id'],
] as const;

/** Deletes the replays of the platform, its row, and with that the few rows that still reference it. */
const lastOfPlatform = [
  'DELETE FROM idempotency_keys WHERE owner = $1',
  'DELETE FROM platforms WHERE id = $1 AND deleting_at IS NOT NULL',
  'UPDATE erasures SET rows_deleted_at = now() WHERE platform_id = $1',
];

/** Marks erasures whose objects have all been deleted. */
export const markObjectsDeleted = (db: Queryable): Promise<unknown> =>
  rows(
    db,
    `UPDATE erasures e SET objects_deleted_at = now()
     WHERE rows_deleted_at IS NOT NULL AND objects_deleted_at IS NULL AND NOT EXISTS (
       SELECT FROM object_reclaim WHERE key LIKE e.platform_id::text || '/%'
     )`,
  );
