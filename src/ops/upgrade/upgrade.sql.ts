import { column, onlyRow, type Queryable, row, rows, value } from '../../database/sql.js';
import { notOfExtensions } from '../dumps.sql.js';

interface DatabaseDetails {
  /** Major version of the server. */
  readonly major: number;
  /** Schema of the tables, as in SQL. */
  readonly schema: string;
  /** Of all tables, without their indexes. */
  readonly bytes: number;
  /** Of everything. */
  readonly databaseBytes: number;
}

const ours = `
  c.relkind = 'r' AND c.relnamespace = (
    SELECT relnamespace FROM pg_class WHERE oid = 'migrations'::regclass)
  AND ${notOfExtensions('pg_class', 'c')}`;

/** Of a database that has the tables of imgstore. */
export const selectDatabaseDetails = (db: Queryable): Promise<DatabaseDetails> =>
  onlyRow(
    db,
    `SELECT current_setting('server_version_num')::int / 10000 AS major,
            (SELECT relnamespace::regnamespace::text FROM pg_class
             WHERE oid = 'migrations'::regclass) AS schema,
            (SELECT coalesce(sum(pg_table_size(c.oid)), 0)::bigint FROM pg_class c WHERE ${ours})
              AS bytes,
            pg_database_size(current_database()) AS "databaseBytes"`,
  );

export interface TableSize {
  readonly table: string;
  /** As the server estimates them. */
  readonly rows: number;
  /** With indexes. */
  readonly bytes: number;
}

/** Of the tables with these names that exist. */
export const selectTableSizes = (db: Queryable, names: readonly string[]): Promise<TableSize[]> =>
  rows(
    db,
    `SELECT c.relname AS "table", greatest(c.reltuples, 0)::bigint AS rows,
            pg_total_relation_size(c.oid) AS bytes
     FROM pg_class c WHERE ${ours} AND c.relname = ANY ($1::text[]) ORDER BY c.relname`,
    [[...names]],
  );

/** Every table, as in SQL. */
export const selectTables = (db: Queryable): Promise<string[]> =>
  column(
    db,
    `SELECT quote_ident(c.relname) AS name FROM pg_class c WHERE ${ours} ORDER BY c.relname`,
  );

/** Applies to the transaction. */
export const limitWait = (tx: Queryable): Promise<unknown> =>
  rows(tx, `SET LOCAL lock_timeout = '10s'`);

/** Whether a dump is being restored into this database. */
export const isBeingRestored = async (db: Queryable): Promise<boolean> =>
  (await row(
    db,
    `SELECT FROM pg_stat_activity
     WHERE datname = current_database() AND application_name = 'pg_restore'`,
  )) !== undefined;

/** The id of the installation; undefined where there is none. */
export const selectInstanceId = (db: Queryable): Promise<string | undefined> =>
  value(db, 'SELECT id FROM instance');

/** Blocks writers until the transaction ends, but not readers. */
export const lockTables = (tx: Queryable, tables: readonly string[]): Promise<unknown> =>
  rows(tx, `LOCK TABLE ${tables.join(', ')} IN SHARE MODE`);

/** The text form of values must not depend on the server. */
const sameText = [
  `SET TIME ZONE 'UTC'`,
  `SET datestyle = 'ISO, YMD'`,
  `SET intervalstyle = 'postgres'`,
  'SET extra_float_digits = 1',
  `SET bytea_output = 'hex'`,
];

interface TableDigest {
  readonly rows: number;
  /** The sum of the hashes of all rows, independent of their order. */
  readonly digest: string;
}

/** @param session keeps these settings. */
export async function prepareDigests(session: Queryable): Promise<void> {
  for (const statement of sameText) await rows(session, statement);
}

/** A table to compare; all as in SQL. */
interface ComparedTable {
  readonly name: string;
  readonly columns: string;
}

/** Every table with the columns that can be written. */
export const selectColumns = (db: Queryable): Promise<ComparedTable[]> =>
  rows(
    db,
    `SELECT quote_ident(c.relname) AS name,
            string_agg(quote_ident(a.attname), ', ' ORDER BY a.attname) AS columns
     FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
     WHERE ${ours} AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
     GROUP BY c.relname ORDER BY c.relname`,
  );

export const selectDigest = (
  session: Queryable,
  { name, columns }: ComparedTable,
): Promise<TableDigest> =>
  onlyRow(
    session,
    `SELECT count(*)::bigint AS rows,
            coalesce(sum(('x' || left(md5(t::text), 16))::bit(64)::bigint::numeric), 0)::text AS digest
     FROM (SELECT ${columns} FROM ${name}) t`,
  );

/** The last values of sequences by name. */
export async function selectSequences(session: Queryable): Promise<Map<string, string | null>> {
  const found = await rows<{ name: string; value: string | null }>(
    session,
    `SELECT sequencename AS name, last_value::text AS value FROM pg_sequences
     WHERE schemaname = (SELECT relnamespace::regnamespace::text FROM pg_class
                         WHERE oid = 'migrations'::regclass)
     ORDER BY sequencename`,
  );
  return new Map(found.map(({ name, value }) => [name, value]));
}

interface OtherSession {
  readonly pid: number;
  readonly client: string;
}

/** Sessions of imgstore in this database that are older than this one. */
export const selectOtherSessions = (session: Queryable): Promise<OtherSession[]> =>
  rows(
    session,
    `SELECT a.pid, coalesce(host(a.client_addr), 'this machine') AS client
     FROM pg_stat_activity a JOIN pg_stat_activity own ON own.pid = pg_backend_pid()
     WHERE a.datname = current_database() AND a.application_name LIKE 'imgstore%'
       AND a.backend_start < own.backend_start
     ORDER BY a.pid`,
  );
