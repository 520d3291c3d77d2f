import { row, rows } from '../database/sql.js';
import type { Queryable } from '../database/sql.js';
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

/**
 * Marks some events and adds them to their days, in one statement, so that readers see both or
 * neither. An event that another session marks first is skipped. @returns the number of marked
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
       UPDATE usage_events SET rolled_up = true
       WHERE id IN (SELECT id FROM fresh) AND NOT rolled_up
       RETURNING platform_id, (occurred_at AT TIME ZONE $1)::date AS day, ${columns}
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
