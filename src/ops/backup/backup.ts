import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { DataSource } from 'typeorm';
import type { Home } from '../../base/config/home.js';
import { failure, OperatorError } from '../../base/errors/operator.js';
import { version } from '../../base/installed-files.js';
import { errnoOf } from '../../base/os/files.js';
import { readInstance } from '../../database/instance.js';
import type { Queryable } from '../../database/sql.js';
import { claimRepository, withSession } from '../../database/locks.js';
import type { MasterKey } from '../../http/auth/secrets.js';
import { parseOwner } from '../../store/object-key.js';
import type { ObjectStore } from '../../store/port.js';
import { pingSession, selectExistingVersions } from '../dumps.sql.js';
import { copyObjects, type CopyProgress } from './copy-objects.js';
import { explainDirectory } from './directory-repository.js';
import {
  doubtsOf,
  manifestChanged,
  markUnfinished,
  newGenerationId,
  survey,
  writeGeneration,
  type Doubt,
  type Entry,
  type Generation,
} from './generation.js';
import { ensureMark, makeListsFolder } from './open-repository.js';
import { copyVerified, generationFile, unfinishedPath, type Repository } from './repository.js';
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
  /** Up to 1,000 objects that are lost or damaged, or whose copies differ. */
  readonly lost: readonly string[];
  /** Those of them that were deleted while the backup ran, since it was slow or space was needed. */
  readonly deleted: readonly string[];
  /** Earlier backups that are kept although they cannot be read or understood. */
  readonly doubtful: readonly Doubt[];
}

/**
 * Backs up rows and objects as of one instant, while the service is running. Only adds: what is there
 * stays as it is, unless an object is proved wrong. After a killed run, the next run resumes with the objects that are already copied.
 * @throws OperatorError.
 */
export async function backUp(parts: BackupParts): Promise<BackedUp> {
  const { db, repository, store, platformId } = parts;
  await store.check();
  const { id: instanceId } = await readInstance(db);
  const mark = await ensureMark(repository, { instanceId, platformId });
  return withSession(db, async (session) => {
    if (!(await claimRepository(session, mark.id))) throw busy(repository);
    return explained(repository, async () => {
      const lists = await makeListsFolder(parts.home, repository, mark);
      return makeGeneration({ ...parts, instanceId, lists, session });
    });
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

interface GenerationParts extends BackupParts {
  readonly instanceId: string;
  readonly lists: string;
  /** Holds the claim on the repository. */
  readonly session: Queryable;
}

async function makeGeneration(parts: GenerationParts): Promise<BackedUp> {
  const { repository, lists, report } = parts;
  const { staging } = repository;
  const { entries, leftovers } = await survey(repository, parts.masterKey);
  await repository.remove(leftovers);
  const id = newGenerationId();
  await markUnfinished(repository, [id]);
  const { known, doubtful } = await readPrevious(parts, entries);
  report('Dumping the database');
  const snapshot = await takeSnapshot({ ...parts, staging });
  report('Copying objects');
  const { manifest, lost, ...copied } = await copyObjects({
    ...parts,
    list: snapshot.list,
    known,
    fileOf: parts.link ? (key) => join(parts.home.store, key) : undefined,
    report: (progress) => parts.copied(progress, snapshot.objects),
  });
  const secrets = await putSecrets(parts, generationFile(id, 'secrets.age'));
  await repository.put(generationFile(id, 'database.dump'), snapshot.dump.file);
  await repository.put(generationFile(id, 'manifest.ndjson'), manifest.file);
  await repository.flush();
  const generation: Generation = {
    ...about(snapshot),
    id,
    instance_id: parts.instanceId,
    platform_id: parts.platformId,
    objects: copied.objects,
    object_bytes: copied.bytes,
    faults: copied.faults,
    manifest: { bytes: manifest.bytes, sha256: manifest.sha256 },
    secrets,
    sequence: Math.max(0, ...entries.map((entry) => entry.generation?.sequence ?? 0)) + 1,
  };
  await pingSession(parts.session);
  await writeGeneration(repository, generation, parts.masterKey);
  await repository.flush();
  await repository.remove([unfinishedPath]);
  await rm(lists, { recursive: true });
  await rm(snapshot.list, { force: true });
  const versionOf = (key: string): string | null => parseOwner(key).versionId;
  const there = await selectExistingVersions(parts.db, lost.map(versionOf));
  const deleted = lost.filter((key) => !there.has(versionOf(key) ?? ''));
  return { generation, objects_reused: copied.reused, lost, deleted, doubtful };
}

/**
 * Copies the manifest of the latest generation of this installation whose manifest is undamaged: its
 * hashes become those of this backup. In the repository, others may be able to replace it after it
 * was verified. @returns its path, and the earlier generations that are not sound.
 */
async function readPrevious(
  { repository, lists }: GenerationParts,
  entries: readonly Entry[],
): Promise<{ known: string; doubtful: Doubt[] }> {
  const doubtful = doubtsOf(entries);
  const known = join(lists, 'previous.ndjson');
  for (const { id, generation, doubt } of entries.toReversed()) {
    if (!generation || doubt !== undefined) continue;
    try {
      const path = generationFile(id, 'manifest.ndjson');
      await copyVerified(repository, path, generation.manifest.sha256, known);
      break;
    } catch (error) {
      await rm(known, { force: true });
      if (!(error instanceof OperatorError)) throw error;
      doubtful.push({ generation: id, reason: manifestChanged });
    }
  }
  return { known, doubtful };
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

export const busy = ({ name }: Repository) =>
  failure(`Another process is backing up to ${name}.`, {
    setting: 'DIR',
    remedy: 'Wait until it has finished.',
  });
