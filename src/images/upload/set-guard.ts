import type { Queryable } from '../../database/sql.js';

/** What uploads need to know of upload sets, which lie above them: `app.ts` hands it down. */
export interface SetGuard {
  /**
   * Makes sure that a set of the user expects a file. If the caller holds the user's lock, the set
   * stays as it is until the caller's transaction ends.
   *
   * @returns the folder for uploads of the set that name none; null: the top level.
   * @throws ServiceError `upload_set_not_found`, `not_expected`.
   */
  folderFor(db: Queryable, userId: string, setId: string, hash: Buffer): Promise<string | null>;
}
