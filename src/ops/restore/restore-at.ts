import type { Writable } from 'node:stream';
import type { DataSource } from 'typeorm';
import type { Home } from '../../base/config/home.js';
import { failure, wrongUsage, type OperatorError } from '../../base/errors/operator.js';
import { commandLine } from '../../base/os/command-line.js';
import type { StoreKind } from '../../database/instance.js';
import { migrate } from '../../database/migrations.js';
import { clusterFiles, clusterMajor } from '../../database/postgres/cluster-files.js';
import { engineFolder } from '../../database/postgres/engine.js';
import { ensureEngine, findEngine, requireEngine } from '../../database/postgres/ensure-engine.js';
import { provisionDatabase } from '../../database/postgres/provision.js';
import { recoverCluster } from '../../database/postgres/recover-cluster.js';
import { startFeedClock } from '../../feed/changes/upkeep.js';
import type { MasterKey } from '../../http/auth/secrets.js';
import { bucketConfigOf, namesS3 } from '../../store/s3/settings.js';
import type { DirectoryRepository } from '../backup/directory-repository.js';
import { wantedOf, versionsById, type WantedObject } from '../backup/manifest.js';
import { sumOf, writeVerified } from '../backup/repository.js';
import { findSecrets, type RestoredSecrets } from '../backup/secrets.js';
import { countObjects, settleStore } from '../dumps.sql.js';
import { connectTo } from '../service-database.js';
import {
  completeStretches,
  isAuthentic,
  readProgress,
  stretchFile,
  type Stretch,
} from '../wal/archive.js';
import { placeVerifiedSegments } from '../wal/segments.js';
import {
  refuseFilledHome,
  requireFreeSpace,
  spaceForDatabase,
  isResumed,
  writeUnfinishedRestore,
  clearUnfinishedRestore,
  checkMigrations,
  refuseServed,
} from './obstacles.js';
import {
  authenticate,
  finishRestore,
  holdingHome,
  prepareStore,
  type Done,
  type Restored,
  type RestoreParts,
} from './restore.js';

interface RestoreAtParts extends Omit<RestoreParts, 'generation' | 'repository'> {
  readonly repository: DirectoryRepository;
  /** The end of the WAL if omitted. */
  readonly at: Date | undefined;
}

/**
 * Restores an installation with a private database into an empty home, as of an instant, from an
 * archive of its WAL. Known obstacles are detected before anything is changed.
 * @throws OperatorError.
 */
export async function restoreAt(parts: RestoreAtParts): Promise<Restored> {
  const { repository, home, config, at } = parts;
  if (config['database.url'] !== undefined) throw foreign();
  const stretch = await chooseStretch(repository, at);
  await refuseServed(home);
  checkMigrations(stretch);
  await checkMachine(home, stretch);
  const kind: StoreKind = namesS3(config) ? 's3' : 'local';
  if (kind === 's3') bucketConfigOf(config); // throws if a setting is missing
  const generation = at ? `${stretch.id}@${at.toISOString()}` : stretch.id;
  const wanted = { generation, instance_id: stretch.instance_id };
  const resumed = await isResumed(home, wanted);
  const sealed = stretch.secrets && stretchFile(stretch.id, 'secrets.age');
  const secrets = await findSecrets({ ...parts, sealed, resumed });
  const authenticated = authenticateArchive(parts, stretch, secrets);
  if (!resumed) await refuseFilledHome(home, parts.force);
  if (!resumed) await checkBase(parts, stretch);
  return holdingHome({ ...parts, resumed }, async (aside) => {
    if (kind === 's3') await prepareStore(parts, stretch.instance_id, resumed);
    await writeUnfinishedRestore(home, wanted);
    const taken = await restoreCluster(parts, stretch, secrets.masterKey);
    const done = await restoreRest(parts, { stretch, kind, secrets });
    return {
      home: home.dir,
      generation: stretch.id,
      taken_at: taken.toISOString(),
      instance_id: stretch.instance_id,
      store: kind,
      moved_aside: aside,
      authenticated,
      ...done,
    };
  });
}

/**
 * The files of a database can contain code, which PostgreSQL would run. @throws OperatorError 1
 * unless the master key proves them to be of the installation, or the operator vouches for them.
 */
function authenticateArchive(
  parts: RestoreAtParts,
  stretch: Stretch,
  secrets: RestoredSecrets,
): boolean {
  const { id: name, mac } = stretch;
  if (secrets.replaced && !parts.unauthenticated) {
    throw failure(`Nothing proves that the base backup ${name} is authentic without its key.`, {
      code: 'not_authentic',
      setting: 'DIR',
      remedy: 'If nobody else can write to the directory: --unauthenticated',
    });
  }
  const trusted = !secrets.replaced && isAuthentic(stretch, secrets.masterKey);
  return authenticate(parts, secrets, { name, mac, isAuthentic: trusted });
}

interface Chosen {
  readonly stretch: Stretch;
  readonly kind: StoreKind;
  readonly secrets: RestoredSecrets;
}

async function restoreRest(
  parts: RestoreAtParts,
  { stretch, kind, secrets }: Chosen,
): Promise<Done> {
  const { home, config, report, signal } = parts;
  const server = await provisionDatabase({ home, report, signal });
  const { db, close } = await connectTo(server, config);
  try {
    const migrations_applied = await migrate(db, report);
    await startFeedClock(db);
    await settleStore(db, kind);
    const done = await finishRestore(parts, {
      db,
      kind,
      secrets,
      instanceId: stretch.instance_id,
      wanted: objectsOfRows(db),
      objects: await countObjects(db),
    });
    return { ...done, migrations_applied };
  } finally {
    await close();
  }
}

/** Rows have the hashes of originals only. */
async function* objectsOfRows(db: DataSource): AsyncGenerator<WantedObject> {
  for await (const version of versionsById(db)) yield* wantedOf(version);
}

/** The stretch that contains an instant. @throws OperatorError 1 with what can be restored. */
async function chooseStretch(
  repository: DirectoryRepository,
  at: Date | undefined,
): Promise<Stretch> {
  const complete = await completeStretches(repository);
  const now = Date.now();
  const chosen = at
    ? complete.findLast(({ from }) => Date.parse(from) <= at.getTime() && at.getTime() <= now)
    : complete.at(-1);
  if (chosen) return chosen;
  if (at && complete.length > 0) throw await outOfReach(repository, at);
  throw failure(`There is no complete base backup in ${repository.name}.`, {
    setting: 'DIR',
    remedy: `Let "${commandLine('backup', repository.name, '--wal')}" run until it receives WAL.`,
  });
}

async function outOfReach(repository: DirectoryRepository, at: Date): Promise<OperatorError> {
  const ranges: string[] = [];
  for (const stretch of await completeStretches(repository)) {
    ranges.push(`${stretch.from} to ${await readProgress(repository, stretch)}`);
  }
  return failure(`${repository.name} does not cover ${at.toISOString()}.`, {
    setting: '--at',
    remedy: `Choose an instant from ${ranges.join(', or from ')}.`,
  });
}

const incomplete = ({ name }: DirectoryRepository, lastCommit: Date | undefined): OperatorError =>
  failure(`WAL that was archived is missing in ${name}.`, {
    code: 'missing',
    setting: 'DIR',
    remedy: lastCommit
      ? `To restore what precedes it: --at ${lastCommit.toISOString()}`
      : 'Use another copy of this directory.',
  });

const foreign = () =>
  wrongUsage('WAL can only be replayed into a private database.', {
    setting: 'database.url',
    remedy: `Leave out --database-url, and move the restored database afterward: ${commandLine('database', 'move', '--to', 'URL')}`,
  });

/** Files of a server can only be used by the same version on the same architecture. */
async function checkMachine(home: Home, { postgresql, architecture }: Stretch): Promise<void> {
  if (architecture !== process.arch) {
    throw failure(
      `The WAL is from a machine with ${architecture}, but this one has ${process.arch}.`,
      {
        setting: 'DIR',
        remedy: `Restore on a machine with ${architecture}, or restore a backup that was made without --wal.`,
      },
    );
  }
  const folder = engineFolder(home);
  if (await findEngine(folder)) await requireEngine(folder, postgresql);
}

/** @throws OperatorError 1 if the base backup is damaged, 69 if there is no space for it. */
async function checkBase(
  { repository, home, report }: RestoreAtParts,
  { id, base, from }: Stretch,
): Promise<void> {
  report(`Reading the base backup of ${from}`);
  const file = repository.fileAt(stretchFile(id, 'base.tar.gz'));
  const source = await repository.read(stretchFile(id, 'base.tar.gz'));
  const found = source && (await sumOf(source as AsyncIterable<Buffer>));
  if (found?.sha256 !== base.sha256) {
    throw failure(`The base backup ${file} is missing or damaged.`, {
      code: 'damaged',
      setting: 'DIR',
      remedy: 'Choose an --at that an older base backup covers, or another copy of this directory.',
    });
  }
  let bytes = spaceForDatabase(base.bytes);
  const prefix = `stretches/${id}/wal/`;
  for await (const segment of repository.list(prefix)) bytes += segment.bytes;
  await requireFreeSpace(home, bytes);
}

/** Replays the WAL, unless an interrupted restore has done so. @returns the instant. */
async function restoreCluster(
  parts: RestoreAtParts,
  stretch: Stretch,
  key: MasterKey,
): Promise<Date> {
  const { repository, home, at, report, signal } = parts;
  const until = await readProgress(repository, stretch);
  if ((await clusterMajor(clusterFiles(home))) !== undefined) return at ?? new Date(until);
  await ensureEngine(engineFolder(home), report, signal);
  const engine = await requireEngine(engineFolder(home), stretch.postgresql);
  report(`Replaying WAL since ${stretch.from}${at ? ` until ${at.toISOString()}` : ''}`);
  const writeBase = (into: Writable): Promise<void> =>
    writeVerified(repository, stretchFile(stretch.id, 'base.tar.gz'), stretch.base.sha256, into);
  const placeSegments = (folder: string): Promise<void> =>
    placeVerifiedSegments(parts, { stretch, key, folder });
  try {
    const atLeast = until > stretch.from ? new Date(until) : undefined;
    const { reached, lastCommit } = await recoverCluster({
      home,
      engine,
      writeBase,
      placeSegments,
      at,
      atLeast,
      signal,
    });
    if (!reached) throw at ? await outOfReach(repository, at) : incomplete(repository, lastCommit);
    return at ?? lastCommit ?? new Date(until);
  } catch (error) {
    // Nothing has been restored yet: another instant may be chosen.
    await clearUnfinishedRestore(home);
    throw error;
  }
}
