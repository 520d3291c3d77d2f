import type { EntityManager } from 'typeorm';
import { ServiceError } from '../../base/errors/catalogue.js';
import { byToken, currentToken } from '../../database/fairness.js';
import type { Database } from '../../database/joint-transaction.js';
import { row, value, type Queryable } from '../../database/sql.js';
import { FolderEntity } from '../folders/entity.js';
import { deleteAllImages } from '../images/removal.js';
import { UserEntity } from '../users/entity.js';
import type { DeletedUser } from '../users/schemas.js';

/**
 * Deletes a user and everything they own in one transaction; triggers hand the objects to the
 * reclaim job. Uploads in progress either commit first or are rejected with `user_not_found`.
 *
 * @throws ServiceError `user_not_found`, also while the user is already being deleted.
 */
export const removeUser = (db: Database, userId: string): Promise<DeletedUser> =>
  db.transaction(async (tx) => {
    if (!(await closeUser(tx, userId))) throw new ServiceError('user_not_found');
    const images = await deleteAllImages(tx, userId);
    const folders = await deleteUser(tx, userId);
    return { user_id: userId, deleted_folders: folders, deleted_images: images };
  });

/**
 * Blocks `lockUsage` for all others until the transaction ends, after waiting for current holders.
 * Records that are deleted with the user do not appear in the change feed.
 * @returns false if there is no such user, or another transaction is doing the same.
 */
export async function closeUser(tx: Queryable, userId: string): Promise<boolean> {
  const isFirst = await value<boolean>(
    tx,
    `SELECT pg_try_advisory_xact_lock(hashtextextended($1, 1)) AS only`,
    [userId],
  );
  if (!isFirst) return false;
  await row(tx, `SELECT pg_advisory_xact_lock(hashtextextended($1, 0))`, [userId]);
  const closed = await row(
    tx,
    `SELECT set_config('imgstore.removed_user', id::text, true)
     FROM users WHERE id = $1 AND ${byToken('$2')} FOR UPDATE`,
    [userId, currentToken()],
  );
  return closed !== undefined;
}

/**
 * Deletes a user whose images are already deleted, with their folders and all other rows that
 * reference the user. @returns how many folders there were.
 */
export async function deleteUser(tx: EntityManager, userId: string): Promise<number> {
  const { affected } = await tx.delete(FolderEntity, { userId });
  await tx.delete(UserEntity, { id: userId });
  return affected ?? 0;
}
