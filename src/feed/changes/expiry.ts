import type { Queryable } from '../../database/sql.js';
import {
  deleteBeyond,
  deleteOldest,
  selectLongSequences,
  selectPlatformsWithOld,
} from './expiry.sql.js';

export interface ExpiryOptions {
  /** How long entries are kept; 0: forever. */
  readonly days: number;
  /** How many entries of one user are kept; all if omitted. */
  readonly perUser?: number;
  /** Entries per statement. */
  readonly batchSize?: number;
  /** Stops the run after the current statement. */
  readonly signal?: AbortSignal;
}

/**
 * Deletes entries older than `days`, oldest first, and those of users with more than `perUser`.
 * @returns the number of deleted entries.
 */
export async function expireChanges(db: Queryable, options: ExpiryOptions): Promise<number> {
  const { days, perUser, batchSize: limit = 5_000, signal } = options;
  let deleted = 0;
  const long = perUser === undefined ? [] : await selectLongSequences(db, perUser);
  for (const sequence of long) {
    for (let some = limit; some === limit && !signal?.aborted; deleted += some) {
      some = await deleteBeyond(db, sequence, limit);
    }
  }
  if (days === 0) return deleted;
  for (const platformId of await selectPlatformsWithOld(db, days)) {
    for (let some = limit; some === limit && !signal?.aborted; deleted += some) {
      some = await deleteOldest(db, platformId, { days, limit });
    }
  }
  return deleted;
}
