import { validate as isUuid } from 'uuid';
import { ServiceError } from '../../base/errors/catalogue.js';
import { type Queryable, rows } from '../../database/sql.js';
import { idBatches, lockImage } from './images.sql.js';

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

/** Deletes all images of a user. @returns how many there were. */
export const deleteAllImages = (tx: Queryable, userId: string): Promise<number> =>
  deleteBatches(tx, userId, idBatches(tx, 'user_id = $1', [userId]));

/**
 * Deletes some images that were trashed individually, at `before` or earlier; their state is
 * checked while deleting. @returns the number of deleted images: less than `limit` when none is
 * left.
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

/**
 * Deletes images that were trashed along with a folder, at `before` or earlier. @returns the number
 * of deleted images.
 */
export const deleteTrashedAlong = (
  tx: Queryable,
  { userId, folderId, before }: { userId: string; folderId: string; before: string },
): Promise<number> => {
  const along =
    'user_id = $1 AND trashed_with = $2 AND deleted_at IS NOT NULL AND deleted_at <= $3';
  return deleteBatches(tx, userId, idBatches(tx, along, [userId, folderId, before]));
};

async function deleteBatches(
  tx: Queryable,
  userId: string,
  batches: AsyncIterable<string[]>,
): Promise<number> {
  let removed = 0;
  for await (const ids of batches) {
    await deleteImages(tx, userId, ids);
    removed += ids.length;
  }
  return removed;
}
