import type { DataSource } from 'typeorm';
import { rows, type Queryable } from '../../database/sql.js';

/** Blocks the assignment of positions, and returns once no assigning transaction is running. */
const lockClock = (tx: Queryable): Promise<unknown> =>
  rows(tx, 'LOCK TABLE feed_clock IN ACCESS EXCLUSIVE MODE');

// The newest entry of each platform is included because of deleted users.
const highest = `
  SELECT max(position) FROM (
    SELECT max(change_position) AS position FROM users
    UNION ALL
    SELECT newest.feed_position FROM platforms p CROSS JOIN LATERAL (
      SELECT feed_position FROM changes WHERE platform_id = p.id
      ORDER BY feed_position DESC LIMIT 1
    ) AS newest
    UNION ALL
    SELECT max(feed_position) FROM feed_expiry
  ) AS known`;

const behind = `pg_snapshot_xmax(pg_current_snapshot())::text::bigint + xid_offset <= (${highest})`;

/** Whether the next positions have already been assigned. */
const isClockBehind = async (db: Queryable): Promise<boolean> =>
  (await rows(db, `SELECT FROM feed_clock WHERE ${behind}`)).length > 0;

/** Makes positions start above the highest one. */
const raiseClock = (tx: Queryable): Promise<unknown> =>
  rows(
    tx,
    `UPDATE feed_clock
     SET xid_offset = (${highest}) + 1 - pg_snapshot_xmin(pg_current_snapshot())::text::bigint
     WHERE ${behind}`,
  );

/**
 * Makes positions in the feed continue above the highest one: after a dump is restored into another
 * cluster, transaction ids start over (docs/adr/0035).
 */
export async function startFeedClock(db: DataSource): Promise<void> {
  if (!(await isClockBehind(db))) return;
  await db.transaction(async (tx) => {
    await lockClock(tx);
    await raiseClock(tx);
  });
}
