import { rows } from '../../database/sql.js';
import type { Queryable } from '../../database/sql.js';

/** Images per statement: keeps it to seconds even when the indexes do not fit in memory. */
const batchSize = 1000;

/**
 * Ids of all images that match a condition, in batches. Uses a cursor, so that later batches do not
 * rescan rows that earlier ones changed or deleted. Roughly in upload order, which is the order of
 * the keys inserted into object_reclaim.
 * @param condition on the columns of images `i`.
 * @param order by default, by creation time.
 */
export async function* idBatches(
  tx: Queryable,
  condition: string,
  values: readonly unknown[],
  order = 'i.created_at, i.id',
): AsyncGenerator<string[]> {
  await rows(
    tx,
    `DECLARE batches NO SCROLL CURSOR FOR
     SELECT i.id FROM images i WHERE ${condition} ORDER BY ${order}`,
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
