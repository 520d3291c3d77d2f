import { rows } from '../../database/sql.js';
import type { Queryable } from '../../database/sql.js';
import { idBatches } from './batch.sql.js';

/**
 * Deletes images with everything attached to them. Their versions are deleted first in one
 * statement: the cascade would delete them one by one, running the trigger for each.
 */
export async function deleteImages(
  tx: Queryable,
  userId: string,
  ids: readonly string[],
): Promise<void> {
  const deleted = 'user_id = $1 AND image_id = ANY ($2::uuid[])';
  await rows(tx, `DELETE FROM image_versions WHERE ${deleted}`, [userId, ids]);
  await rows(tx, `DELETE FROM images WHERE user_id = $1 AND id = ANY ($2::uuid[])`, [userId, ids]);
}

/**
 * Deletes images that were trashed individually; their state is checked while deleting. @returns
 * the number of deleted images.
 */
export async function deleteTrashed(
  tx: Queryable,
  trash: { userId: string; before: string; limit: number },
): Promise<number> {
  const deleted = await rows(
    tx,
    `DELETE FROM images
     WHERE id IN (
         SELECT id FROM images
         WHERE user_id = $1 AND deleted_at IS NOT NULL AND deleted_at <= $2 AND trashed_with IS NULL
         LIMIT $3
       )
       AND user_id = $1 AND deleted_at <= $2
     RETURNING id`,
    [trash.userId, trash.before, trash.limit],
  );
  return deleted.length;
}

/** Images trashed along with a folder, up to a moment. */
export const trashedAlong = (
  tx: Queryable,
  group: { userId: string; folderId: string; before: string },
): AsyncGenerator<string[]> =>
  idBatches(
    tx,
    'user_id = $1 AND trashed_with = $2 AND deleted_at IS NOT NULL AND deleted_at <= $3',
    [group.userId, group.folderId, group.before],
  );
