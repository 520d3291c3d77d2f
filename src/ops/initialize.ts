import type { DataSource, EntityManager } from 'typeorm';
import type { Home } from '../base/config/home.js';
import type { Config, OptionKey } from '../base/config/options.js';
import { badConfiguration, OperatorError } from '../base/errors/operator.js';
import { commandLine } from '../base/os/command-line.js';
import { exists } from '../base/os/files.js';
import {
  setStore,
  ensureInstance,
  lockInstance,
  readInstance,
  type StoreKind,
} from '../database/instance.js';
import { migrate, pendingMigrations } from '../database/migrations.js';
import { clusterFiles, clusterMajor } from '../database/postgres/cluster-files.js';
import { oldClusters } from '../database/postgres/next-cluster.js';
import { provisionDatabase, openDatabase, planDatabase } from '../database/postgres/provision.js';
import { row, type Queryable } from '../database/sql.js';
import { hasSigningKey, Keyring } from '../http/auth/keyring.js';
import {
  findMasterKey,
  newMasterKey,
  readGivenKey,
  writeMasterKey,
  type MasterKey,
} from '../http/auth/secrets.js';
import { bucketConfigOf, namesS3 } from '../store/s3/settings.js';
import { makeHomeDirectories, requireMounted, writeConfig } from './home.js';
import { connectTo } from './service-database.js';
import { describeStore, ensureSentinel, requireSentinel } from './store-sentinel.js';
import { openerOf } from './stores.js';
import { dumpBeforeMigrating } from './upgrade/dump.js';

export interface InitializeParts {
  readonly home: Home;
  readonly config: Config;
  /** Values that the operator gave by flag or answer, to be written to config.yaml. */
  readonly chosen: Partial<Pick<Config, OptionKey>>;
  /** File with the master key of the installation that this home joins. */
  readonly masterKeyFile?: string | undefined;
  readonly report: (message: string) => void;
  readonly warn: (message: string) => void;
  /** Stops between two steps, or during a long one. */
  readonly signal?: AbortSignal;
}

/** Creates everything that `serve` needs; existing parts stay unchanged. */
export async function initialize(parts: InitializeParts) {
  const { home, config, masterKeyFile, report, signal } = parts;
  const url = config['database.url'];
  if (masterKeyFile !== undefined && !url) await refuseKeyWithoutDatabase(home, masterKeyFile);
  if (!url) await refuseLostDatabase(home);
  const wanted = wantedStore(config);
  if (wanted === 's3') bucketConfigOf(config); // throws if a setting is missing, before anything is created
  report(`Preparing ${home.dir}`);
  await makeHomeDirectories(home);
  if (wanted === 's3') await makeBucket(parts);
  const server = await provisionDatabase({ home, url, report, signal });
  const { db, close } = await connectTo(server, config);
  try {
    signal?.throwIfAborted();
    const applied = await migrate(db, report, () =>
      dumpBeforeMigrating({ home, db, url: server.url, report, signal }),
    );
    signal?.throwIfAborted();
    const { id: instanceId } = await ensureInstance(db, wanted);
    const kind = await db.transaction((tx) => settleKeyAndStore(parts, db, tx));
    const wroteConfig = await writeConfig(home, parts.chosen);
    signal?.throwIfAborted();
    return {
      home: home.dir,
      instance_id: instanceId,
      database: server.kind,
      store: kind,
      /** False if the file already existed, and was not changed. */
      wrote_config: wroteConfig,
      migrations_applied: applied,
    };
  } finally {
    await close();
  }
}

export type Initialized = Awaited<ReturnType<typeof initialize>>;

const wantedStore = (config: Config): StoreKind => (namesS3(config) ? 's3' : 'local');

/** Tests the bucket before anything is created elsewhere: keys and URLs are easily mistyped. */
async function makeBucket({ home, config, report, warn }: InitializeParts): Promise<void> {
  const { prepareBucket } = await import('./prepare-bucket.js');
  const bucketConfig = bucketConfigOf(config);
  await prepareBucket({ bucketConfig, scratch: home.incoming, report, warn });
}

/** Decides on a master key and a store, one node at a time. @returns the store in use. */
async function settleKeyAndStore(
  { home, config, masterKeyFile }: InitializeParts,
  db: DataSource,
  tx: EntityManager,
): Promise<StoreKind> {
  await lockInstance(tx);
  const joined = await ensureMasterKey(home, masterKeyFile, db, tx);
  // The store of the other nodes has a sentinel: one without would belong to this node alone.
  const known = joined || (await holdsImages(tx));
  if (!known) await setStore(tx, wantedStore(config));
  const { id: instanceId, store: kind } = await readInstance(tx);
  const store = await openerOf(home, config)(kind, instanceId);
  const mark = { store, description: describeStore(kind, home, config), instanceId };
  if (known) await requireSentinel(mark);
  else await ensureSentinel(mark, home.incoming);
  return kind;
}

/** Whether there are images, and so must be objects in the store. */
async function holdsImages(db: Queryable): Promise<boolean> {
  return (await row(db, 'SELECT FROM image_versions LIMIT 1')) !== undefined;
}

/**
 * Provides a home with its master key: the existing one, the given one, or a new one if the
 * database has none yet. Nothing is written until the key is known to match.
 * @param file where the operator keeps the installation's key.
 * @param tx a transaction during which no other node can decide on its key.
 * @returns whether the home joined an existing installation.
 * @throws OperatorError (78) when the key is missing or does not match.
 */
async function ensureMasterKey(
  home: Home,
  file: string | undefined,
  db: DataSource,
  tx: EntityManager,
): Promise<boolean> {
  const own = await findMasterKey(home);
  const given = file === undefined ? undefined : await readGivenKey(file);
  if (own && given && own.text() !== given.text()) throw otherKey(home, file);
  const inUse = await hasSigningKey(tx);
  const key = own ?? given ?? (inUse ? undefined : newMasterKey());
  if (!key) throw keyMissing(home);
  if (inUse) await verifyKey(key, db, tx, own ? undefined : file);
  if (!own) await writeMasterKey(home, key);
  if (!inUse) await new Keyring(db, key).rotate();
  return inUse && !own;
}

/** Decrypts a signing key of the installation. */
async function verifyKey(
  key: MasterKey,
  db: DataSource,
  tx: EntityManager,
  file?: string,
): Promise<void> {
  try {
    await new Keyring(db, key).current(tx);
  } catch (error) {
    if (file === undefined || !(error instanceof OperatorError)) throw error;
    throw badConfiguration(`The master key in ${file} does not match the database.`, {
      setting: 'database.url',
      remedy: `Use the key that "${commandLine('keys', 'export')}" prints on a node of this database.`,
      cause: error,
    });
  }
}

/**
 * A private database belongs to one home: a given key means that the operator wants to share one.
 */
async function refuseKeyWithoutDatabase(home: Home, file: string): Promise<void> {
  if (await findMasterKey(home)) return;
  throw badConfiguration(
    `A master key was given (${file}), but no database: nodes cannot share a private database.`,
    {
      setting: 'database.url',
      remedy: commandLine(
        'init',
        '--home',
        home.dir,
        '--master-key-file',
        file,
        '--database-url',
        'postgresql://USER:PASSWORD@HOST/DATABASE',
      ),
    },
  );
}

/**
 * A master key is written once there is a database: without one, a folder is missing, and an empty
 * database would make all stored images those of nobody.
 */
async function refuseLostDatabase(home: Home): Promise<void> {
  const { data, password } = clusterFiles(home);
  if (!(await findMasterKey(home)) || !(await exists(password))) return;
  if ((await clusterMajor(clusterFiles(home))) !== undefined) return;
  if ((await oldClusters(home)).length > 0) return;
  throw badConfiguration(`${data}, the database of this home, is missing (mount missing?).`, {
    code: 'missing',
    setting: 'home',
    remedy: `Mount its disk, or restore a backup into an empty home: ${commandLine('restore', 'DIR', '--home', 'NEW')}`,
  });
}

const keyMissing = (home: Home) =>
  badConfiguration(
    'The database already belongs to an installation, and this home has no master key (mount missing?).',
    {
      code: 'wrong_key',
      setting: 'database.url',
      remedy:
        `To join it: ${commandLine('init', '--home', home.dir, '--master-key-file', 'FILE')}, with the key that ` +
        `"${commandLine('keys', 'export')}" prints on another node, or from a backup.`,
    },
  );

const otherKey = (home: Home, file = '') =>
  badConfiguration(`${home.secrets} contains a different master key than ${file}.`, {
    code: 'wrong_key',
    setting: 'home',
    remedy: 'Choose a new --home for the joining node, or omit the file.',
  });

type PlanParts = Pick<InitializeParts, 'home' | 'config' | 'report'>;

/**
 * What `initialize` would do, one sentence per step; empty if nothing is missing. Changes nothing,
 * but starts a private database, if there is one, to read from it.
 */
export async function planInitialize(parts: PlanParts): Promise<string[]> {
  const { home, config } = parts;
  await requireMounted(home);
  if (!config['database.url']) await refuseLostDatabase(home);
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
  const there = await Promise.all(paths.map((path) => exists(path)));
  if (there.includes(false) || !(await findMasterKey(home))) return false;
  const url = config['database.url'];
  if (!url && (await clusterMajor(clusterFiles(home))) === undefined) return false;
  return holdsEverything(parts);
}

async function holdsEverything({ home, config, report }: PlanParts): Promise<boolean> {
  const server = await openDatabase({ home, url: config['database.url'], report });
  const { db, close } = await connectTo(server, config);
  try {
    if ((await pendingMigrations(db)).length > 0) return false;
    const { id, store } = await readInstance(db);
    return await (await openerOf(home, config)(store, id)).check().then(
      () => true,
      () => false,
    );
  } finally {
    await close();
  }
}
