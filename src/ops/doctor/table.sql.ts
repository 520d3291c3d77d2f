import { row, rows, type Queryable } from '../../database/sql.js';

/** Whether anything has been in the trash for longer than this. */
export async function holdsExpiredTrash(db: Queryable, days: number): Promise<boolean> {
  const found = await row<{ holds: boolean }>(
    db,
    `SELECT EXISTS (SELECT FROM images WHERE deleted_at IS NOT NULL AND deleted_at < t.before)
         OR EXISTS (SELECT FROM folders WHERE deleted_at IS NOT NULL AND deleted_at < t.before)
         AS holds
     FROM (VALUES (now() - make_interval(days => $1))) AS t (before)`,
    [days],
  );
  return found?.holds === true;
}

/** Paused webhooks, and why; the most recently paused come first. */
export const selectPausedWebhooks = (
  db: Queryable,
): Promise<{ readonly id: string; readonly reason: string }[]> =>
  rows(
    db,
    `SELECT id, paused_reason AS reason FROM webhooks
     WHERE paused_reason IS NOT NULL ORDER BY updated_at DESC LIMIT 1000`,
  );

export interface Bloat {
  readonly table: string;
  readonly bytes: number;
  /** Bytes that are empty, according to the statistics. */
  readonly empty: number;
}

/**
 * Estimates from the statistics how much of each table is empty: its pages, minus rows times the
 * width of their columns. Values stored separately (TOAST) are not included in either.
 */
export const estimateBloat = (db: Queryable, minBytes: number, share: number): Promise<Bloat[]> =>
  rows(
    db,
    `WITH width AS (
       SELECT tablename, 28 + sum(avg_width * (1 - null_frac)) AS bytes
       FROM pg_stats WHERE schemaname = current_schema() GROUP BY tablename
     ),
     found AS (
       SELECT c.relname AS "table", c.relpages::bigint * 8192 AS bytes,
              (c.relpages * 8192 - greatest(c.reltuples, 0) * coalesce(w.bytes, 28) * 1.1)::bigint
                AS empty
       FROM pg_class c LEFT JOIN width w ON w.tablename = c.relname
       WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r'
     )
     SELECT "table", bytes, empty FROM found
     WHERE empty > $1::bigint AND empty > bytes * $2::float8 ORDER BY empty DESC`,
    [minBytes, share],
  );

/** Whether the server removes dead rows automatically. */
export async function vacuumsByItself(db: Queryable): Promise<boolean> {
  const sql = `SELECT current_setting('autovacuum')::boolean AS does`;
  return (await row<{ does: boolean }>(db, sql))?.does === true;
}
