import type { EntityManager } from 'typeorm';
import { validate as isUuid } from 'uuid';
import type { Queryable } from '../../database/sql.js';
import { ServiceError } from '../../base/errors/catalogue.js';
import { deleteFoldersOf, selectFolderState, selectIsFolderOf } from './folders.sql.js';

/** A user, or all users of a platform. */
export interface FolderOwner {
  readonly kind: 'users' | 'platforms';
  readonly id: string;
}

/** Checks of folders for what puts content in them, or filters by them. */
export class FolderGuard {
  /**
   * Verifies that a folder accepts new content. The caller must hold the user's lock, so that the
   * folder does not change until the caller's transaction ends.
   *
   * @param field the request field that names the folder.
   * @throws ServiceError `folder_not_found`, `folder_in_trash`.
   */
  async assertOpen(
    tx: Queryable,
    userId: string,
    folderId: string,
    field = 'folder_id',
  ): Promise<void> {
    const state = isUuid(folderId) ? await selectFolderState(tx, userId, folderId) : undefined;
    if (!state) throw new ServiceError('folder_not_found', { field });
    if (state.trashed) throw new ServiceError('folder_in_trash', { field });
  }

  /**
   * Verifies that a folder by which images are filtered exists, in the trash or not.
   * @throws ServiceError `folder_not_found`.
   */
  async assertExists(db: Queryable, owner: FolderOwner, folderId: string): Promise<void> {
    if (await selectIsFolderOf(db, owner, folderId)) return;
    throw new ServiceError('folder_not_found', { field: 'folder_id' });
  }

  /**
   * Whether the user has such a folder and it is not in the trash. The caller must hold the user's
   * lock.
   */
  async isOpen(tx: Queryable, userId: string, folderId: string): Promise<boolean> {
    return (await selectFolderState(tx, userId, folderId))?.trashed === false;
  }

  /**
   * Deletes all folders of a user whose images are already deleted. @returns how many there were.
   */
  removeAll(tx: EntityManager, userId: string): Promise<number> {
    return deleteFoldersOf(tx, userId);
  }
}
