import { join } from 'node:path';
import type { DataSource } from 'typeorm';
import type { Home } from '../../base/config/home.js';
import { dependencyDown, failure, badConfiguration } from '../../base/errors/operator.js';
import { commandLine } from '../../base/os/command-line.js';
import { freeSpace } from '../../base/os/machine.js';
import { sizeText } from '../../base/units.js';
import { hasApt, offeredMajors, postgisPackage } from '../../database/postgres/apt.js';
import { checkDatabase, withoutPassword } from '../../database/postgres/check-external.js';
import { clusterFiles, clusterMajor } from '../../database/postgres/cluster-files.js';
import { engineFolder, type Engine } from '../../database/postgres/engine.js';
import { requireEngine } from '../../database/postgres/ensure-engine.js';
import {
  clearNextCluster,
  openNextCluster,
  switchClusters,
  settleSwitch,
} from '../../database/postgres/next-cluster.js';
import { noDatabase } from '../../database/postgres/provision.js';
import { requireEditable, storeSetting } from '../home.js';
import { selectDatabaseDetails } from './upgrade.sql.js';

/** A database that is to replace the one in use. */
export interface NewDatabase {
  readonly url: string;
  /** Its name in messages. */
  readonly name: string;
  /** Whether its files replace those of the one in use, which must be closed first. */
  readonly inPlace: boolean;
  /**
   * Switches to it atomically. @returns the directory of the former one, which can be removed
   * later.
   */
  use(): Promise<string | undefined>;
  /** Stops and removes what was created for it, unless it is in use. */
  close(): Promise<void>;
}

export interface NewDatabaseParts {
  readonly home: Home;
  readonly report: (message: string) => void;
  readonly signal: AbortSignal;
}

/** A database on the operator's server. @throws OperatorError 69 or 78 if it cannot be used. */
export async function foreignDatabase(
  { home }: NewDatabaseParts,
  url: string,
): Promise<NewDatabase> {
  await checkDatabase(url);
  await requireEditable(home, 'database.url', url);
  const { data } = clusterFiles(home);
  return {
    url,
    name: withoutPassword(url),
    inPlace: false,
    use: async () => {
      await storeSetting(home, 'database.url', url);
      return (await clusterMajor(clusterFiles(home))) === undefined ? undefined : data;
    },
    close: async () => undefined,
  };
}

/** A private cluster that replaces the present one, if there is one. */
export async function privateDatabase(
  { home, report, signal }: NewDatabaseParts,
  engine: Engine,
): Promise<NewDatabase> {
  report(`Creating a private PostgreSQL ${engine.major} database in ${home.database}`);
  const { lease, settingsLost } = await openNextCluster(home, engine, signal);
  if (settingsLost !== undefined) {
    report(
      `PostgreSQL ${engine.major} rejects the present settings, so the new database gets default ones: ${settingsLost}`,
    );
  }
  let isOpen = true;
  const end = async (): Promise<void> => {
    if (isOpen) await lease.close();
    isOpen = false;
  };
  return {
    url: lease.url,
    name: `a private PostgreSQL ${engine.major} database`,
    inPlace: true,
    use: async () => {
      await end();
      return switchClusters(home);
    },
    close: async () => {
      await end();
      await clearNextCluster(home);
    },
  };
}

/**
 * A private cluster that replaces a database elsewhere, which config.yaml specifies until the
 * switch. @throws OperatorError 1 if config.yaml cannot be changed.
 */
export async function privateInsteadOfForeign(
  parts: NewDatabaseParts,
  engine: Engine,
): Promise<NewDatabase> {
  const { home } = parts;
  await requireEditable(home, 'database.url', null);
  const next = await privateDatabase(parts, engine);
  const use = async (): Promise<string | undefined> => {
    const kept = await next.use();
    await storeSetting(home, 'database.url', null);
    return kept;
  };
  return { ...next, use };
}

/** @throws OperatorError 69 without space for a private copy of the database and its dump. */
export async function requireSpaceForCopy(home: Home, db: DataSource): Promise<void> {
  const { databaseBytes, bytes } = await selectDatabaseDetails(db);
  const needed = databaseBytes + bytes;
  const { free } = await freeSpace(home.dir);
  if (free >= needed) return;
  throw dependencyDown(
    `${home.dir} has ${sizeText(free)} free; a copy of the database and its dump need up to ${sizeText(needed)}.`,
    {
      setting: 'home',
      remedy: 'free up space, or move the home to a larger disk (docs/moving.md)',
    },
  );
}

/** @throws OperatorError 1 if a private database is left from before a move elsewhere. */
export async function refuseLeftCluster(home: Home): Promise<void> {
  if ((await clusterMajor(clusterFiles(home))) === undefined) return;
  throw failure(
    `${join(home.database, 'cluster')} is left over from before a move to another server.`,
    {
      setting: '--to',
      remedy: commandLine('database', 'move', '--remove-old', '--home', home.dir),
    },
  );
}

/**
 * Finds what a private database can be upgraded to: the newest installed major version. @throws
 * OperatorError 78 if the database is not private, 69 if its own programs are missing.
 */
export async function findMajorUpgrade(home: Home, url: string | undefined) {
  if (url !== undefined) throw elsewhere();
  await settleSwitch(home);
  const from = await clusterMajor(clusterFiles(home));
  if (from === undefined) throw noDatabase(home);
  await requireEngine(engineFolder(home), from);
  const newest = await requireEngine(engineFolder(home));
  const [offered = from] = (await hasApt()) ? await offeredMajors() : [];
  const offer = `sudo apt-get install --no-install-recommends ${postgisPackage(offered)}`;
  return {
    from,
    engine: newest.major > from ? newest : undefined,
    /** How to get a newer one; undefined if apt has none either. */
    offer: offered > from ? offer : undefined,
  };
}

export type MajorUpgrade = Awaited<ReturnType<typeof findMajorUpgrade>>;

const elsewhere = () =>
  badConfiguration('The database is not private: database.url specifies another server.', {
    setting: 'database.url',
    remedy:
      "upgrade that server with its own tools (pg_upgrade, pg_upgradecluster, or its provider's), while imgstore is stopped",
  });
