import { validate as isUuid } from 'uuid';
import { ServiceError } from '../../base/errors/catalogue.js';
import { column, type Queryable, rows } from '../../database/sql.js';
import { lockImage } from './images.sql.js';

// Permanent deletion of images; triggers update the counters and queue the objects for reclaim. The
// caller must hold the user's lock, so that no image is restored between being selected and deleted.

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

/** Deletes one image from the trash. @throws ServiceError `image_not_found`, `image_not_in_trash`. */
export async function deleteFromTrash(
  tx: Queryable,
  userId: string,
  imageId: string,
): Promise<void> {
  const image = isUuid(imageId) ? await lockImage(tx, userId, imageId) : undefined;
  if (!image) throw new ServiceError('image_not_found');
  if (!image.trashed) throw new ServiceError('image_not_in_trash');
  await deleteImages(tx, userId, [imageId]);
}

/**
 * Deletes some images that were trashed individually, or with a folder that is no longer in the trash, at
 * `before` or earlier. @returns how many: less than `limit` when none is left.
 */
export async function deleteTrashed(
  tx: Queryable,
  { userId, before, limit }: { userId: string; before: string; limit: number },
): Promise<number> {
  const ids = await column<string>(
    tx,
    `SELECT id FROM images i
     WHERE user_id = $1 AND deleted_at IS NOT NULL AND deleted_at <= $2
       AND NOT EXISTS (SELECT FROM folders f WHERE f.id = i.trashed_with AND f.deleted_at IS NOT NULL)
     LIMIT $3`,
    [userId, before, limit],
  );
  await deleteImages(tx, userId, ids);
  return ids.length;
}
