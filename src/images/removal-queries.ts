import { rows } from '../database/sql.js';
import type { Queryable } from '../database/sql.js';
import { idBatches } from './batch-queries.js';

/**
 * Deletes images with all that hangs on them. The versions go first and together: the cascade would
 * take them one by one, each with a run of the trigger.
 */
export async function deleteImages(
  tx: Queryable,
  userId: string,
  ids: readonly string[],
): Promise<void> {
  const doomed = 'user_id = $1 AND image_id = ANY ($2::uuid[])';
  await rows(tx, `DELETE FROM image_versions WHERE ${doomed}`, [userId, ids]);
  await rows(tx, `DELETE FROM images WHERE user_id = $1 AND id = ANY ($2::uuid[])`, [userId, ids]);
}

/**
 * Deletes images that went to the trash by themselves; their state is looked at while deleting.
 * @returns how many.
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

/** Images that went to the trash along with a folder, until a moment. */
export const trashedAlong = (
  tx: Queryable,
  group: { userId: string; folderId: string; before: string },
): AsyncGenerator<string[]> =>
  idBatches(
    tx,
    'user_id = $1 AND trashed_with = $2 AND deleted_at IS NOT NULL AND deleted_at <= $3',
    [group.userId, group.folderId, group.before],
  );
