import { rows } from '../database/sql.js';
import type { Queryable } from '../database/sql.js';

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
