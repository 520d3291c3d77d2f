import { row, rows } from '../../database/sql.js';
import type { Queryable } from '../../database/sql.js';

const stale = `completed_at IS NULL AND created_at < now() - make_interval(days => $1)`;

/** The next user, by id, with sets that have been open for longer than `days`. */
export const selectStaleOwner = (
  db: Queryable,
  days: number,
  after?: string,
): Promise<{ userId: string } | undefined> =>
  row(
    db,
    `SELECT user_id AS "userId" FROM upload_sets
     WHERE ${stale} AND ($2::uuid IS NULL OR user_id > $2) ORDER BY user_id LIMIT 1`,
    [days, after ?? null],
  );

/**
 * Deletes the user's oldest sets that have been open for longer than `days`. @returns the number of
 * deleted sets.
 */
export async function deleteStaleSets(
  tx: Queryable,
  userId: string,
  days: number,
  limit: number,
): Promise<number> {
  const deleted = await rows(
    tx,
    `DELETE FROM upload_sets WHERE id IN (
       SELECT id FROM upload_sets WHERE ${stale} AND user_id = $2 ORDER BY created_at LIMIT $3
     ) RETURNING id`,
    [days, userId, limit],
  );
  return deleted.length;
}
