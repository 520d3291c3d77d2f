import type { Home } from '../../base/config/home.js';
import { badConfiguration } from '../../base/errors/operator.js';
import type { Report } from './apt.js';
import { checkDatabase, withoutPassword } from './check-external.js';
import { clusterFiles, clusterMajor } from './cluster-files.js';
import { PrivateCluster } from './cluster.js';
import { engineFolder, minimumMajor } from './engine.js';
import { engineSource, ensureEngine, findEngine, requireEngine } from './ensure-engine.js';
import { settleSwitch } from './next-cluster.js';
import { repairExtensions } from './repair-extensions.js';
import { commandLine } from '../../base/os/command-line.js';

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

export interface DatabaseChoice {
  readonly home: Home;
  /** `database.url`; if not set, a private cluster in the home. */
  readonly url?: string | undefined;
}

export interface Provisioning extends DatabaseChoice {
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
  const cluster = new PrivateCluster(home, (major) => requireEngine(engineFolder(home), major));
  if (!(await cluster.exists())) {
    throw badConfiguration(`${home.dir} has no database yet.`, {
      setting: 'home',
      remedy: commandLine('init', '--home', home.dir),
    });
  }
  const lease = await cluster.open(signal);
  await repairExtensions(lease, report);
  return { kind: 'private', ...lease };
}

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
