import { column, onlyRow, onlyValue, type Queryable, rows, value } from '../../database/sql.js';

/** Moments as a clock in this zone shows them, `YYYYMMDD_HHMMSS`. */
export const selectWallTimes = (
  db: Queryable,
  zone: string,
  moments: readonly Date[],
): Promise<string[]> =>
  column(
    db,
    `SELECT to_char(moment AT TIME ZONE $1, 'YYYYMMDD_HH24MISS') AS text
     FROM unnest($2::timestamptz[]) WITH ORDINALITY AS given (moment, place) ORDER BY place`,
    [zone, moments.map((moment) => moment.toISOString())],
  );

/** The time of the server's clock. */
export const selectServerTime = (db: Queryable): Promise<Date> =>
  onlyValue(db, 'SELECT clock_timestamp() AS now');

/** When the installation was created. */
export const selectCreation = (db: Queryable): Promise<Date | undefined> =>
  value(db, 'SELECT created_at FROM instance');

/** A setting of the server with a wrong value. */
export interface ServerSetting {
  readonly name: string;
  readonly value: string;
  /** The source of the value: `database` if it was set only for this database. */
  readonly source: string;
}

/** Makes the server reload its settings. */
export const reloading = 'SELECT pg_reload_conf()';

/** Makes the server stop retaining WAL for a slot. */
export const droppingSlot = (name: string): string => `SELECT pg_drop_replication_slot('${name}')`;

/** Settings with which a crash may lose or damage stored data. */
export const selectUnsafeSettings = (db: Queryable): Promise<ServerSetting[]> =>
  rows(
    db,
    `SELECT name, setting AS value, source FROM pg_settings
     WHERE name IN ('fsync', 'full_page_writes', 'synchronous_commit') AND setting = 'off'
     ORDER BY name`,
  );

interface ConnectionCounts {
  /** Available to roles other than superusers. */
  readonly usable: number;
  readonly used: number;
}

export const selectConnections = (db: Queryable): Promise<ConnectionCounts> =>
  onlyRow(
    db,
    `SELECT current_setting('max_connections')::int
              - current_setting('superuser_reserved_connections')::int
              - coalesce(current_setting('reserved_connections', true), '0')::int AS usable,
            count(*) FILTER (WHERE backend_type = 'client backend')::int AS used
     FROM pg_stat_activity`,
  );

interface Extension {
  readonly name: string;
  readonly installed: string;
  /** The version of the server's library. */
  readonly available: string;
}

/** Extensions whose functions have a different version than the server's libraries. */
export const selectOutdatedExtensions = (
  db: Queryable,
  names: readonly string[],
): Promise<Extension[]> =>
  rows(
    db,
    `SELECT name, installed_version AS installed, default_version AS available
     FROM pg_available_extensions
     WHERE name = ANY ($1::text[]) AND installed_version <> default_version ORDER BY name`,
    [names],
  );

/** The version of PostGIS, such as 3.3.2. */
export const selectPostgisVersion = (db: Queryable): Promise<string | undefined> =>
  value(db, `SELECT extversion FROM pg_extension WHERE extname = 'postgis'`);

/** Whether anything has been in the trash for longer than this. */
export const holdsExpiredTrash = (db: Queryable, days: number): Promise<boolean> =>
  onlyValue(
    db,
    `SELECT EXISTS (SELECT FROM images WHERE deleted_at IS NOT NULL AND deleted_at < t.before)
         OR EXISTS (SELECT FROM folders WHERE deleted_at IS NOT NULL AND deleted_at < t.before)
         AS holds
     FROM (VALUES (now() - make_interval(days => $1))) AS t (before)`,
    [days],
  );

/** Paused webhooks, and why; the most recently paused come first. */
export const selectPausedWebhooks = (
  db: Queryable,
): Promise<{ readonly id: string; readonly reason: string }[]> =>
  rows(
    db,
    `SELECT id, paused_reason AS reason FROM webhooks
     WHERE paused_reason IS NOT NULL ORDER BY updated_at DESC LIMIT 1000`,
  );

interface Bloat {
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
export const vacuumsByItself = (db: Queryable): Promise<boolean> =>
  onlyValue(db, `SELECT current_setting('autovacuum')::boolean`);

/** Whether commits wait until a standby server has them. */
export const waitsForStandby = (db: Queryable): Promise<boolean> =>
  onlyValue(
    db,
    `SELECT current_setting('synchronous_standby_names') <> ''
       AND current_setting('synchronous_commit') NOT IN ('off', 'local')`,
  );

/** A sort order that has changed since indexes were built with it. */
interface Drift {
  readonly id: number;
  /** What to refresh, in SQL: a collation, or the database for its default one. */
  readonly name: string;
  readonly recorded: string;
  readonly actual: string;
}

/** Checks the collations that our indexes use, and the default one of the database. */
export const selectDrift = (db: Queryable): Promise<Drift[]> =>
  rows(
    db,
    `SELECT c.oid::int AS id, 'COLLATION ' || c.oid::regcollation AS name, c.collversion AS recorded,
            pg_collation_actual_version(c.oid) AS actual
     FROM pg_collation c
     WHERE c.collversion <> pg_collation_actual_version(c.oid)
       AND EXISTS (SELECT FROM pg_index i WHERE c.oid = ANY (i.indcollation))
     UNION ALL
     SELECT 100, 'DATABASE ' || quote_ident(datname), datcollversion,
            pg_database_collation_actual_version(oid)
     FROM pg_database
     WHERE datname = current_database()
       AND datcollversion <> pg_database_collation_actual_version(oid)`,
  );

/** Statements that rebuild the indexes, without blocking a running service where possible. */
const selectReindexing = (db: Queryable, collation: number): Promise<string[]> =>
  column(
    db,
    `SELECT 'REINDEX INDEX ' || CASE WHEN i.indisexclusion THEN '' ELSE 'CONCURRENTLY ' END
              || i.indexrelid::regclass AS statement
     FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
     WHERE $1::oid = ANY (i.indcollation) AND c.relnamespace = current_schema()::regnamespace
     ORDER BY c.relname`,
    [collation],
  );

/**
 * Rebuilds the indexes of a sort order, and only then records its new version.
 * @param session without a statement timeout. @returns how many indexes there were.
 */
export async function rebuildByCollation(session: Queryable, drift: Drift): Promise<number> {
  const statements = await selectReindexing(session, drift.id);
  for (const statement of statements) await rows(session, statement);
  const collation = drift.name.startsWith('DATABASE') ? 'COLLATION ' : '';
  await rows(session, `ALTER ${drift.name} REFRESH ${collation}VERSION`);
  return statements.length;
}

/** The name of the database that a session is in. */
export const selectDatabaseName = (db: Queryable): Promise<string> =>
  onlyValue(db, 'SELECT quote_ident(current_database())');

/** Those of these ids that no platform has. */
export const selectUnknownPlatforms = (db: Queryable, ids: readonly string[]): Promise<string[]> =>
  column(
    db,
    `SELECT id FROM unnest($1::uuid[]) AS named (id)
     WHERE NOT EXISTS (SELECT FROM platforms p WHERE p.id = named.id)`,
    [ids],
  );

/** How many logs are without a time stamp because of a failure, and the reason that one of them has. */
export const selectUnstamped = (
  db: Queryable,
): Promise<{ readonly logs: number; readonly reason: string | null }> =>
  onlyRow(
    db,
    `SELECT count(*)::int AS logs, min(stamp_error) AS reason FROM custody_logs
     WHERE ended_at IS NULL AND stamp_error IS NOT NULL`,
  );
