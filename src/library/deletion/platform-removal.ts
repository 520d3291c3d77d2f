import type { DataSource, EntityManager } from 'typeorm';
import { validate as isUuid } from 'uuid';
import { noteAct } from '../../http/audit/acts.js';
import { tryWithLock } from '../../database/locks.js';
import type { Queryable } from '../../database/sql.js';
import { ServiceError } from '../../base/errors/catalogue.js';
import { remainingObjects, type RemainingObjects } from '../reclaim/reclaim.js';
import * as queries from './platform.sql.js';
import type { ErasureRow } from './platform.sql.js';
import { deleteUser, finishChanges, selectChanges, type SomeImages } from '../bulk/service.js';

/** The report on the deletion of a platform, with what is still stored. */
export interface Erasure extends ErasureRow {
  readonly remaining: RemainingObjects;
}

/** Rows of other tables deleted in one statement. */
const rowsAtOnce = 5_000;

/** Starts the deletion of a platform, which is unusable when this returns. */
export const beginRemoval = (db: DataSource, platformId: string): Promise<void> =>
  db.transaction(async (tx) => {
    if (!(await queries.closePlatform(tx, platformId))) {
      throw new ServiceError('platform_not_found');
    }
    await queries.insertErasure(tx, platformId);
    await noteAct(tx, { act: 'platform.delete', platformId });
  });

/** The report on the deletion of a platform, finished or not. */
export const readErasure = async (
  db: DataSource,
  platformId: string,
): Promise<Erasure | undefined> => {
  const found = isUuid(platformId) ? await queries.selectErasure(db, platformId) : undefined;
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
  if (!(await queries.hasRemovals(db))) return true;
  const done = await tryWithLock(db, 'platformRemoval', async (session) => {
    for (const platformId of await queries.selectDeleting(session)) {
      if (signal.aborted) break;
      await removeOne(session, platformId, options);
    }
    await queries.markObjectsDeleted(session);
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
    queries.addToErasure(tx, platformId, { images: ids.length, ...counted });
  for (;;) {
    for (const change of await selectChanges(db, { platformId })) {
      await finishChanges(db, change, { signal, count });
      if (signal.aborted) return;
    }
    const userId = await queries.selectNextUser(db, platformId);
    if (userId === undefined) break;
    await db.transaction(async (tx) => {
      const { deleted } = await deleteUser(tx, userId);
      const folders = deleted.deleted_folders;
      await queries.addToErasure(tx, platformId, { users: 1, folders });
    });
    if (signal.aborted) return;
    await progress?.(platformId);
  }
  for (const table of queries.listsOfPlatforms) {
    for (let some = rowsAtOnce; some === rowsAtOnce && !signal.aborted;) {
      some = await queries.deleteSome(db, table, platformId, rowsAtOnce);
    }
  }
  if (signal.aborted) return;
  await db.transaction(async (tx) => {
    await queries.deleteKeys(tx, platformId);
    await queries.deletePlatform(tx, platformId);
    await queries.markRowsDeleted(tx, platformId);
    await noteAct(tx, { act: 'platform.deleted', platformId });
  });
}
