import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { DataSource } from 'typeorm';
import type { Home } from '../../base/config/home.js';
import { failure, OperatorError } from '../../base/errors/operator.js';
import { version } from '../../base/installed-files.js';
import { errnoOf } from '../../base/os/files.js';
import { readInstance } from '../../database/instance.js';
import { claimRepository, withObjectsHeld } from '../../database/locks.js';
import type { MasterKey } from '../../http/auth/secrets.js';
import type { ObjectStore } from '../../store/port.js';
import { pingSession } from '../dumps.sql.js';
import { copyObjects, forgetResumed, sweepStaging, type CopyProgress } from './copy-objects.js';
import { explainDirectory } from './directory-repository.js';
import {
  completeGenerations,
  isAuthentic,
  newGenerationId,
  writeGeneration,
  prune,
  type Generation,
} from './generation.js';
import { ensureMark } from './open-repository.js';
import {
  copyVerified,
  generationFile,
  unfinishedPath,
  writeJson,
  type Repository,
} from './repository.js';
import { putSecrets } from './secrets.js';
import { takeSnapshot, type Snapshot } from './snapshot.js';

interface BackupParts {
  /** Authenticates the record of the backup. */
  readonly masterKey: MasterKey;
  readonly db: DataSource;
  readonly home: Home;
  /** URL of the database, for pg_dump. */
  readonly url: string;
  readonly store: Pick<ObjectStore, 'get' | 'check'>;
  readonly repository: Repository;
  /** Whether to hard-link files of the local store instead of copying them, where possible. */
  readonly link: boolean;
  /** How many complete generations to keep; all if omitted. */
  readonly keep?: number | undefined;
  /** Encrypts the secrets; if omitted, they are not backed up. */
  readonly passphrase?: string | undefined;
  /** Only this platform; the whole installation if null. */
  readonly platformId: string | null;
  /** For the dump of a platform: an empty database to clone, instead of starting a server. */
  readonly scratch: string | undefined;
  readonly report: (message: string) => void;
  /** @param total how many objects there are in all. */
  readonly copied: (progress: CopyProgress, total: number) => void;
  readonly signal: AbortSignal;
}

export interface BackedUp {
  readonly generation: Generation;
  readonly objects_reused: number;
  /** Up to 1,000 objects that the store had lost, or whose original differs from its row. */
  readonly lost: readonly string[];
  /** Older generations that were removed. */
  readonly removed: readonly string[];
}

/**
 * Backs up rows and objects as of one instant, while the service is running. A killed run leaves
 * earlier generations untouched; the next run resumes with the objects that are already copied.
 * @throws OperatorError.
 */
export async function backUp(parts: BackupParts): Promise<BackedUp> {
  const { db, repository, store, platformId } = parts;
  await store.check();
  const { id: instanceId } = await readInstance(db);
  const mark = await ensureMark(repository, { instanceId, platformId });
  return withObjectsHeld(db, async (session) => {
    if (!(await claimRepository(session, mark.id))) throw busy(repository);
    const assertHeld = (): Promise<unknown> => pingSession(session).catch(lockLost);
    return explained(repository, () => makeGeneration(parts, instanceId, assertHeld));
  });
}

/** Error codes of disks, never of connections. */
const diskErrors: readonly unknown[] = ['ENOSPC', 'EDQUOT', 'EIO', 'EROFS', 'EACCES', 'EPERM'];

/** Explains failures of the disk that files are prepared on. */
export async function explained<T>({ staging }: Repository, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw diskErrors.includes(errnoOf(error)) ? explainDirectory(staging, error) : error;
  }
}

async function makeGeneration(
  parts: BackupParts,
  instanceId: string,
  assertHeld: () => Promise<unknown>,
): Promise<BackedUp> {
  const { repository, report } = parts;
  const { staging } = repository;
  await sweepStaging(repository);
  const interrupted = await markUnfinished(repository);
  const previous = await copyPreviousManifest(parts);
  report('Dumping the database');
  const snapshot = await takeSnapshot({ ...parts, staging });
  report('Copying objects');
  const { manifest, lost, ...copied } = await copyObjects({
    ...parts,
    list: snapshot.list,
    previous,
    fileOf: parts.link ? (key) => join(parts.home.store, key) : undefined,
    assertHeld,
    report: (progress) => parts.copied(progress, snapshot.objects),
  });
  const id = newGenerationId(snapshot.takenAt);
  const secrets = await putSecrets(parts, generationFile(id, 'secrets.age'));
  await repository.put(generationFile(id, 'database.dump'), snapshot.dump.file);
  await repository.put(generationFile(id, 'manifest.ndjson'), manifest.file);
  await repository.flush();
  const generation: Generation = {
    ...about(snapshot),
    id,
    instance_id: instanceId,
    platform_id: parts.platformId,
    objects: copied.objects,
    object_bytes: copied.bytes,
    faults: copied.faults,
    manifest: { bytes: manifest.bytes, sha256: manifest.sha256 },
    secrets,
  };
  await writeGeneration(repository, generation, parts.masterKey);
  await repository.flush();
  await forgetResumed(repository);
  await rm(snapshot.list, { force: true });
  if (previous !== undefined) await rm(previous, { force: true });
  const removed = await prune(repository, { ...parts, keep: parts.keep, interrupted });
  return { generation, objects_reused: copied.reused, lost, removed };
}

/** @returns whether an earlier backup was never finished. */
async function markUnfinished(repository: Repository): Promise<boolean> {
  if ((await repository.size(unfinishedPath)) !== undefined) return true;
  await writeJson(repository, unfinishedPath, { began_at: new Date().toISOString() });
  return false;
}

/**
 * Copies the manifest of the latest generation of this installation whose manifest is undamaged: its
 * hashes become those of this backup. In the repository, others may be able to replace it after it
 * was verified. @returns the path of the copy.
 */
async function copyPreviousManifest({
  repository,
  masterKey,
  home,
}: BackupParts): Promise<string | undefined> {
  const copy = join(home.incoming, `${randomUUID()}.ndjson`);
  for (const generation of (await completeGenerations(repository)).reverse()) {
    if (!isAuthentic(generation, masterKey)) continue;
    const path = generationFile(generation.id, 'manifest.ndjson');
    try {
      await copyVerified(repository, path, generation.manifest.sha256, copy);
      return copy;
    } catch (error) {
      await rm(copy, { force: true });
      if (!(error instanceof OperatorError)) throw error;
    }
  }
  return undefined;
}

const about = ({ takenAt, postgresql, migrations, dump }: Snapshot) => ({
  format: 1 as const,
  imgstore: version(),
  taken_at: takenAt.toISOString(),
  finished_at: new Date().toISOString(),
  postgresql,
  migrations: [...migrations],
  dump: { bytes: dump.bytes, sha256: dump.sha256 },
});

const busy = ({ name }: Repository) =>
  failure(`Another process is backing up to ${name}.`, {
    setting: 'DIR',
    remedy: 'Wait until it has finished.',
  });

function lockLost(cause: unknown): never {
  throw failure(
    'The connection to the database was lost, and with it the lock that prevents the deletion of objects.',
    {
      remedy: 'Run the same command again: it resumes with the objects that are already copied.',
      cause,
    },
  );
}
