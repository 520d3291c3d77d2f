import type { Queryable } from '../../database/sql.js';

/** A user, or all users of a platform. */
export interface FolderOwner {
  readonly kind: 'users' | 'platforms';
  readonly id: string;
}

/**
 * The check of folders that images need. Folders belong to a higher layer, so `app.ts` injects it.
 */
export interface FolderGuard {
  /**
   * Verifies that a folder accepts new content. If the caller holds the user's lock, the folder
   * does not change until the caller's transaction ends.
   *
   * @throws ServiceError `folder_not_found`, `folder_in_trash`.
   */
  assertOpen(tx: Queryable, userId: string, folderId: string): Promise<void>;

  /**
   * Verifies that a folder by which images are filtered exists, in the trash or not.
   * @throws ServiceError `folder_not_found`.
   */
  assertExists(db: Queryable, owner: FolderOwner, folderId: string): Promise<void>;
}
