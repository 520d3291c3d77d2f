import type { Queryable } from '../database/sql.js';

/** What images need to know of folders, which lie above them: `app.ts` hands it down. */
export interface FolderGuard {
  /**
   * Makes sure that a folder can take something in. If the caller holds the user's lock, the folder
   * stays as it is until the caller's transaction ends.
   *
   * @throws ServiceError `folder_not_found`, `folder_in_trash`.
   */
  assertOpen(tx: Queryable, userId: string, folderId: string): Promise<void>;
}
