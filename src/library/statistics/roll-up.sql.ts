import { row, rows } from '../../database/sql.js';
import type { Queryable } from '../../database/sql.js';
import { columns, each, metrics, sums } from './metrics.js';

/** The zone that daily_stats was computed for; undefined before the first roll-up. */
export const selectZone = (db: Queryable) =>
  row<{ zone: string }>(db, `SELECT zone FROM stats_roll_up`);

/** Recomputes the days from all marked events: $1 the zone. Must run in one transaction. */
export async function remakeDays(tx: Queryable, zone: string): Promise<void> {
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
     SELECT platform_id, (occurred_at AT TIME ZONE $1)::date, ${sums}
     FROM usage_events WHERE rolled_up
     GROUP BY 1, 2`,
    [zone],
  );
}

/** Offsets of time zones are multiples of this, so a day begins with one of them. */
const slot = "date_bin('15 minutes', occurred_at, 'epoch')";

/**
 * Adds some events to their days and puts one marked event for each user and quarter of an hour in
 * their place, in one statement, so that readers see both or neither: what a user can add to the ledger
 * for good is bounded. An event that another session takes first is skipped. @returns the number of
 * events.
 */
export async function rollUpSome(db: Queryable, zone: string, limit: number): Promise<number> {
  const done = await row<{ marked: number }>(
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
       SELECT platform_id, user_id, min(occurred_at), true, ${sums}
       FROM marked GROUP BY platform_id, user_id, ${slot}
     ),
     added AS (
       INSERT INTO daily_stats (platform_id, day, ${columns})
       SELECT platform_id, day, ${sums} FROM marked GROUP BY 1, 2 ORDER BY 1, 2
       ON CONFLICT (platform_id, day)
       DO UPDATE SET ${each(metrics, (f) => `${f} = daily_stats.${f} + excluded.${f}`)}
     )
     SELECT count(*)::int AS marked FROM marked`,
    [zone, limit],
  );
  return done?.marked ?? 0;
}
