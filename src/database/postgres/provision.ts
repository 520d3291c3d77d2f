import type { Home } from '../../base/config/home.js';
import { badConfiguration } from '../../base/errors/operator.js';
import { commandLine } from '../../base/os/command-line.js';
import { secondMs } from '../../base/units.js';
import { urlOfWriter } from '../hosts.js';
import { withLibpqModes } from '../tls.js';
import type { Report } from './apt.js';
import { checkDatabase, withoutPassword } from './check-external.js';
import { clusterFiles, clusterMajor } from './cluster-files.js';
import { PrivateCluster, type Lease } from './cluster.js';
import { asSuperuser, withClient } from './connect.js';
import { engineFolder, minimumMajor, requiredExtensions } from './engine.js';
import { engineSource, ensureEngine, findEngine, requireEngine } from './ensure-engine.js';
import { settleSwitch } from './next-cluster.js';

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
async function repairExtensions(
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

const needsRepair = (url: string): Promise<boolean> =>
  withClient(
    {
      connectionString: url,
      connectionTimeoutMillis: 10 * secondMs,
      query_timeout: 10 * secondMs,
    },
    async (client) => (await client.query(selectBuiltIn)).rows.length > 0,
  );

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

/** Creates missing extensions, which a dump of the schema does not include. */
export async function ensureExtensions(url: string): Promise<void> {
  const connectionString = withLibpqModes(await urlOfWriter(url));
  await withClient({ connectionString }, async (client) => {
    for (const name of requiredExtensions) {
      await client.query(`CREATE EXTENSION IF NOT EXISTS ${name}`);
    }
  });
}

/** An available database, and this process's lease on it. */
export interface OpenDatabase {
  readonly url: string;
  readonly kind: 'external' | 'private';
  /** URL for the superuser of a private one; only for repairs. */
  readonly superuserUrl?: string;
  /** Restarts a private server that has died; otherwise does nothing. */
  revive(signal?: AbortSignal): Promise<void>;
  /** Rotates the log of a private server if it is too large. @returns whether it was. */
  rotateLog(): Promise<boolean>;
  /** Releases the lease; the last process to do so stops a private server. */
  close(): Promise<void>;
}

interface DatabaseChoice {
  readonly home: Home;
  /** `database.url`; if not set, a private cluster in the home. */
  readonly url?: string | undefined;
}

interface Provisioning extends DatabaseChoice {
  readonly report: Report;
  readonly signal?: AbortSignal | undefined;
}

async function openExternal(url: string): Promise<OpenDatabase> {
  await checkDatabase(url);
  return {
    url,
    kind: 'external',
    revive: async () => undefined,
    rotateLog: async () => false,
    close: async () => undefined,
  };
}

/**
 * Opens the database of an initialized home: checks the external one, or starts the private one.
 * Installs and creates nothing.
 * @throws OperatorError 69 if it is unavailable now, 78 if the home has none.
 */
export async function openDatabase(choice: Provisioning): Promise<OpenDatabase> {
  const { home, url, report, signal } = choice;
  if (url) return openExternal(url);
  await settleSwitch(home);
  const find = (major?: number) => requireEngine(engineFolder(home), major);
  const cluster = new PrivateCluster(home, find, report);
  if (!(await cluster.exists())) throw noDatabase(home);
  const lease = await cluster.open(signal);
  await repairExtensions(lease, report);
  return { kind: 'private', ...lease };
}

export const noDatabase = (home: Home) =>
  badConfiguration(`${home.dir} has no database yet.`, {
    setting: 'home',
    remedy: commandLine('init', '--home', home.dir),
  });

/**
 * Like `openDatabase`, but first creates what is missing: an engine (with apt as root, otherwise
 * unpacked into the home) and the private cluster. Safe to run again.
 */
export async function provisionDatabase(choice: Provisioning): Promise<OpenDatabase> {
  const { home, url, report, signal } = choice;
  if (url) return openExternal(url);
  await settleSwitch(home);
  if ((await clusterMajor(clusterFiles(home))) === undefined) {
    const engine = await ensureEngine(engineFolder(home), report, signal);
    report(`Creating a private PostgreSQL ${engine.major} database in ${home.database}`);
    await new PrivateCluster(home, async () => engine).create(signal);
  }
  return openDatabase(choice);
}

/** @throws OperatorError 69 if this machine has no engine for a private database and no way to get one. */
export async function checkPrivateDatabase(home: Home): Promise<void> {
  if ((await engineSource()) === 'none') await requireEngine(engineFolder(home));
}

/** What `provisionDatabase` would do, one sentence per step. Changes nothing. */
export async function planDatabase({ home, url }: DatabaseChoice): Promise<string[]> {
  if (url) return [`use the database ${withoutPassword(url)}, after checking that it is suitable`];
  const { data } = clusterFiles(home);
  const existing = await clusterMajor(clusterFiles(home));
  if (existing !== undefined) return [`use the private PostgreSQL ${existing} database in ${data}`];
  const engine = await findEngine(engineFolder(home));
  const make = `create a private PostgreSQL database in ${data}, on a Unix socket only`;
  if (engine) return [`use the PostgreSQL ${engine.major} programs in ${engine.bin}`, make];
  const bring = {
    apt: `install PostgreSQL (${minimumMajor} or newer) and PostGIS with apt`,
    unpack: `download PostgreSQL and PostGIS with apt and unpack them in ${engineFolder(home)}`,
    none: `stop: there is no PostgreSQL ${minimumMajor} with PostGIS here; install it, or specify --database-url`,
  };
  const source = await engineSource();
  return source === 'none' ? [bring.none] : [bring[source], make];
}
