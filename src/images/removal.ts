import type { Queryable } from '../database/sql.js';
import { idBatches } from './batch-queries.js';
import { deleteImages } from './removal-queries.js';

/** Deletes images for good; triggers keep the accounts and hand the objects to the reclaim job. */
export class ImageRemoval {
  /** All images of a user, whose lock the caller holds. @returns how many there were. */
  async removeAll(tx: Queryable, userId: string): Promise<number> {
    let removed = 0;
    for await (const ids of idBatches(tx, 'user_id = $1', [userId])) {
      await deleteImages(tx, userId, ids);
      removed += ids.length;
    }
    return removed;
  }
}
