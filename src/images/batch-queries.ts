import { rows } from '../database/sql.js';
import type { Queryable } from '../database/sql.js';

/** Images per statement: seconds at most where the indexes do not fit into memory. */
const batchSize = 1000;

/**
 * Ids of all images that fit a condition, in batches. By a cursor, so that later batches do not
 * pass the rows that were changed or deleted after earlier ones. In the order of upload, more or
 * less, which is the order of the keys that go into object_reclaim.
 * @param condition on the columns of images.
 */
export async function* idBatches(
  tx: Queryable,
  condition: string,
  values: readonly unknown[],
): AsyncGenerator<string[]> {
  await rows(
    tx,
    `DECLARE batches NO SCROLL CURSOR FOR
     SELECT id FROM images WHERE ${condition} ORDER BY created_at, id`,
    values,
  );
  for (;;) {
    const ids = (await rows<{ id: string }>(tx, `FETCH ${batchSize} FROM batches`)).map(
      ({ id }) => id,
    );
    if (ids.length === 0) break;
    yield ids;
  }
  await rows(tx, 'CLOSE batches');
}
