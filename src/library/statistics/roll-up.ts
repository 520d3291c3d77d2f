import type { DataSource, EntityManager } from 'typeorm';
import { remakeDays, rollUpSome, selectZone } from './roll-up.sql.js';

export interface RollUpOptions {
  /** Time zone that days are computed in. */
  readonly zone: string;
  /** Events per transaction. */
  readonly batchSize?: number;
  /** Stops the run after the current batch. */
  readonly signal?: AbortSignal;
}

export interface RolledUp {
  /** Events now counted in daily_stats. */
  readonly events: number;
  /** Whether the days were recomputed for another zone. */
  readonly remade: boolean;
}

/**
 * Adds events not yet counted to their days, whichever those are: days plus unmarked events always
 * equal the whole ledger, so this may run at any moment, any number of times, after any number of
 * missed nights. An event that commits long after midnight is simply still unmarked, and the next
 * run adds it to its day.
 *
 * The ledger is condensed, but never pruned, so when the operator changes the time zone, the days are recomputed
 * from it. One run at a time: the caller holds the lock.
 */
export async function rollUp(
  db: DataSource | EntityManager,
  { zone, batchSize = 10_000, signal }: RollUpOptions,
): Promise<RolledUp> {
  const remade = (await selectZone(db))?.zone !== zone;
  if (remade) await db.transaction((tx) => remakeDays(tx, zone));
  let events = 0;
  while (!signal?.aborted) {
    const marked = await rollUpSome(db, zone, batchSize);
    events += marked;
    if (marked < batchSize) break;
  }
  return { events, remade };
}
