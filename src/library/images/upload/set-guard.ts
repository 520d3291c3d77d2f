import type { Queryable } from '../../../database/sql.js';

/**
 * The check of upload sets that uploads need. Upload sets belong to a higher layer, so `app.ts`
 * injects it.
 */
export interface SetGuard {
  /**
   * Verifies that a set of the user expects a file. If the caller holds the user's lock, the set
   * does not change until the caller's transaction ends.
   *
   * @returns the folder for uploads of the set that name none; null: the top level.
   * @throws ServiceError `upload_set_not_found`, `not_expected`.
   */
  folderFor(db: Queryable, userId: string, setId: string, hash: Buffer): Promise<string | null>;
}
