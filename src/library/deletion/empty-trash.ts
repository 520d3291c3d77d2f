import type { EntityManager } from 'typeorm';
import { isForeignKeyViolation, type Queryable } from '../../database/sql.js';
import { ImageRemoval } from '../images/removal.js';
import { underUserLock, type UserWork } from '../quota/usage.js';
import {
  daysAgo,
  deleteTrashedFolders,
  selectTrashedTrees,
  selectTrashOwners,
  selectTrash,
  type TrashGroup,
  type TrashRow,
  type TrashScope,
} from './empty-trash.sql.js';

export type { TrashRow, TrashScope };

const images = new ImageRemoval();

/** Users fetched per query. */
const ownersPerPage = 1_000;
const lowestId = '00000000-0000-0000-0000-000000000000';

export interface EmptyTrashOptions extends UserWork {
  readonly scope: TrashScope;
  /** Deletes items that have been in the trash at least this long; 0 means everything there now. */
  readonly days: number;
  /** Images per transaction. */
  readonly batchSize?: number;
  /** Stops the run after the current transaction. */
  readonly signal?: AbortSignal;
}

export interface EmptiedTrash {
  readonly images: number;
  readonly folders: number;
  /** Folders that stay because they contain something not yet due; should be empty. */
  readonly stuck: readonly string[];
}

/** The trash of each user who has one; the oldest first. */
export const readTrash = (db: Queryable, scope: TrashScope): Promise<TrashRow[]> =>
  selectTrash(db, scope);

interface DeletionCounts {
  images: number;
  folders: number;
  stuck: string[];
}

/**
 * Permanently deletes items that have been in the trash long enough: individually trashed images in
 * batches, and each folder together with everything trashed along with it, so that a restored
 * folder is complete. Every transaction takes the user's lock first and re-checks the state in the
 * deleting statement, so a concurrent restore either wins or comes too late. The reclaim job
 * deletes the objects later.
 */
export async function emptyTrash(options: EmptyTrashOptions): Promise<EmptiedTrash> {
  const { db, scope, days, signal } = options;
  const before = await daysAgo(db, days);
  const counts: DeletionCounts = { images: 0, folders: 0, stuck: [] };
  let after = lowestId;
  for (;;) {
    const page = { before, after, limit: ownersPerPage };
    const owners = await selectTrashOwners(db, scope, page);
    for (const { userId } of owners) {
      if (signal?.aborted) return counts;
      await emptyOne(options, userId, before, counts);
      after = userId;
    }
    if (owners.length < ownersPerPage) return counts;
  }
}

async function emptyOne(
  options: EmptyTrashOptions,
  userId: string,
  before: string,
  counts: DeletionCounts,
): Promise<void> {
  const { db, batchSize: limit = 500, signal } = options;
  for (let deleted = limit; deleted === limit && !signal?.aborted; counts.images += deleted) {
    const trash = { userId, before, limit };
    deleted = (await underUserLock(options, userId, (tx) => images.removeTrashed(tx, trash))) ?? 0;
  }
  for (const { id: folderId } of await selectTrashedTrees(db, userId, before)) {
    if (signal?.aborted) return;
    try {
      const group = { userId, folderId, before };
      const deleted = await underUserLock(options, userId, (tx) => removeGroup(tx, group));
      counts.images += deleted?.images ?? 0;
      counts.folders += deleted?.folders ?? 0;
    } catch (error) {
      if (!isForeignKeyViolation(error)) throw error;
      counts.stuck.push(folderId);
    }
  }
}

/** The members of a group still in the trash, images first because they are in its folders. */
async function removeGroup(tx: EntityManager, group: TrashGroup) {
  return {
    images: await images.removeAlong(tx, group),
    folders: await deleteTrashedFolders(tx, group),
  };
}
