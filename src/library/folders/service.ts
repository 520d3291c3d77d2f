import { Readable } from 'node:stream';
import type { EntityManager } from 'typeorm';
import type { Database } from '../../database/joint-transaction.js';
import { validate as isUuid, v7 as uuidv7 } from 'uuid';
import { isUniqueViolation, type Queryable } from '../../database/sql.js';
import type { PackedIds } from '../../database/bulk.js';
import { ServiceError } from '../../base/errors/catalogue.js';
import { removeInFolders, restoreInFolders, trashInFolders } from '../images/folder-images.js';
import { Batches, type MaybeBatched } from '../../http/paging/batches.js';
import type { WallClock } from '../../base/time.js';
import type { Usage } from '../quota/usage.js';
import {
  hasFolders,
  insertFolder,
  selectFolder,
  selectPath,
  updateFolder,
  type FolderRow,
  type TrashEvent,
} from './folders.sql.js';
import { folderRecordOf, type DeletedFolders, type FolderRecord } from './schemas.js';
import { assertFolderOpen, isFolderOpen } from './guard.js';
import {
  deleteFolders,
  restoreSubtree,
  trashSubtree,
  selectHeight,
  selectSubtree,
} from './tree.sql.js';

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
  /** Folders that a user may have, trash included. */
  readonly maxFolders: number;
}

/**
 * Changes to users' folder trees. Each is one transaction that begins by taking the user's lock, so
 * that what it has read of the tree (ancestors, depth, trash) is still valid when it writes.
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
  update(userId: string, folderId: string, change: FolderChange): Promise<FolderRecord> {
    return this.#locked(userId, async (tx) => {
      const folder = await find(tx, userId, folderId);
      const { event } = folder;
      const restoring = event !== null && change.trashed === false;
      const title = change.title ?? folder.title;
      const parentId = await this.#newParentOf(tx, folder, change.parentId, restoring);
      // In this order, a title or parent that exists only while trashed cannot collide.
      if (event === null && change.trashed === true) await this.#trash(tx, folder);
      if (title !== folder.title || parentId !== folder.parentId) {
        await updateFolder(tx, { id: folder.id, userId, title, parentId });
      }
      if (restoring) await this.#restore(tx, folder, event);
      return this.#record(tx, userId, folder.id);
    });
  }

  /** Permanently deletes a folder and everything below it. */
  remove(userId: string, folderId: string): Promise<MaybeBatched<DeletedFolders>> {
    return this.#locked(userId, async (tx) => {
      const { id } = await find(tx, userId, folderId);
      const folderIds = await selectSubtree(tx, userId, id);
      const imageIds = await removeInFolders(tx, userId, folderIds);
      await deleteFolders(tx, userId, folderIds);
      return { deleted_folders: folderIds, deleted_images: inSlices(imageIds) };
    });
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

  async #trash(tx: Queryable, { id, userId }: FolderRow): Promise<void> {
    const folderIds = await trashSubtree(tx, userId, id);
    await trashInFolders(tx, userId, folderIds, id);
  }

  async #restore(tx: Queryable, { id, userId }: FolderRow, event: TrashEvent): Promise<void> {
    const folderIds = await restoreSubtree(tx, userId, id, event);
    await restoreInFolders(tx, userId, folderIds, event);
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
