import type { EntityManager } from 'typeorm';
import { z } from 'zod';
import { ServiceError } from '../../base/errors/catalogue.js';
import { byToken, currentToken } from '../../database/fairness.js';
import type { Database } from '../../database/joint-transaction.js';
import { row, type Queryable } from '../../database/sql.js';
import { id } from '../../http/record-fields.js';
import type { FolderGuard } from '../folders/guard.js';
import type { ImageRemoval } from '../images/removal.js';
import { UserEntity } from '../users/entity.js';

/**
 * Blocks `lockUsage` for all others until the transaction ends, after waiting for current holders.
 * Records that are deleted with the user do not appear in the change feed.
 * @returns false if there is no such user, or another transaction is doing the same.
 */
export async function closeUser(tx: Queryable, userId: string): Promise<boolean> {
  const only = await row<{ only: boolean }>(
    tx,
    `SELECT pg_try_advisory_xact_lock(hashtextextended($1, 1)) AS only`,
    [userId],
  );
  if (!only?.only) return false;
  await row(tx, `SELECT pg_advisory_xact_lock(hashtextextended($1, 0))`, [userId]);
  const closed = await row(
    tx,
    `SELECT set_config('imgstore.removed_user', id::text, true)
     FROM users WHERE id = $1 AND ${byToken('$2')} FOR UPDATE`,
    [userId, currentToken()],
  );
  return closed !== undefined;
}

/** Rows that reference the user go with it; images and folders must already be deleted. */
export const deleteUser = (tx: EntityManager, userId: string): Promise<unknown> =>
  tx.delete(UserEntity, { id: userId });

export const deletedUser = z
  .object({ user_id: id, deleted_folders: z.int(), deleted_images: z.int() })
  .meta({ id: 'DeletedUser' });
export type DeletedUser = z.output<typeof deletedUser>;

/** Deletes users. */
export class UserRemoval {
  constructor(
    private readonly db: Database,
    private readonly images: ImageRemoval,
    private readonly folders: FolderGuard,
  ) {}

  /**
   * Deletes a user and everything they own in one transaction; triggers hand the objects to the
   * reclaim job. Uploads in progress either commit first or are rejected with `user_not_found`.
   *
   * @throws ServiceError `user_not_found`, also while the user is already being deleted.
   */
  async remove(userId: string): Promise<DeletedUser> {
    return this.db.transaction(async (tx) => {
      if (!(await closeUser(tx, userId))) throw new ServiceError('user_not_found');
      const images = await this.images.removeAll(tx, userId);
      const folders = await this.folders.removeAll(tx, userId);
      await deleteUser(tx, userId);
      return { user_id: userId, deleted_folders: folders, deleted_images: images };
    });
  }
}
