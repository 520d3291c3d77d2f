import { rows } from '../../database/sql.js';
import type { Queryable } from '../../database/sql.js';

/** A version whose file has one of the hashes. */
export interface PresentVersion {
  readonly hash: Buffer;
  readonly imageId: string;
  readonly version: number;
  readonly inTrash: boolean;
}

/**
 * The user's versions with these hashes, the oldest images first, at most `each` per hash. Sorted,
 * so that neighbors in the index are looked up one after the other.
 */
export const selectPresent = (
  db: Queryable,
  userId: string,
  hashes: readonly Buffer[],
  each: number,
): Promise<PresentVersion[]> =>
  rows(
    db,
    `SELECT v.hash, v.image_id AS "imageId", v.version, i.deleted_at IS NOT NULL AS "inTrash"
     FROM (SELECT hash FROM unnest($2::bytea[]) AS hash ORDER BY hash) AS asked
     CROSS JOIN LATERAL (
       SELECT hash, image_id, version FROM image_versions
       WHERE user_id = $1 AND hash = asked.hash
       ORDER BY image_id, version LIMIT $3
     ) AS v
     JOIN images i ON i.id = v.image_id`,
    [userId, hashes, each],
  );
