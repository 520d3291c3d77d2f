import { rows } from '../database/sql.js';
import type { Queryable } from '../database/sql.js';

/**
 * Starts a walk over all images of a user, until the transaction ends: a cursor, so that later
 * steps do not pass the rows that earlier ones deleted. In the order of upload, more or less, which
 * is the order of the keys that go into object_reclaim.
 */
export const openDoomed = (tx: Queryable, userId: string): Promise<unknown> =>
  rows(
    tx,
    `DECLARE doomed NO SCROLL CURSOR FOR
     SELECT id FROM images WHERE user_id = $1 ORDER BY created_at, id`,
    [userId],
  );

/** The next ids of the walk; empty at its end. */
export const fetchDoomed = async (tx: Queryable, count: number): Promise<string[]> =>
  (await rows<{ id: string }>(tx, `FETCH ${count} FROM doomed`)).map(({ id }) => id);

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
