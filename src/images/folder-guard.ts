import type { Queryable } from '../database/sql.js';

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
}
