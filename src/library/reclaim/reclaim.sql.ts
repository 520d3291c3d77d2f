import { row, rows } from '../../database/sql.js';
import type { Queryable } from '../../database/sql.js';

/** Queues keys, due this many minutes from now. */
export const insertKeys = (
  db: Queryable,
  keys: readonly string[],
  minutes: number,
): Promise<unknown> =>
  rows(
    db,
    `INSERT INTO object_reclaim (key, not_before)
     SELECT key, now() + make_interval(mins => $2) FROM unnest($1::text[]) AS key`,
    [keys, minutes],
  );

/** Removes keys from the queue, except those that are due. @returns the removed keys. */
export const deleteUndue = (tx: Queryable, keys: readonly string[]): Promise<{ key: string }[]> =>
  rows(
    tx,
    `DELETE FROM object_reclaim WHERE key = ANY ($1::text[]) AND not_before > now() RETURNING key`,
    [keys],
  );

export const selectListed = (db: Queryable, key: string): Promise<unknown[]> =>
  rows(db, `SELECT FROM object_reclaim WHERE key = $1`, [key]);

/**
 * $1: limit. Locks due rows until the transaction ends, skipping those locked by another
 * transaction (another node's job, or an upload that finishes late).
 */
export const lockDueObjects = `
  SELECT key FROM object_reclaim
  WHERE not_before <= now()
  ORDER BY not_before
  LIMIT $1
  FOR UPDATE SKIP LOCKED`;

/** $1: keys. */
export const forgetObjects = `DELETE FROM object_reclaim WHERE key = ANY($1::text[])`;

/**
 * $1: keys, $2: error. Retries after 10 s, 20 s, 40 s … up to an hour, randomized between half and
 * the full delay, so that one bad key does not end up in the same batch again and again.
 */
export const postponeObjects = `
  UPDATE object_reclaim
  SET attempts = attempts + 1,
      last_error = $2,
      not_before = clock_timestamp()
        + least(interval '1 hour', interval '10 seconds' * power(2, least(attempts, 10)))
        * (0.5 + random() / 2)
  WHERE key = ANY($1::text[])`;

/** One row. A failed attempt puts off the next one, so `not_before` does not tell since when. */
export const backlog = `
  SELECT count(*) AS pending,
         count(*) FILTER (WHERE not_before <= now()) AS due,
         count(*) FILTER (WHERE attempts > 0) AS failing,
         min(CASE WHEN attempts > 0 THEN created_at ELSE not_before END)
           FILTER (WHERE attempts > 0 OR not_before <= now()) AS oldest
  FROM object_reclaim`;

/** An object whose deletion has failed. */
export interface UndeletableObject {
  readonly key: string;
  readonly attempts: number;
  readonly reason: string;
}

export const selectFailures = (db: Queryable, limit: number): Promise<UndeletableObject[]> =>
  rows(
    db,
    `SELECT key, attempts, coalesce(last_error, '') AS reason FROM object_reclaim
     WHERE attempts > 0 ORDER BY attempts DESC, key LIMIT $1`,
    [limit],
  );

/** Objects of a deleted platform or user that are still stored. */
export interface RemainingObjects {
  readonly objects: number;
  /** Those that could not be deleted so far. */
  readonly failing: number;
  /** Why one of them could not be deleted. */
  readonly reason: string | null;
}

/** @param ownerId a platform, the first part of keys, or a user, the second. */
export const selectRemaining = (
  db: Queryable,
  ownerId: string,
): Promise<RemainingObjects | undefined> =>
  row(
    db,
    `SELECT count(*) AS objects, count(*) FILTER (WHERE attempts > 0) AS failing,
            max(last_error) FILTER (WHERE attempts > 0) AS reason
     FROM object_reclaim WHERE $1 IN (split_part(key, '/', 1), split_part(key, '/', 2))`,
    [ownerId],
  );
