import type { Queryable } from '../../database/sql.js';
import { idBatches } from './batch.sql.js';
import { deleteImages, deleteTrashed, trashedAlong } from './removal.sql.js';

/**
 * Permanently deletes images; triggers update the counters and queue the objects for reclaim. The
 * caller must hold the user's lock, so that no image is restored between being selected and
 * deleted.
 */
export class ImageRemoval {
  /** Deletes all images of a user. @returns how many there were. */
  removeAll(tx: Queryable, userId: string): Promise<number> {
    return this.#remove(tx, userId, idBatches(tx, 'user_id = $1', [userId]));
  }

  /** Deletes these images of the user. */
  remove(tx: Queryable, userId: string, ids: readonly string[]): Promise<void> {
    return deleteImages(tx, userId, ids);
  }

  /**
   * Deletes some images that were trashed individually, at `before` or earlier. @returns the number
   * of deleted images: less than `limit` when none is left.
   */
  removeTrashed(
    tx: Queryable,
    trash: { userId: string; before: string; limit: number },
  ): Promise<number> {
    return deleteTrashed(tx, trash);
  }

  /**
   * Deletes images that were trashed along with a folder, at `before` or earlier. @returns the
   * number of deleted images.
   */
  removeAlong(
    tx: Queryable,
    group: { userId: string; folderId: string; before: string },
  ): Promise<number> {
    return this.#remove(tx, group.userId, trashedAlong(tx, group));
  }

  async #remove(tx: Queryable, userId: string, batches: AsyncIterable<string[]>): Promise<number> {
    let removed = 0;
    for await (const ids of batches) {
      await deleteImages(tx, userId, ids);
      removed += ids.length;
    }
    return removed;
  }
}
