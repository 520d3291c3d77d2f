import { access } from 'node:fs/promises';
import { findMasterKey } from '../http/auth/secrets.js';
import { migrationStatus } from '../database/migrations.js';
import { readInstance } from '../database/instance.js';
import { clusterFiles, clusterMajor } from '../database/postgres/cluster-files.js';
import { openDatabase, planDatabase } from '../database/postgres/provision.js';
import { namesS3 } from '../store/s3/settings.js';
import type { InitializeParts } from './initialize.js';

export type PlanParts = Pick<
  InitializeParts,
  'home' | 'config' | 'report' | 'dataSource' | 'openStore'
>;

/**
 * What `initialize` would do, one sentence per step; empty if nothing is missing. Changes nothing,
 * but starts a private database, if there is one, to read from it.
 */
export async function planInitialize(parts: PlanParts): Promise<string[]> {
  const { home, config } = parts;
  if (await isComplete(parts)) return [];
  return [
    `create the folders of ${home.dir}, its secrets, and its config.yaml, where missing`,
    ...(await planDatabase({ home, url: config['database.url'] })),
    'apply pending database migrations',
    namesS3(config)
      ? `create or check the bucket ${config['s3.bucket']}, and mark it as the object store of this installation`
      : `mark ${home.store} as the object store of this installation`,
  ];
}

/** Whether the files, the database, and the sentinel of the store all exist. */
async function isComplete(parts: PlanParts): Promise<boolean> {
  const { home, config } = parts;
  const paths = [home.run, home.secrets, home.store, home.incoming, home.configFile];
  const exist = await Promise.all(paths.map((path) => access(path).then(...yesOrNo)));
  if (exist.includes(false) || !(await findMasterKey(home))) return false;
  const url = config['database.url'];
  if (!url && (await clusterMajor(clusterFiles(home))) === undefined) return false;
  return holdsEverything(parts);
}

const yesOrNo = [() => true, () => false] as const;

async function holdsEverything({ home, config, report, ...parts }: PlanParts): Promise<boolean> {
  const database = await openDatabase({ home, url: config['database.url'], report });
  const db = parts.dataSource(database.url);
  try {
    await db.initialize();
    if ((await migrationStatus(db)).some(({ appliedAt }) => !appliedAt)) return false;
    const { id, store } = await readInstance(db);
    return await (await parts.openStore(store, id)).check().then(...yesOrNo);
  } finally {
    if (db.isInitialized) await db.destroy();
    await database.close();
  }
}
