import { Readable } from 'node:stream';
import type { EntityManager } from 'typeorm';
import type { Database } from '../../database/joint-transaction.js';
import { validate as isUuid, v7 as uuidv7 } from 'uuid';
import { isUniqueViolation, type Queryable } from '../../database/sql.js';
import type { PackedIds } from '../../database/bulk.js';
import { ServiceError } from '../../base/errors/catalogue.js';
import {
  deleteTree,
  restoreTree,
  selectImagesBelow,
  trashTree,
  type BulkChange,
  type BulkChanges,
} from '../tree/bulk-changes.js';
import type { InProgress } from '../../http/record-fields.js';
import { Batches, type MaybeBatched } from '../../http/paging/batches.js';
import type { WallClock } from '../../base/time.js';
import type { Usage } from '../quota/usage.js';
import {
  hasFolders,
  insertFolder,
  selectFolder,
  selectHeight,
  selectPath,
  selectSubtree,
  updateFolder,
  type FolderRow,
} from './folders.sql.js';
import { folderRecordOf, type DeletedFolders, type FolderRecord } from './schemas.js';
import { assertFolderOpen, isFolderOpen } from '../tree/tree.js';

/** Maximum nesting depth; a top-level folder is at level 1. */
const maxDepth = 64;

/** Changes to a folder; undefined fields stay unchanged. */
interface FolderChange {
  readonly title?: string | undefined;
  /** null: the top level. */
  readonly parentId?: string | null | undefined;
  readonly trashed?: boolean | undefined;
}

interface FolderParts {
  readonly db: Database;
  readonly usage: Usage;
  readonly clock: WallClock;
  readonly bulk: BulkChanges;
  /** Folders that a user may have, trash included. */
  readonly maxFolders: number;
}

/**
 * Changes to users' folder trees. Each begins with a transaction that takes the user's lock first, so
 * that what it has read of the tree (ancestors, depth, trash) is still valid when it writes. Large trees
 * follow in batches.
 */
export class FolderChanges {
  constructor(private readonly parts: FolderParts) {}

  create(userId: string, title: string, parentId: string | null): Promise<FolderRecord> {
    const id = uuidv7();
    const { maxFolders } = this.parts;
    return this.#locked(userId, async (tx) => {
      if (await hasFolders(tx, userId, maxFolders)) {
        const message = `A user can have at most ${maxFolders} folders (limits.max_folders), trash included. Delete some for good.`;
        throw new ServiceError('too_many_folders', { message, details: { max: maxFolders } });
      }
      if (parentId !== null) {
        const above = await this.#pathOf(tx, userId, parentId);
        assertDepth(above.length + 1);
      }
      await insertFolder(tx, { id, userId, title, parentId });
      return this.#record(tx, userId, id);
    });
  }

  /**
   * Renames, moves, trashes, and restores in any combination; all changes succeed or none. A
   * restored folder whose parent is still in the trash goes to the top level unless it is also
   * moved.
   */
  async update(
    userId: string,
    folderId: string,
    change: FolderChange,
  ): Promise<FolderRecord & InProgress> {
    const { record, left } = await this.#locked(userId, async (tx) => {
      const folder = await find(tx, userId, folderId);
      const { event } = folder;
      const restoring = event !== null && change.trashed === false;
      const title = change.title ?? folder.title;
      const parentId = await this.#newParentOf(tx, folder, change.parentId, restoring);
      const tree = { userId, folderId: folder.id };
      // In this order, a title or parent that exists only while trashed cannot collide.
      let left = event === null && change.trashed === true ? await trashTree(tx, tree) : undefined;
      if (title !== folder.title || parentId !== folder.parentId) {
        await updateFolder(tx, { id: folder.id, userId, title, parentId });
      }
      if (restoring) left = await restoreTree(tx, tree, event);
      return { record: await this.#record(tx, userId, folder.id), left };
    });
    return { ...record, ...(await this.#settled(left)) };
  }

  /** Permanently deletes a folder and everything below it. */
  async remove(userId: string, folderId: string): Promise<MaybeBatched<DeletedFolders>> {
    const { folders, images, left } = await this.#locked(userId, async (tx) => {
      const { id } = await find(tx, userId, folderId);
      const tree = { userId, folderId: id };
      const folders = await selectSubtree(tx, userId, id);
      const images = await selectImagesBelow(tx, tree);
      return { folders, images, left: await deleteTree(tx, tree) };
    });
    return {
      deleted_folders: folders,
      deleted_images: inSlices(images),
      ...(await this.#settled(left)),
    };
  }

  /** Goes on with what a change has left to do, as long as a request may take. */
  async #settled(left: BulkChange | undefined): Promise<InProgress> {
    return (await this.parts.bulk.settle(left)) ? {} : { in_progress: true };
  }

  /** Runs a change under the user's lock; the unique index on sibling titles detects collisions. */
  #locked<T>(userId: string, work: (tx: EntityManager) => Promise<T>): Promise<T> {
    return this.parts.db
      .transaction(async (tx) => {
        await this.parts.usage.lock(tx, userId);
        return work(tx);
      })
      .catch((cause: unknown) => {
        throw isUniqueViolation(cause)
          ? new ServiceError('folder_exists', { field: 'title', cause })
          : cause;
      });
  }

  /** The parent that the folder will have. */
  async #newParentOf(
    tx: Queryable,
    folder: FolderRow,
    target: string | null | undefined,
    restoring: boolean,
  ): Promise<string | null> {
    const { parentId, userId } = folder;
    if (target !== undefined && target !== parentId) {
      if (target !== null) await this.#assertFits(tx, folder, target);
      return target;
    }
    if (!restoring || parentId === null) return parentId;
    return (await isFolderOpen(tx, userId, parentId)) ? parentId : null;
  }

  async #assertFits(tx: Queryable, { id, userId }: FolderRow, target: string): Promise<void> {
    const above = await this.#pathOf(tx, userId, target);
    if (above.some((folder) => folder.id === id)) {
      throw new ServiceError('folder_cycle', { field: 'parent_id' });
    }
    assertDepth(above.length + (await selectHeight(tx, userId, id)));
  }

  async #pathOf(tx: Queryable, userId: string, parentId: string) {
    await assertFolderOpen(tx, userId, parentId, 'parent_id');
    return selectPath(tx, userId, parentId);
  }

  async #record(tx: Queryable, userId: string, folderId: string): Promise<FolderRecord> {
    return folderRecordOf(await find(tx, userId, folderId), this.parts.clock);
  }
}

async function find(tx: Queryable, userId: string, folderId: string) {
  const folder = isUuid(folderId) ? await selectFolder(tx, userId, folderId) : undefined;
  if (!folder) throw new ServiceError('folder_not_found');
  return folder;
}

function assertDepth(depth: number): void {
  if (depth > maxDepth) throw new ServiceError('folder_too_deep', { field: 'parent_id' });
}

/** Ids returned as one array, or in batches of this size. */
const idsAtOnce = 1_000;

const inSlices = (ids: PackedIds): string[] | Batches<string> =>
  ids.length > idsAtOnce
    ? new Batches(Readable.from(ids.slices(idsAtOnce)))
    : [...ids.slices(idsAtOnce)].flat();
