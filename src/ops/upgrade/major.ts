import type { Home } from '../../base/config/home.js';
import { badConfiguration } from '../../base/errors/operator.js';
import { commandLine } from '../../base/os/command-line.js';
import { hasApt, offeredMajors, postgisPackage } from '../../database/postgres/apt.js';
import { clusterFiles, clusterMajor } from '../../database/postgres/cluster-files.js';
import { engineFolder } from '../../database/postgres/engine.js';
import type { Engine } from '../../database/postgres/engine.js';
import { requireEngine } from '../../database/postgres/ensure-engine.js';
import { settleSwitch } from '../../database/postgres/next-cluster.js';

export interface MajorUpgrade {
  readonly from: number;
  /** Programs of a newer major version; undefined if there are none. */
  readonly engine: Engine | undefined;
  /** How to get a newer one; undefined if apt has none either. */
  readonly offer: string | undefined;
}

/**
 * Finds what a private database can be upgraded to: the newest installed major version. @throws
 * OperatorError 78 if the database is not private, 69 if its own programs are missing.
 */
export async function findMajorUpgrade(home: Home, url: string | undefined): Promise<MajorUpgrade> {
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
    offer: offered > from ? offer : undefined,
  };
}

const elsewhere = () =>
  badConfiguration('The database is not private: database.url specifies another server.', {
    setting: 'database.url',
    remedy:
      "upgrade that server with its own tools (pg_upgrade, pg_upgradecluster, or its provider's), while imgstore is stopped",
  });

const noDatabase = (home: Home) =>
  badConfiguration(`${home.dir} has no database yet.`, {
    setting: 'home',
    remedy: commandLine('init', '--home', home.dir),
  });
