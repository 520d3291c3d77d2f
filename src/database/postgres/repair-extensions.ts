import pg from 'pg';
import type { Report } from './apt.js';
import type { Lease } from './cluster.js';
import { asSuperuser } from './connect.js';
import { secondMs } from '../../base/units.js';

/**
 * The first object id that PostgreSQL assigns to user objects; lower ids are reserved for its own.
 */
const firstUserOid = 16384;

/**
 * Extensions that pg_dump mistakes for PostgreSQL's own and omits, together with everything that
 * depends on them. (plpgsql really is PostgreSQL's own.)
 */
export const selectBuiltIn = `
  SELECT extname AS name FROM pg_extension
  WHERE oid < ${firstUserOid} AND extname <> 'plpgsql' ORDER BY extname`;

/**
 * Assigns new ids to the extensions of a private database that have reserved ones: earlier builds
 * created them in single-user mode. Takes 0.2 s, once, and changes all or nothing. A failure is
 * reported and retried at the next start; the database works either way.
 */
export async function repairExtensions(
  { url, superuserUrl }: Pick<Lease, 'url' | 'superuserUrl'>,
  report: Report,
): Promise<void> {
  try {
    if (!(await needsRepair(url))) return;
    report('Assigning new ids to the extensions of the database, so that pg_dump includes them');
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
  // A long transaction elsewhere must not delay startup.
  `SET LOCAL lock_timeout = '5s'`,
  'SET LOCAL allow_system_table_mods = on',
  'LOCK TABLE pg_extension IN SHARE ROW EXCLUSIVE MODE',
];

/**
 * Updates the catalogs that reference an extension; its members need no new ids, since pg_dump only
 * checks that of the extension.
 */
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
 * Recreates the only table of an extension. pg_upgrade would empty it, since it copies only the
 * rows of tables with user ids. The extension records which of its rows pg_dump saves; that
 * condition is kept.
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
