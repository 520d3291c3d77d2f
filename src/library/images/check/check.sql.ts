import { rows } from '../../../database/sql.js';
import type { Queryable } from '../../../database/sql.js';

/** Bytes of a SHA-256. */
const hashBytes = 32;

/** A version whose file has one of the hashes. */
export interface PresentVersion {
  /** Index of the hash, from 0. */
  readonly n: number;
  readonly imageId: string;
  readonly version: number;
  readonly inTrash: boolean;
}

/**
 * The user's versions with these hashes, oldest images first, at most `each` per hash. The hashes
 * are sorted, so that the index is read in order. @param hashes concatenated: with an array, and
 * the hash in each row, PostgreSQL, the driver, and this process take a fifth longer.
 */
export const selectPresent = (
  db: Queryable,
  userId: string,
  hashes: Buffer,
  each: number,
): Promise<PresentVersion[]> =>
  rows(
    db,
    `SELECT asked.n, v.image_id AS "imageId", v.version, i.deleted_at IS NOT NULL AS "inTrash"
     FROM (
       SELECT n, substring($2::bytea FROM ${hashBytes} * n + 1 FOR ${hashBytes}) AS hash
       FROM generate_series(0, length($2::bytea) / ${hashBytes} - 1) AS n ORDER BY hash
     ) AS asked
     CROSS JOIN LATERAL (
       SELECT image_id, version FROM image_versions
       WHERE user_id = $1 AND hash = asked.hash
       ORDER BY image_id, version LIMIT $3
     ) AS v
     JOIN images i ON i.id = v.image_id`,
    [userId, hashes, each],
  );
