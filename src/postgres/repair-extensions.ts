import pg from 'pg';
import type { Report } from './apt.js';
import type { Lease } from './cluster.js';
import { asSuperuser } from './connect.js';
import { secondMs } from '../units.js';

/** The first object id that PostgreSQL gives to what users make; those below are its own. */
const firstUserOid = 16384;

/**
 * Extensions that pg_dump takes for PostgreSQL's own and leaves out, and with them everything that
 * depends on them. (plpgsql is PostgreSQL's own.)
 */
export const selectBuiltIn = `
  SELECT extname AS name FROM pg_extension
  WHERE oid < ${firstUserOid} AND extname <> 'plpgsql' ORDER BY extname`;

/**
 * Gives the extensions of a private database ids of their own, where they have such of PostgreSQL:
 * earlier builds made them in single-user mode. Takes 0.2 s, once, and changes all or
 * nothing. What fails is told, and tried again at the next start: the database works as it is.
 */
export async function repairExtensions(
  { url, superuserUrl }: Pick<Lease, 'url' | 'superuserUrl'>,
  report: Report,
): Promise<void> {
  try {
    if (!(await needsRepair(url))) return;
    report('Giving the extensions of the database ids with which pg_dump takes them along');
    await asSuperuser(superuserUrl, ['BEGIN', ...limits, newIds, newTable, 'COMMIT']);
  } catch (error) {
    report(`The extensions could not be repaired: ${(error as Error).message}`);
  }
}

async function needsRepair(url: string): Promise<boolean> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: 10 * secondMs,
    query_timeout: 10 * secondMs,
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return (await client.query(selectBuiltIn)).rows.length > 0;
  } finally {
    await client.end().catch(() => undefined);
  }
}

const limits = [
  // Somebody's long transaction must not hold up the start.
  `SET LOCAL lock_timeout = '5s'`,
  'SET LOCAL allow_system_table_mods = on',
  'LOCK TABLE pg_extension IN SHARE ROW EXCLUSIVE MODE',
];

/** The catalogs that refer to an extension; its members need no new ids, since pg_dump goes by it. */
const newIds = `
  DO $$
  DECLARE
    ours CONSTANT oid := 'pg_extension'::regclass;
    low oid;
    fresh oid;
  BEGIN
    FOR low IN
      SELECT oid FROM pg_extension WHERE oid < ${firstUserOid} AND extname <> 'plpgsql'
    LOOP
      fresh := pg_nextoid(ours, 'oid', 'pg_extension_oid_index');
      UPDATE pg_depend SET objid = fresh WHERE classid = ours AND objid = low;
      UPDATE pg_depend SET refobjid = fresh WHERE refclassid = ours AND refobjid = low;
      UPDATE pg_shdepend SET objid = fresh
      WHERE classid = ours AND objid = low
        AND dbid = (SELECT oid FROM pg_database WHERE datname = current_database());
      UPDATE pg_description SET objoid = fresh WHERE classoid = ours AND objoid = low;
      UPDATE pg_extension SET oid = fresh WHERE oid = low;
    END LOOP;
  END $$`;

/**
 * The one table of an extension, which pg_upgrade would empty: it carries over the rows of tables
 * with user's ids alone. Which of its rows pg_dump saves is noted at the extension, and taken over.
 */
const newTable = `
  DO $$
  DECLARE
    noted record;
  BEGIN
    IF to_regclass('spatial_ref_sys') >= ${firstUserOid}::oid THEN RETURN; END IF;
    SELECT extcondition INTO noted FROM pg_extension WHERE extname = 'postgis';
    ALTER EXTENSION postgis DROP TABLE spatial_ref_sys;
    ALTER TABLE spatial_ref_sys RENAME TO spatial_ref_sys_low;
    ALTER INDEX spatial_ref_sys_pkey RENAME TO spatial_ref_sys_low_pkey;
    CREATE TABLE spatial_ref_sys (LIKE spatial_ref_sys_low INCLUDING ALL);
    INSERT INTO spatial_ref_sys TABLE spatial_ref_sys_low;
    DROP TABLE spatial_ref_sys_low;
    GRANT SELECT ON spatial_ref_sys TO PUBLIC;
    ALTER EXTENSION postgis ADD TABLE spatial_ref_sys;
    UPDATE pg_extension
    SET extconfig = ARRAY['spatial_ref_sys'::regclass::oid], extcondition = noted.extcondition
    WHERE extname = 'postgis';
    ANALYZE spatial_ref_sys;
  END $$`;
