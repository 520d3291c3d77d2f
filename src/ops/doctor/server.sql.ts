import { row, rows, type Queryable } from '../../database/sql.js';

/** Moments as a clock in this zone shows them, `YYYYMMDD_HHMMSS`. */
export const selectWallTimes = async (
  db: Queryable,
  zone: string,
  moments: readonly Date[],
): Promise<string[]> =>
  (
    await rows<{ text: string }>(
      db,
      `SELECT to_char(moment AT TIME ZONE $1, 'YYYYMMDD_HH24MISS') AS text
       FROM unnest($2::timestamptz[]) WITH ORDINALITY AS given (moment, place) ORDER BY place`,
      [zone, moments.map((moment) => moment.toISOString())],
    )
  ).map(({ text }) => text);

/** The time of the server's clock. */
export async function selectServerTime(db: Queryable): Promise<Date> {
  const found = await row<{ now: Date }>(db, 'SELECT clock_timestamp() AS now');
  return found?.now ?? new Date(NaN);
}

/** When the installation was created. */
export async function selectCreation(db: Queryable): Promise<Date | undefined> {
  const sql = 'SELECT created_at AS "createdAt" FROM instance';
  return (await row<{ createdAt: Date }>(db, sql))?.createdAt;
}

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

export interface ConnectionCounts {
  /** Available to roles other than superusers. */
  readonly usable: number;
  readonly used: number;
}

export async function selectConnections(db: Queryable): Promise<ConnectionCounts> {
  const found = await row<ConnectionCounts>(
    db,
    `SELECT current_setting('max_connections')::int
              - current_setting('superuser_reserved_connections')::int
              - coalesce(current_setting('reserved_connections', true), '0')::int AS usable,
            count(*) FILTER (WHERE backend_type = 'client backend')::int AS used
     FROM pg_stat_activity`,
  );
  return found ?? { usable: 0, used: 0 };
}

export interface Extension {
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
export async function selectPostgisVersion(db: Queryable): Promise<string | undefined> {
  const sql = `SELECT extversion AS version FROM pg_extension WHERE extname = 'postgis'`;
  return (await row<{ version: string }>(db, sql))?.version;
}
