import type { DataSource, EntityManager } from 'typeorm';
import { inBatches } from '../../base/concurrency.js';
import { onlyValue, type Queryable, rows, value } from '../../database/sql.js';
import { columns, each, metrics, metricSums } from './entity.js';

/** The zone that daily_stats was computed for; undefined before the first roll-up. */
const selectZone = (db: Queryable) => value<string>(db, `SELECT zone FROM stats_roll_up`);

/** Recomputes the days from all marked events: $1 the zone. Must run in one transaction. */
async function remakeDays(tx: Queryable, zone: string): Promise<void> {
  await rows(
    tx,
    `INSERT INTO stats_roll_up (zone) VALUES ($1)
     ON CONFLICT (singleton) DO UPDATE SET zone = excluded.zone`,
    [zone],
  );
  await rows(tx, `DELETE FROM daily_stats`);
  await rows(
    tx,
    `INSERT INTO daily_stats (platform_id, day, ${columns})
     SELECT platform_id, (occurred_at AT TIME ZONE $1)::date, ${metricSums}
     FROM usage_events WHERE rolled_up
     GROUP BY 1, 2`,
    [zone],
  );
}

/** The same in the zone that they are in. */
export async function remakeDaysAsTheyAre(tx: Queryable): Promise<void> {
  const zone = await selectZone(tx);
  if (zone !== undefined) await remakeDays(tx, zone);
}

/** Offsets of time zones are multiples of this, so a day begins with one of them. */
const slot = "date_bin('15 minutes', occurred_at, 'epoch')";

/**
 * Adds some events to their days and puts one marked event for each user and quarter of an hour in
 * their place, in one statement, so that readers see both or neither: what a user can add to the ledger
 * for good is bounded. An event that another session takes first is skipped. @returns the number of
 * events.
 */
async function rollUpSome(db: Queryable, zone: string, limit: number): Promise<number> {
  return onlyValue(
    db,
    `WITH fresh AS (
       SELECT id FROM usage_events WHERE NOT rolled_up
       ORDER BY platform_id, occurred_at LIMIT $2
     ),
     marked AS (
       DELETE FROM usage_events WHERE id IN (SELECT id FROM fresh) AND NOT rolled_up
       RETURNING platform_id, user_id, occurred_at,
                 (occurred_at AT TIME ZONE $1)::date AS day, ${columns}
     ),
     kept AS (
       INSERT INTO usage_events (platform_id, user_id, occurred_at, rolled_up, ${columns})
       SELECT platform_id, user_id, min(occurred_at), true, ${metricSums}
       FROM marked GROUP BY platform_id, user_id, ${slot}
     ),
     added AS (
       INSERT INTO daily_stats (platform_id, day, ${columns})
       SELECT platform_id, day, ${metricSums} FROM marked GROUP BY 1, 2 ORDER BY 1, 2
       ON CONFLICT (platform_id, day)
       DO UPDATE SET ${each(metrics, (f) => `${f} = daily_stats.${f} + excluded.${f}`)}
     )
     SELECT count(*)::int AS marked FROM marked`,
    [zone, limit],
  );
}

interface RollUpOptions {
  /** Time zone that days are computed in. */
  readonly zone: string;
  /** Events per transaction. */
  readonly batchSize?: number;
  /** Stops the run after the current batch. */
  readonly signal?: AbortSignal;
}

interface RolledUp {
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
  const remade = (await selectZone(db)) !== zone;
  if (remade) await db.transaction((tx) => remakeDays(tx, zone));
  const events = await inBatches(batchSize, signal, () => rollUpSome(db, zone, batchSize));
  return { events, remade };
}
