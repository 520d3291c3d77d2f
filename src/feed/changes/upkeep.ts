import type { DataSource } from 'typeorm';
import { column, onlyValue, type Queryable, row, rows } from '../../database/sql.js';

// What keeps the feed in order: entries expire, and after a restore positions go on above the highest.

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

/** Platforms whose oldest entry is older than this many days. */
const selectPlatformsWithOld = async (db: Queryable, days: number): Promise<string[]> =>
  column<string>(
    db,
    `SELECT p.id FROM platforms p CROSS JOIN LATERAL (
       SELECT at FROM changes WHERE platform_id = p.id
       ORDER BY feed_position, user_id, seq LIMIT 1
     ) AS oldest
     WHERE oldest.at < now() - make_interval(days => $1)
     ORDER BY p.id`,
    [days],
  );

const position = (row: string): string => `(${row}.feed_position, ${row}.user_id, ${row}.seq)`;

/** Whoever has read less far than the newest deleted entry must learn that. */
const keepsNewest = `
       ON CONFLICT (platform_id) DO UPDATE
       SET feed_position = excluded.feed_position, user_id = excluded.user_id, seq = excluded.seq
       WHERE ${position('excluded')} > ${position('feed_expiry')}`;

/** A user with more entries than are kept, and the number of the last one that is not. */
interface LongSequence {
  readonly id: string;
  readonly platformId: string;
  readonly last: number;
}

/** Users with more than this many entries. */
const selectLongSequences = (db: Queryable, kept: number): Promise<LongSequence[]> =>
  rows(
    db,
    `SELECT u.id, u.platform_id AS "platformId", u.change_seq - $1 AS last FROM users u
     WHERE u.change_seq > $1 AND EXISTS (
       SELECT FROM changes c WHERE c.user_id = u.id AND c.seq <= u.change_seq - $1
     )`,
    [kept],
  );

/** Deletes the oldest entries of a user, and records the last one. @returns their number. */
const deleteBeyond = (
  db: Queryable,
  { id, platformId, last }: LongSequence,
  limit: number,
): Promise<number> =>
  onlyValue(
    db,
    `WITH due AS MATERIALIZED (
       SELECT feed_position, user_id, seq FROM changes WHERE user_id = $1 AND seq <= $2
       ORDER BY seq LIMIT $4
     ),
     removed AS (
       DELETE FROM changes c USING due d WHERE c.user_id = d.user_id AND c.seq = d.seq
     ),
     noted AS (
       INSERT INTO feed_expiry (platform_id, feed_position, user_id, seq)
       SELECT $3, feed_position, user_id, seq FROM due ORDER BY seq DESC LIMIT 1
       ${keepsNewest}
     )
     SELECT count(*)::int AS deleted FROM due`,
    [id, last, platformId, limit],
  );

/**
 * Deletes entries of a platform up to the first one that is not older than this many days, and
 * records the last deleted one. Entries are never updated, so this blocks nobody. @returns the
 * number of deleted entries: less than `limit` when none is left.
 */
const deleteOldest = (
  db: Queryable,
  platformId: string,
  { days, limit }: { days: number; limit: number },
): Promise<number> =>
  onlyValue(
    db,
    `WITH oldest AS MATERIALIZED (
       SELECT feed_position, user_id, seq, at FROM changes WHERE platform_id = $1
       ORDER BY feed_position, user_id, seq LIMIT $3
     ),
     due AS MATERIALIZED (
       SELECT feed_position, user_id, seq FROM (
         SELECT *, bool_and(at < now() - make_interval(days => $2))
                     OVER (ORDER BY feed_position, user_id, seq) AS is_due
         FROM oldest
       ) AS entry WHERE is_due
     ),
     removed AS (
       DELETE FROM changes c USING due d
       WHERE c.user_id = d.user_id AND c.seq = d.seq
     ),
     noted AS (
       INSERT INTO feed_expiry (platform_id, feed_position, user_id, seq)
       SELECT $1, feed_position, user_id, seq FROM due
       ORDER BY feed_position DESC, user_id DESC, seq DESC LIMIT 1
       ${keepsNewest}
     )
     SELECT count(*)::int AS deleted FROM due`,
    [platformId, days, limit],
  );

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

/** Whether the next positions have already been assigned. */
const behind = `pg_snapshot_xmax(pg_current_snapshot())::text::bigint + xid_offset <= (${highest})`;

/**
 * Makes positions in the feed continue above the highest one: after a dump is restored into another
 * cluster, transaction ids start over (docs/adr/0015).
 */
export async function startFeedClock(db: DataSource): Promise<void> {
  if (!(await row(db, `SELECT FROM feed_clock WHERE ${behind}`))) return;
  await db.transaction(async (tx) => {
    // Blocks the assignment of positions, and returns once no assigning transaction is running.
    await rows(tx, 'LOCK TABLE feed_clock IN ACCESS EXCLUSIVE MODE');
    await rows(
      tx,
      `UPDATE feed_clock
       SET xid_offset = (${highest}) + 1 - pg_snapshot_xmin(pg_current_snapshot())::text::bigint
       WHERE ${behind}`,
    );
  });
}

/** A transaction that writes, anywhere on the server: entries made after it began are not shown before it ends. */
export interface FeedHolder {
  readonly database: string;
  /** Such as "process 123", or "prepared transaction abc". */
  readonly holder: string;
  /** Since it began; null for a session of another role that this one may not see into. */
  readonly seconds: number | null;
}

/** What holds up the feeds of platforms and webhooks, the oldest first (docs/adr/0015). */
export const selectFeedHolders = (db: Queryable): Promise<FeedHolder[]> =>
  rows(
    db,
    `SELECT database, holder, extract(epoch FROM clock_timestamp() - since)::float8 AS seconds
     FROM (
       SELECT datname AS database, 'process ' || pid AS holder, xact_start AS since, backend_xid AS xid
       FROM pg_stat_activity WHERE backend_xid IS NOT NULL AND pid <> pg_backend_pid()
       UNION ALL
       SELECT database, 'prepared transaction ' || gid, prepared, transaction FROM pg_prepared_xacts
     ) AS holders
     ORDER BY age(xid) DESC LIMIT 20`,
  );

/** How long feeds may stand still before that is worth saying, in seconds. */
export const heldSeconds = 60;
