import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { DataSource } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import type { Home } from '../../base/config/home.js';
import type { Config, OptionKey } from '../../base/config/options.js';
import { failure } from '../../base/errors/operator.js';
import { commandLine } from '../../base/os/command-line.js';
import type { StoreKind } from '../../database/instance.js';
import { whileOpen } from '../../database/data-source.js';
import { provisionDatabase } from '../../database/postgres/provision.js';
import { endRestoredLogs } from '../../feed/custody/log.js';
import { Keyring } from '../../http/auth/keyring.js';
import { bucketConfigOf, namesS3 } from '../../store/s3/settings.js';
import { readSentinel } from '../../store/sentinel.js';
import {
  chooseGeneration,
  isAuthentic,
  readGeneration,
  type Generation,
} from '../backup/generation.js';
import { readEntries } from '../backup/manifest.js';
import { readMark } from '../backup/open-repository.js';
import { copyVerified, generationFile, type Repository } from '../backup/repository.js';
import { findSecrets, placeSecrets, withNewKey, type RestoredSecrets } from '../backup/secrets.js';
import { Faults, verifyFiles } from '../backup/verify-contents.js';
import { makeHomeDirectories, writeConfig, lockHome } from '../home.js';
import { connectTo, serviceDataSource } from '../service-database.js';
import { describeStore, ensureSentinel } from '../store-sentinel.js';
import { openerOf } from '../stores.js';
import { verifyStatistics, type VerifiedStatistics } from '../verify/verify.js';
import {
  restoreRows,
  rekey,
  restoreObjects,
  type Rekeyed,
  type RestorableObject,
  type RestoredObjects,
} from './contents.js';
import {
  moveAside,
  refuseFilledHome,
  requireEmptyBucket,
  requireEmptyDatabase,
  requireFreeSpace,
  spaceForDatabase,
  isResumed,
  writeUnfinishedRestore,
  clearUnfinishedRestore,
  checkVersions,
  refuseServed,
} from './obstacles.js';

export interface RestoreParts {
  readonly repository: Repository;
  /** The latest if omitted. */
  readonly generation: string | undefined;
  readonly home: Home;
  readonly config: Config;
  /** Values that the operator gave by flag, to be written to config.yaml. */
  readonly chosen: Partial<Pick<Config, OptionKey>>;
  readonly masterKeyFile: string | undefined;
  /** Whether the home gets a new master key because that of the backup is lost. */
  readonly newMasterKey: boolean;
  readonly passphrase: () => Promise<string>;
  /** Whether to restore what was changed, or made by another installation. */
  readonly unauthenticated: boolean;
  /** Whether it becomes another installation, beside the original. */
  readonly asClone: boolean;
  /** The newest checkpoints of logs: those that the restored ones fit go on, others begin anew. */
  readonly checkpoints: readonly string[];
  /** Whether the contents of a home are moved aside, and those of a bucket left in place. */
  readonly force: boolean;
  readonly report: (message: string) => void;
  readonly copied: (progress: RestoredObjects, objects: number) => void;
  readonly signal: AbortSignal;
}

export interface Restored {
  readonly home: string;
  readonly generation: string;
  readonly taken_at: string;
  readonly instance_id: string;
  /** Whether the master key proves that the installation itself made the backup. */
  readonly authenticated: boolean;
  readonly store: StoreKind;
  readonly objects: number;
  readonly bytes: number;
  /** Objects that are missing or damaged in the backup. */
  readonly damaged: readonly string[];
  readonly migrations_applied: readonly string[];
  /** Folder with the previous contents of the home. */
  readonly moved_aside: string | null;
  /** What became invalid with a new master key; null if the key is that of the backup. */
  readonly rekeyed: Rekeyed | null;
  readonly verified: VerifiedStatistics;
}

/**
 * Restores a home, its database, and its objects, which may be elsewhere, to the state of a backup.
 * Obstacles are detected before anything is changed; repeating the call resumes an interrupted
 * restore.
 * @throws OperatorError.
 */
export async function restore(parts: RestoreParts): Promise<Restored> {
  const { repository, home, config, report } = parts;
  const generation = await soundGeneration(parts);
  await refuseServed(home);
  await checkVersions(generation, home);
  const kind: StoreKind = namesS3(config) ? 's3' : 'local';
  if (kind === 's3') bucketConfigOf(config); // throws if a setting is missing
  const wanted = { generation: generation.id, instance_id: generation.instance_id };
  const resumed = await isResumed(home, wanted);
  const sealed = generation.secrets && generationFile(generation.id, 'secrets.age');
  const secrets = await findSecrets({ ...parts, sealed, resumed });
  const authenticated = authenticate(parts, secrets, {
    name: generation.id,
    mac: generation.mac,
    isAuthentic: isAuthentic(generation, secrets.masterKey),
  });
  const privately = config['database.url'] === undefined;
  const needed =
    (kind === 'local' ? generation.object_bytes : 0) +
    (privately ? spaceForDatabase(generation.dump.bytes) : 0) +
    generation.dump.bytes +
    generation.manifest.bytes;
  if (!resumed) await requireFreeSpace(home, needed);
  if (!resumed) await refuseFilledHome(home, parts.force);
  if (!resumed && !privately) await checkForeignDatabase(parts);
  return holdingHome({ ...parts, resumed }, async (aside) => {
    if (kind === 's3') await prepareStore(parts, generation.instance_id, resumed);
    await writeUnfinishedRestore(home, wanted);
    const instanceId = parts.asClone
      ? await cloneIdOf(parts, kind, resumed)
      : generation.instance_id;
    report(`Restoring ${generation.id}, as of ${generation.taken_at}, from ${repository.name}`);
    const used = parts.asClone ? await withNewKey({ home, resumed }) : secrets;
    const done = await restoreInto(parts, { generation, kind, secrets: used, instanceId });
    return {
      home: home.dir,
      generation: generation.id,
      taken_at: generation.taken_at,
      instance_id: instanceId,
      store: kind,
      moved_aside: aside,
      authenticated,
      ...done,
    };
  });
}

/**
 * Moves the contents of a home aside only once it is held: a service may have started since the checks,
 * such as while a passphrase was typed. @param work gets the folder with the former contents.
 */
export async function holdingHome<T>(
  { home, force, resumed }: Pick<RestoreParts, 'home' | 'force'> & { readonly resumed: boolean },
  work: (aside: string | null) => Promise<T>,
): Promise<T> {
  await makeHomeDirectories(home);
  const lock = await lockHome(home);
  try {
    const filled = !resumed && (await refuseFilledHome(home, force));
    const aside = filled ? await moveAside(home) : null;
    await makeHomeDirectories(home);
    return await work(aside);
  } finally {
    await lock.release();
  }
}

/** The id of a clone; the store has it before the database does, so that a resumed restore finds it. */
async function cloneIdOf(
  { home, config }: RestoreParts,
  kind: StoreKind,
  resumed: boolean,
): Promise<string> {
  const store = await openerOf(home, config)(kind, '');
  const instanceId = (resumed ? await readSentinel(store) : undefined) ?? uuidv7();
  const description = describeStore(kind, home, config);
  await ensureSentinel({ store, description, instanceId }, home.incoming);
  return instanceId;
}

/** The generation to restore. @throws OperatorError 1 if its files are damaged. */
async function soundGeneration({ repository, generation: id }: RestoreParts): Promise<Generation> {
  await readMark(repository);
  const chosen = await chooseGeneration(repository, id);
  const generation = await readGeneration(repository, chosen);
  const faults = new Faults();
  if (generation && generation !== 'damaged') {
    await verifyFiles(repository, generation, faults);
    if (faults.total === 0) return generation;
  }
  const [fault] = faults.listed;
  throw failure(`The backup ${chosen} is damaged${fault ? `: ${fault.subject}` : ''}.`, {
    code: 'damaged',
    setting: 'DIR',
    remedy: `Choose another --generation; to see what is wrong with this one: ${commandLine('verify', 'backup', repository.name, '--generation', chosen)}`,
  });
}

/**
 * Whether the master key proves that the installation made a backup. Somebody else can remove a code
 * as easily as change a file. @throws OperatorError 1 if not, unless the operator vouches for it, or
 * has lost the key.
 */
export function authenticate(
  { repository, unauthenticated, report }: Omit<RestoreParts, 'generation'>,
  { replaced }: RestoredSecrets,
  of: { readonly name: string; readonly mac: string | undefined; readonly isAuthentic: boolean },
): boolean {
  if (of.isAuthentic) return true;
  const why = replaced
    ? 'its master key is lost'
    : of.mac === undefined
      ? 'it has no code made with the master key, like those of imgstore 0.2'
      : 'it was changed, or its master key is another one';
  if (!replaced && !unauthenticated) {
    throw failure(`The backup ${of.name} is not authentic: ${why}.`, {
      code: 'not_authentic',
      setting: 'DIR',
      remedy:
        'Choose another one, another copy, or the right --master-key-file. If nobody else can write to it: --unauthenticated',
    });
  }
  report(
    `Not authenticated, since ${why}: whoever could write to ${repository.name} may have changed rows and files`,
  );
  return false;
}

/** @throws OperatorError before anything is changed. */
async function checkForeignDatabase(parts: RestoreParts): Promise<void> {
  const { home, config, report, signal } = parts;
  const url = config['database.url'];
  const database = await provisionDatabase({ home, url, report, signal });
  await whileOpen(serviceDataSource(database.url, config), requireEmptyDatabase);
}

export async function prepareStore(
  { home, config, report, force }: Omit<RestoreParts, 'generation'>,
  instanceId: string,
  resumed: boolean,
): Promise<void> {
  const { prepareBucket } = await import('../prepare-bucket.js');
  const bucketConfig = bucketConfigOf(config);
  await prepareBucket({ bucketConfig, scratch: home.incoming, report, warn: report });
  const store = await openerOf(home, config)('s3', instanceId);
  if (!resumed) await requireEmptyBucket(store, force);
}

interface Chosen {
  readonly generation: Generation;
  /** That of the generation, or of its clone. */
  readonly instanceId: string;
  readonly kind: StoreKind;
  readonly secrets: RestoredSecrets;
}

interface RestoredRows {
  readonly db: DataSource;
  readonly instanceId: string;
  readonly kind: StoreKind;
  readonly secrets: RestoredSecrets;
  /** The objects that the rows need, and how many they are. */
  readonly wanted: AsyncIterable<RestorableObject>;
  readonly objects: number;
}

/** Restores objects and secrets after the rows, and verifies everything. */
export async function finishRestore(
  parts: Omit<RestoreParts, 'generation'>,
  { db, instanceId, kind, secrets, wanted, objects: total }: RestoredRows,
): Promise<Omit<Done, 'migrations_applied'>> {
  const { repository, home, config, report, signal } = parts;
  const rekeyed = secrets.replaced
    ? await rekey(db, secrets.masterKey, parts.asClone ? instanceId : undefined)
    : null;
  await endRestoredLogs(db, parts.asClone ? [] : parts.checkpoints);
  await new Keyring(db, secrets.masterKey).current(); // throws if the key is a different one
  const store = await openerOf(home, config)(kind, instanceId);
  report('Restoring objects');
  const objects = await restoreObjects({
    repository,
    wanted,
    store,
    scratch: home.incoming,
    signal,
    report: (progress) => parts.copied(progress, total),
  });
  await placeSecrets(home, secrets);
  const description = describeStore(kind, home, config);
  await ensureSentinel({ store, description, instanceId }, home.incoming);
  await writeConfig(home, parts.chosen);
  const verified = await verifyStatistics({ db, store, report });
  await clearUnfinishedRestore(home);
  return { ...objects, rekeyed, verified };
}

/** The outcome of a restore. */
export type Done = Pick<
  Restored,
  'objects' | 'bytes' | 'damaged' | 'migrations_applied' | 'rekeyed' | 'verified'
>;

async function restoreInto(parts: RestoreParts, chosen: Chosen): Promise<Done> {
  const { home, config, report, signal } = parts;
  const { generation, instanceId, kind, secrets } = chosen;
  const url = config['database.url'];
  const server = await provisionDatabase({ home, url, report, signal });
  const { db, close } = await connectTo(server, config);
  try {
    const rows = { ...parts, generation, instanceId, db, url: server.url, store: kind };
    const applied = await restoreRows(rows);
    const manifest = join(home.incoming, 'manifest.ndjson');
    const path = generationFile(generation.id, 'manifest.ndjson');
    await copyVerified(parts.repository, path, generation.manifest.sha256, manifest);
    const wanted = readEntries(manifest);
    const of = { instanceId, objects: generation.objects, wanted };
    const done = await finishRestore(parts, { ...of, db, kind, secrets });
    await rm(manifest);
    return { ...done, migrations_applied: applied };
  } finally {
    await close();
  }
}
