import type { Queryable } from '../database/sql.js';
import { deleteOldest, selectPlatformsWithOld } from './expiry-queries.js';

export interface ExpiryOptions {
  readonly days: number;
  /** Entries per statement. */
  readonly batchSize?: number;
  /** Stops the run after the current statement. */
  readonly signal?: AbortSignal;
}

/** Deletes entries older than `days`, oldest first. @returns the number of deleted entries. */
export async function expireChanges(db: Queryable, options: ExpiryOptions): Promise<number> {
  const { days, batchSize: limit = 5_000, signal } = options;
  let deleted = 0;
  for (const platformId of await selectPlatformsWithOld(db, days)) {
    for (let some = limit; some === limit && !signal?.aborted; deleted += some) {
      some = await deleteOldest(db, platformId, { days, limit });
    }
  }
  return deleted;
}
