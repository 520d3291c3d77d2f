import type { DataSource, EntityManager } from 'typeorm';
import { remakeDays, rollUpSome, selectZone } from './roll-up-queries.js';

export interface RollUpOptions {
  /** Time zone whose days are summed. */
  readonly zone: string;
  /** Events per transaction. */
  readonly batchSize?: number;
  /** Ends the run after the batch under way. */
  readonly signal?: AbortSignal;
}

export interface RolledUp {
  /** Events that are counted in daily_stats from now on. */
  readonly events: number;
  /** Whether the days were made anew, for another zone. */
  readonly remade: boolean;
}

/**
 * Adds the events that no day counts yet to their days, whichever those are: days plus unmarked
 * events are the whole ledger before, during and after, so it may run at any moment, any number of
 * times, after any number of nights. An event that commits long after midnight is simply still
 * unmarked, and is added to its day by the next run.
 *
 * The ledger keeps everything, so when the operator changes the time zone, the days are made anew
 * of it. One run at a time: the caller holds the lock.
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
