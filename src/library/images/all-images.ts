import type { Queryable } from '../../database/sql.js';
import { idBatches } from './batch.sql.js';
import { selectImageRows } from './images.sql.js';
import type { BatchedImageRecord, ResolveUrl } from './record.js';
import type { RecordPages } from './record-pages.js';

/** Images whose rows are held in memory at a time. */
const atOnce = 50;

/**
 * Every image of a user with its memos, customs, and history, trash included, as a transaction sees
 * them. @param pages must read in the same transaction.
 */
export async function* allImages(
  tx: Queryable,
  pages: RecordPages,
  userId: string,
  resolveUrl: ResolveUrl,
): AsyncGenerator<BatchedImageRecord[]> {
  const include = { memos: true, customs: true, history: true };
  const shape = (record: BatchedImageRecord): BatchedImageRecord => record;
  for await (const ids of idBatches(tx, 'user_id = $1', [userId])) {
    for (let n = 0; n < ids.length; n += atOnce) {
      const images = await selectImageRows(tx, ids.slice(n, n + atOnce));
      yield* pages.batches(images, { include, resolveUrl, shape });
    }
  }
}
