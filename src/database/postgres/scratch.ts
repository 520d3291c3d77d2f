import { randomBytes } from 'node:crypto';
import { appendFile, chmod, constants, mkdtemp, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { Home } from '../../base/config/home.js';
import { urlOfWriter } from '../hosts.js';
import { withLibpqModes } from '../tls.js';
import { dependencyDown } from '../../base/errors/operator.js';
import { exists } from '../../base/os/files.js';
import { freeSpace } from '../../base/os/machine.js';
import { tryLock, waitForLock } from '../../base/os/process-lock.js';
import { sizeText } from '../../base/units.js';
import { checkDatabase } from './check-external.js';
import { clusterFiles } from './cluster-files.js';
import { PrivateCluster } from './cluster.js';
import { withClient } from './connect.js';
import { engineFolder, type Engine } from './engine.js';
import { requireEngine } from './ensure-engine.js';
import { clearCluster } from './next-cluster.js';

/** An empty database with the extensions that the schema needs, for a short time. */
interface ScratchDatabase {
  readonly url: string;
  drop(): Promise<unknown>;
}

interface ScratchOptions {
  /** May have its own engine. */
  readonly home: Home;
  /** The oldest suitable major version. */
  readonly major: number;
  /** An empty database with the extensions to clone, instead of starting a server. */
  readonly template?: string | undefined;
  /** Which it will about have. */
  readonly bytes?: number;
  readonly signal?: AbortSignal;
}

/**
 * Creates a scratch database: on a separate server, isolated from the one in use, or as a clone of
 * a template.
 * @throws OperatorError 69, 78.
 */
export async function createScratch(options: ScratchOptions): Promise<ScratchDatabase> {
  const { template } = options;
  return template === undefined ? ownServer(options) : cloneOf(template);
}

/** Its data need not survive a crash. */
const unsafeSettings = 'fsync = off\nsynchronous_commit = off\nfull_page_writes = off\n';

async function ownServer({ home, major, bytes, signal }: ScratchOptions): Promise<ScratchDatabase> {
  const engine = await scratchEngine(home, major);
  const { dir, remove } = await makeScratchFolder(home, bytes);
  await chmod(dir, 0o711); // the server's own user needs access
  const scratchHome = homeIn(dir);
  const cluster = new PrivateCluster(scratchHome, async () => engine);
  try {
    await cluster.create(signal);
    await appendFile(join(clusterFiles(scratchHome).data, 'postgresql.conf'), unsafeSettings);
    const lease = await cluster.open(signal);
    const drop = async (): Promise<void> => {
      await lease.close();
      await remove();
    };
    return { url: lease.url, drop };
  } catch (error) {
    await remove();
    throw error;
  }
}

const prefix = 'scratch-';
const homeIn = (scratch: string): Home => new Home(join(scratch, 'home'));

/**
 * A folder for what is large and soon removed: on the disk of the home, since `/tmp` is often in memory;
 * without a home, in `TMPDIR` or `/var/tmp`.
 * @param bytes that it must have room for. @throws OperatorError 69 if it has not.
 */
export async function makeScratchFolder(home: Home, bytes = 0) {
  const { W_OK, X_OK } = constants;
  const ours = (await exists(home.run, W_OK | X_OK)) && (await exists(home.dir, W_OK | X_OK));
  const parent = ours ? home.dir : process.env.TMPDIR || '/var/tmp';
  const { free } = await freeSpace(parent);
  if (free < bytes) {
    throw dependencyDown(
      `${parent} has ${sizeText(free)} free, and this needs ${sizeText(bytes)}.`,
      {
        setting: 'home',
        remedy: `Free up space, or specify an empty database elsewhere: --scratch postgresql://USER:PASSWORD@HOST/DATABASE`,
      },
    );
  }
  await clearScratch(home);
  const lock = ours ? await waitForLock(home.scratchLock, 'shared') : undefined;
  const dir = await mkdtemp(join(parent, prefix));
  const remove = async (): Promise<void> => {
    await rm(dir, { recursive: true, force: true });
    await lock?.release();
  };
  return { dir, remove };
}

/** Removes what killed processes left in a home. */
export async function clearScratch(home: Home): Promise<void> {
  const names = await readdir(home.dir).catch(() => []);
  const left = names.filter((name) => name.startsWith(prefix));
  if (left.length === 0) return;
  const lock = await tryLock(home.scratchLock);
  if (!lock) return; // the next one does
  try {
    for (const name of left) {
      await clearCluster(homeIn(join(home.dir, name)));
      await rm(join(home.dir, name), { recursive: true, force: true });
    }
  } finally {
    await lock.release();
  }
}

async function scratchEngine(home: Home, major: number): Promise<Engine> {
  const engine = await requireEngine(engineFolder(home));
  if (engine.major >= major) return engine;
  throw dependencyDown(
    `A backup of PostgreSQL ${major} cannot be restored with PostgreSQL ${engine.major}, the newest here.`,
    {
      remedy: `Install PostgreSQL ${major} with PostGIS on this machine, or specify an empty database elsewhere: --scratch postgresql://USER:PASSWORD@HOST/DATABASE`,
    },
  );
}

/** The same server and login, another database. */
const databaseOn = (url: string, name: string): string =>
  url.replace(/^([a-z]+:\/\/[^/]*\/)[^?]*/i, `$1${name}`);

const nameOf = (url: string): string =>
  decodeURIComponent(/^[a-z]+:\/\/[^/]*\/([^?]*)/i.exec(url)?.[1] ?? '');

async function cloneOf(template: string): Promise<ScratchDatabase> {
  await checkDatabase(template);
  const name = `imgstore_scratch_${randomBytes(6).toString('hex')}`;
  const onServer = async (sql: string): Promise<unknown> => {
    const server = await urlOfWriter(databaseOn(template, 'postgres'));
    return withClient({ connectionString: withLibpqModes(server) }, (client) => client.query(sql));
  };
  try {
    await onServer(`CREATE DATABASE ${name} TEMPLATE ${pg.escapeIdentifier(nameOf(template))}`);
  } catch (cause) {
    throw dependencyDown(`The scratch database cannot be copied: ${(cause as Error).message}.`, {
      setting: '--scratch',
      remedy:
        'Allow the role in the URL to create databases (ALTER ROLE … CREATEDB), make it the owner of the database in the URL, and close all other connections to that database.',
      cause,
    });
  }
  const drop = (): Promise<unknown> => onServer(`DROP DATABASE IF EXISTS ${name}`);
  return { url: databaseOn(template, name), drop };
}
