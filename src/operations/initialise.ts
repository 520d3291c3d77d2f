import type { DataSource } from 'typeorm';
import type { Home } from '../config/home.js';
import type { Config, OptionKey } from '../config/options.js';
import { ensureInstance, lockInstance } from '../database/instance.js';
import { migrate } from '../database/migrations.js';
import { planDatabase, provisionDatabase } from '../database/provision.js';
import type { LocalStore } from '../store/local-store.js';
import { makeFolders, writeConfig } from './layout.js';
import { refuseKeyWithoutDatabase, settleMasterKey } from './master-key.js';
import { holdsImages } from './queries.js';
import { markStore, requireStore } from './store-mark.js';

export interface InitialiseParts {
  readonly home: Home;
  readonly config: Config;
  /** What the operator gave by flag or answer, to be kept in config.yaml. */
  readonly chosen: Partial<Pick<Config, OptionKey>>;
  /** File with the master key of the installation that this home shall belong to. */
  readonly masterKeyFile?: string | undefined;
  readonly report: (message: string) => void;
  /** Ends the work between two steps, or a long one within it. */
  readonly signal?: AbortSignal;
  readonly describeDatabase: (url: string) => DataSource;
  readonly openStore: (instanceId: string) => LocalStore;
}

export interface Initialised {
  readonly home: string;
  readonly instance_id: string;
  readonly database: 'external' | 'private';
  readonly store: 'local';
  /** False when the file was there already, and was left alone. */
  readonly wrote_config: boolean;
  readonly migrations_applied: readonly string[];
}

/** Makes everything that `serve` needs; what is there already stays as it is. */
export async function initialise(parts: InitialiseParts): Promise<Initialised> {
  const { home, config, masterKeyFile, report, signal } = parts;
  const url = config['database.url'];
  if (masterKeyFile !== undefined && !url) await refuseKeyWithoutDatabase(home, masterKeyFile);
  report(`Preparing ${home.dir}`);
  await makeFolders(home);
  const wroteConfig = await writeConfig(home, parts.chosen);
  const database = await provisionDatabase({ home, url, report, signal });
  const db = parts.describeDatabase(database.url);
  try {
    await db.initialize();
    const applied = await migrate(db, report);
    const instanceId = await ensureInstance(db);
    const store = parts.openStore(instanceId);
    await db.transaction(async (tx) => {
      await lockInstance(tx); // nodes that come at once take turns
      const joined = await settleMasterKey({ home, db, tx, file: masterKeyFile });
      // The others' store has its mark: one without would be a store of this node alone.
      const known = joined || (await holdsImages(tx));
      if (known) await requireStore(store, home, instanceId);
      else await markStore(store, instanceId, home);
    });
    signal?.throwIfAborted();
    return {
      home: home.dir,
      instance_id: instanceId,
      database: database.kind,
      store: 'local',
      wrote_config: wroteConfig,
      migrations_applied: applied,
    };
  } finally {
    if (db.isInitialized) await db.destroy();
    await database.close();
  }
}

/** What `initialise` would do, a sentence each. Changes nothing. */
export const planInitialise = async (home: Home, config: Config): Promise<string[]> => [
  `make the folders of ${home.dir}, its secrets and its config.yaml, where they are missing`,
  ...(await planDatabase({ home, url: config['database.url'] })),
  'run the migrations that the database lacks',
  `mark ${home.store} as the object store of this installation`,
];
