import type { DataSource, EntityManager } from 'typeorm';
import type { Home } from '../base/config/home.js';
import type { Config, OptionKey } from '../base/config/options.js';
import {
  setStore,
  ensureInstance,
  lockInstance,
  readInstance,
  type StoreKind,
} from '../database/instance.js';
import { migrate } from '../database/migrations.js';
import { row, type Queryable } from '../database/sql.js';
import { provisionDatabase } from '../database/postgres/provision.js';
import type { ObjectStore } from '../store/port.js';
import { bucketConfigOf, namesS3 } from '../store/s3/settings.js';
import { makeHomeDirectories, writeConfig } from './home-directories.js';
import { refuseKeyWithoutDatabase, ensureMasterKey } from './master-key.js';
import { ensureSentinel, requireSentinel } from './store-sentinel.js';
import { dumpBeforeMigrating } from './upgrade/dump.js';
import { describeStore } from './store-description.js';

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
  readonly dataSource: (url: string) => DataSource;
  readonly openStore: (kind: StoreKind, instanceId: string) => Promise<ObjectStore>;
}

export interface Initialized {
  readonly home: string;
  readonly instance_id: string;
  readonly database: 'external' | 'private';
  readonly store: StoreKind;
  /** False if the file already existed, and was not changed. */
  readonly wrote_config: boolean;
  readonly migrations_applied: readonly string[];
}

/** Creates everything that `serve` needs; existing parts stay unchanged. */
export async function initialize(parts: InitializeParts): Promise<Initialized> {
  const { home, config, masterKeyFile, report, signal } = parts;
  const url = config['database.url'];
  if (masterKeyFile !== undefined && !url) await refuseKeyWithoutDatabase(home, masterKeyFile);
  const wanted = wantedStore(config);
  if (wanted === 's3') bucketConfigOf(config); // throws if a setting is missing, before anything is created
  report(`Preparing ${home.dir}`);
  await makeHomeDirectories(home);
  if (wanted === 's3') await makeBucket(parts);
  const database = await provisionDatabase({ home, url, report, signal });
  const db = parts.dataSource(database.url);
  try {
    signal?.throwIfAborted();
    await db.initialize();
    const applied = await migrate(db, report, () =>
      dumpBeforeMigrating({ home, db, url: database.url, report, signal }),
    );
    signal?.throwIfAborted();
    const { id: instanceId } = await ensureInstance(db, wanted);
    const kind = await db.transaction((tx) =>
      settleKeyAndStore(parts, { tx, db, instanceId, wanted }),
    );
    const wroteConfig = await writeConfig(home, parts.chosen);
    signal?.throwIfAborted();
    return {
      home: home.dir,
      instance_id: instanceId,
      database: database.kind,
      store: kind,
      wrote_config: wroteConfig,
      migrations_applied: applied,
    };
  } finally {
    if (db.isInitialized) await db.destroy();
    await database.close();
  }
}

const wantedStore = (config: Config): StoreKind => (namesS3(config) ? 's3' : 'local');

/** Tests the bucket before anything is created elsewhere: keys and URLs are easily mistyped. */
async function makeBucket({ home, config, report, warn }: InitializeParts): Promise<void> {
  const { prepareBucket } = await import('./prepare-bucket.js');
  const bucketConfig = bucketConfigOf(config);
  await prepareBucket({ bucketConfig, scratch: home.incoming, report, warn });
}

interface Settling {
  readonly tx: EntityManager;
  readonly db: DataSource;
  readonly instanceId: string;
  readonly wanted: StoreKind;
}

/** Decides on a master key and a store, one node at a time. @returns the store in use. */
async function settleKeyAndStore(
  { home, config, masterKeyFile, openStore }: InitializeParts,
  { tx, db, instanceId, wanted }: Settling,
): Promise<StoreKind> {
  await lockInstance(tx);
  const joined = await ensureMasterKey({ home, db, tx, file: masterKeyFile });
  // The store of the other nodes has a sentinel: one without would belong to this node alone.
  const known = joined || (await holdsImages(tx));
  if (!known) await setStore(tx, wanted);
  const { store: kind } = await readInstance(tx);
  const store = await openStore(kind, instanceId);
  const mark = { store, description: describeStore(kind, home, config), instanceId };
  if (known) await requireSentinel(mark);
  else await ensureSentinel(mark, home.incoming);
  return kind;
}

/** Whether there are images, and so must be objects in the store. */
async function holdsImages(db: Queryable): Promise<boolean> {
  return (await row(db, 'SELECT FROM image_versions LIMIT 1')) !== undefined;
}
