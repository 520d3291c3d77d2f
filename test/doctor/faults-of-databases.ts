import { before } from '../../migrations/index.js';
import pg from 'pg';
import { Relay } from '../../testkit/relay.js';
import type { Fault } from './fault.js';

/** Restores a column of a catalog to its value before the fault. */
const inCatalog = (
  table: string,
  column: string,
  value: string,
  where: string,
): Fault['inject'] => {
  const note = 'noted_before';
  return async (patient) => {
    await patient.asSuperuser(
      `CREATE TABLE ${note} AS SELECT ${column} AS value FROM ${table} WHERE ${where}`,
      `UPDATE ${table} SET ${column} = ${value} WHERE ${where}`,
    );
    return () =>
      patient.asSuperuser(
        `UPDATE ${table} SET ${column} = (SELECT value FROM ${note}) WHERE ${where}`,
        `DROP TABLE ${note}`,
      );
  };
};

const thisDatabase = (statement: string): string =>
  `DO $$ BEGIN EXECUTE format('ALTER DATABASE %I ${statement}', current_database()); END $$`;

/** Faults of the database and its content. */
export const faultsOfDatabases: readonly Fault[] = [
  {
    what: 'a server that is down',
    check: 'database',
    level: 'problem',
    says: /cannot be reached: connect ECONNREFUSED/,
    cure: /systemctl start postgresql; .+config set database\.url/,
    given: { args: ['--database-url', 'postgresql://u:p@127.0.0.1:1/x'] },
  },
  {
    what: 'a host of the database that is down',
    check: 'hosts',
    level: 'warning',
    says: /Hosts that cannot be used: 127\.0\.0\.1:1: connect ECONNREFUSED/,
    cure: /config set database\.url/,
    inject: async (patient) => {
      const { host, port, user, password, database } = new pg.Client({
        connectionString: patient.url,
      });
      const relay = await Relay.toSocket(`${host}/.s.PGSQL.${port}`);
      const near = new URL(relay.url).host;
      const login = `${user}:${encodeURIComponent(String(password))}`;
      const url = `postgresql://${login}@127.0.0.1:1,${near}/${database}?target_session_attrs=read-write`;
      return { undo: () => relay.cut(), given: { args: ['--database-url', url] } };
    },
  },
  {
    what: 'a database that has no tables yet',
    check: 'migrations',
    level: 'problem',
    says: /no tables of imgstore yet/,
    cure: /imgstore migrate --home/,
    inject: async (patient) => {
      await patient.sql('ALTER TABLE migrations RENAME TO migrations_away');
      return () => patient.sql('ALTER TABLE migrations_away RENAME TO migrations');
    },
  },
  {
    what: 'a migration that was not applied',
    check: 'migrations',
    level: 'problem',
    says: /1 migration not yet applied: Baseline/,
    cure: /imgstore migrate --home/,
    inject: async (patient) => {
      await patient.sql(
        `CREATE TABLE m AS SELECT * FROM migrations`,
        `DELETE FROM migrations`,
        `INSERT INTO migrations (timestamp, name) VALUES (1, '${before.first}'), (42, '${before.last}')`,
      );
      return () =>
        patient.sql(
          'DELETE FROM migrations',
          'INSERT INTO migrations SELECT * FROM m',
          'DROP TABLE m',
        );
    },
  },
  {
    what: 'a database of a newer version',
    check: 'migrations',
    level: 'problem',
    says: /newer than this program, .+Telepathy/,
    cure: /install the version that applied them.*database restore/,
    inject: async (patient) => {
      await patient.sql(`INSERT INTO migrations (timestamp, name) VALUES (99, 'Telepathy99')`);
      return () => patient.sql(`DELETE FROM migrations WHERE name = 'Telepathy99'`);
    },
  },
  {
    what: 'a missing index',
    check: 'indexes',
    level: 'problem',
    says: /index images_trash is missing/,
    cure: /imgstore verify accounts --repair --home/,
    inject: async (patient) => {
      await patient.sql('DROP INDEX images_trash');
      return async () => undefined;
    },
    fixed: /Repaired index images_trash/,
  },
  {
    what: 'an invalid index',
    check: 'indexes',
    level: 'problem',
    says: /index folders_trash is invalid/,
    cure: /imgstore verify accounts --repair --home/,
    inject: inCatalog('pg_index', 'indisvalid', 'false', `indexrelid = 'folders_trash'::regclass`),
  },
  {
    what: 'an extension older than its library',
    check: 'extensions',
    level: 'warning',
    says: /pg_trgm is 1\.0, its library is \d/,
    cure: /psql .+ALTER EXTENSION pg_trgm UPDATE/,
    inject: inCatalog('pg_extension', 'extversion', `'1.0'`, `extname = 'pg_trgm'`),
  },
  {
    what: 'a collation whose rules have changed',
    check: 'collation',
    level: 'problem',
    says: /COLLATION korean_numeric was 1\.2 and is now \d/,
    cure: /doctor --only collation --fix/,
    inject: async (patient) => {
      await patient.asSuperuser(
        `UPDATE pg_collation SET collversion = '1.2' WHERE collname = 'korean_numeric'`,
      );
      return async () => undefined;
    },
    fixed: /Rebuilt \d+ indexes/,
  },
  {
    what: 'commits that a power cut loses',
    check: 'durability',
    level: 'problem',
    says: /synchronous_commit/,
    cure: /psql .+ALTER DATABASE test_\w+ RESET synchronous_commit/,
    inject: async (patient) => {
      await patient.sql(thisDatabase('SET synchronous_commit = off'));
      return () => patient.sql(thisDatabase('RESET synchronous_commit'));
    },
  },
  {
    what: 'a larger pool than the server allows',
    check: 'connections',
    level: 'warning',
    says: /database\.pool_size is 500, but the server allows \d+ connections/,
    cure: /config set database\.pool_size \d+/,
    given: { args: ['--database-pool-size', '500'] },
  },
  {
    what: 'a table that is mostly empty',
    check: 'bloat',
    level: 'warning',
    says: /of the table object_reclaim are empty/,
    cure: /psql .+VACUUM \(FULL, ANALYZE\) object_reclaim/,
    inject: async (patient) => {
      // One row per page: the last row remains, and so do all pages before it.
      const row = `SELECT n::text, now() + interval '1 day', repeat(md5(n::text), 24)`;
      await patient.sql(
        'ALTER TABLE object_reclaim SET (fillfactor = 10)',
        `INSERT INTO object_reclaim (key, not_before, last_error) ${row} FROM generate_series(1, 9000) n`,
        `DELETE FROM object_reclaim WHERE key <> '9000'`,
        'VACUUM (ANALYZE, INDEX_CLEANUP ON) object_reclaim',
      );
      return () =>
        patient.sql(
          'DELETE FROM object_reclaim',
          'ALTER TABLE object_reclaim RESET (fillfactor)',
          'VACUUM (FULL, ANALYZE) object_reclaim',
        );
    },
  },
  {
    what: 'a replica that is none',
    check: 'replicas',
    level: 'warning',
    says: /cannot be used: it is not a standby server/,
    cure: /config set database\.replicas/,
    inject: async ({ url }) => ({
      undo: async () => undefined,
      given: { env: { IMGSTORE_DATABASE_REPLICAS: url } },
    }),
  },
  {
    what: 'a replica that is away',
    check: 'replicas',
    level: 'warning',
    says: /replica postgresql:\/\/u:…@127\.0\.0\.1:1\/x cannot be reached/,
    cure: /pg_stat_replication/,
    given: { env: { IMGSTORE_DATABASE_REPLICAS: 'postgresql://u:p@127.0.0.1:1/x' } },
  },
  {
    what: 'a database whose clock is wrong',
    check: 'clock-database',
    level: 'problem',
    says: /clock of the database is 1 hour.* ahead of that of this machine/,
    cure: /timedatectl set-ntp true/,
    inject: async (patient) => {
      await patient.sql(
        `CREATE FUNCTION public.clock_timestamp() RETURNS timestamptz LANGUAGE sql
         AS $$ SELECT pg_catalog.clock_timestamp() + interval '1 hour 10 seconds' $$`,
        thisDatabase('SET search_path = public, pg_catalog'),
      );
      return () =>
        patient.sql(thisDatabase('RESET search_path'), 'DROP FUNCTION public.clock_timestamp()');
    },
  },
];
