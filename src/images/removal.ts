import type { Queryable } from '../database/sql.js';
import { deleteImages, fetchDoomed, openDoomed } from './removal-queries.js';

/** Images per statement: well below the time that one statement may take. */
const batchSize = 5000;

/** Deletes images for good; triggers keep the accounts and hand the objects to the reclaim job. */
export class ImageRemoval {
  /** All images of a user, whose lock the caller holds. @returns how many there were. */
  async removeAll(tx: Queryable, userId: string): Promise<number> {
    let removed = 0;
    await openDoomed(tx, userId);
    for (;;) {
      const ids = await fetchDoomed(tx, batchSize);
      if (ids.length === 0) return removed;
      await deleteImages(tx, userId, ids);
      removed += ids.length;
    }
  }
}
