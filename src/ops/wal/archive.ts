import { randomUUID } from 'node:crypto';
import { readdir, rm } from 'node:fs/promises';
import type { DataSource } from 'typeorm';
import { z } from 'zod';
import { inGroups } from '../../base/concurrency.js';
import { failure } from '../../base/errors/operator.js';
import type { MasterKey } from '../../http/auth/secrets.js';
import { isKey, parseOwner } from '../../store/object-key.js';
import type { DirectoryRepository } from '../backup/directory-repository.js';
import { refuseFilled } from '../backup/open-repository.js';
import {
  linesOf,
  archiveMarkPath,
  readJson,
  writeJson,
  writeLines,
  listPool,
  poolPath,
  fileSum,
  type Repository,
} from '../backup/repository.js';
import { selectExistingVersions } from '../dumps.sql.js';

const markSchema = z.object({ format: z.literal(1), id: z.string(), instance_id: z.string() });

const stretchSchema = z.object({
  format: z.literal(1),
  id: z.string(),
  instance_id: z.string(),
  /** Version of imgstore that started it. */
  imgstore: z.string(),
  /** Major version of the server; no other one can use its files. */
  postgresql: z.int(),
  /** As Node.js names it; no other one can use the files of the server. */
  architecture: z.string(),
  system_identifier: z.string(),
  timeline: z.int(),
  migrations: z.array(z.string()),
  /** The first instant that can be restored: the end of the base backup. */
  from: z.string(),
  base: fileSum,
  secrets: fileSum.nullable(),
  /** Its place in the order in which stretches were begun, whatever clocks said; those of 0.3 have none. */
  number: z.int().optional(),
  /** Made with the master key; archives of imgstore 0.2 have none. */
  mac: z.string().optional(),
});

/** A base backup and the WAL since then, without a gap. */
export type Stretch = z.infer<typeof stretchSchema>;

const progressSchema = z.object({
  until: z.string(),
  /** How far the segment that was being received belongs to that instant. */
  wal: z.object({ name: z.string(), bytes: z.int(), sha256: z.string() }).optional(),
  mac: z.string().optional(),
});

/** The last instant whose rows and objects are known to be archived, and the end of its WAL. */
export type Progress = z.infer<typeof progressSchema>;

const stretchesPath = 'stretches';

type StretchFile =
  'stretch.json' | 'base.tar.gz' | 'secrets.age' | 'progress.json' | 'gone.ndjson' | 'wal';

export const stretchFile = (
  id: string,
  name: StretchFile | `wal/${string}` | `sums/${string}`,
): string => `${stretchesPath}/${id}/${name}`;

/** Folder of segments, as pg_receivewal names them. */
export const segmentsOf = (repository: DirectoryRepository, id: string): string =>
  repository.fileAt(stretchFile(id, 'wal'));

/**
 * Marks an empty directory as this installation's archive.
 * @throws OperatorError 1 if it belongs to another one, or contains something else.
 */
export async function ensureArchive(
  repository: DirectoryRepository,
  instanceId: string,
): Promise<void> {
  const found = await readJson(repository, archiveMarkPath);
  if (found !== undefined) {
    const mark = markSchema.safeParse(found);
    if (mark.data?.instance_id === instanceId) return;
    throw failure(
      mark.data
        ? `${repository.name} has the WAL of another installation (${mark.data.instance_id}).`
        : `${archiveMarkPath} in ${repository.name} is damaged, or of a newer imgstore.`,
      {
        code: mark.data ? 'foreign' : 'damaged',
        setting: 'DIR',
        remedy: 'Choose a separate directory for each installation.',
      },
    );
  }
  await refuseFilled(repository);
  await writeJson(repository, archiveMarkPath, {
    format: 1,
    id: randomUUID(),
    instance_id: instanceId,
  });
}

/** Every folder of a stretch, complete or not. */
async function stretchIds(repository: DirectoryRepository): Promise<string[]> {
  return (await readdir(repository.fileAt(stretchesPath)).catch(() => [])).sort();
}

/** @returns undefined for an incomplete one, or one with a damaged record. */
async function readStretch(repository: Repository, id: string): Promise<Stretch | undefined> {
  const { data } = stretchSchema.safeParse(
    await readJson(repository, stretchFile(id, 'stretch.json')),
  );
  return data?.id === id ? data : undefined;
}

/** Every complete stretch, latest last. */
export async function completeStretches(repository: DirectoryRepository): Promise<Stretch[]> {
  const read = (await stretchIds(repository)).map((id) => readStretch(repository, id));
  return (await Promise.all(read))
    .filter((stretch) => stretch !== undefined)
    .sort((a, b) => (a.number ?? 0) - (b.number ?? 0));
}

/** Whether the base backup is there, as long as it was written. */
const hasBase = async (repository: DirectoryRepository, { id, base }: Stretch): Promise<boolean> =>
  (await repository.size(stretchFile(id, 'base.tar.gz'))) === base.bytes;

const textOf = (stretch: Stretch): string =>
  JSON.stringify(stretchSchema.omit({ mac: true }).parse(stretch));

/** Whether the installation with this key made the base backup. */
export const isAuthentic = (stretch: Stretch, key: MasterKey): boolean =>
  key.isRecordMac('wal stretch', textOf(stretch), stretch.mac);

/** Stores the record, which makes the stretch complete. */
export const writeStretch = (
  repository: DirectoryRepository,
  stretch: Stretch,
  key: MasterKey,
): Promise<void> => {
  const mac = key.recordMac('wal stretch', textOf(stretch));
  return writeJson(repository, stretchFile(stretch.id, 'stretch.json'), { ...stretch, mac });
};

/** The last instant whose rows and objects are known to be archived. */
export async function readProgress(repository: Repository, { id, from }: Stretch): Promise<string> {
  const found = await readJson(repository, stretchFile(id, 'progress.json'));
  return progressSchema.safeParse(found).data?.until ?? from;
}

const progressText = ({ until, wal }: Progress): string => JSON.stringify([until, wal ?? null]);

/** The same with the end of its WAL; undefined unless the installation with this key wrote it. */
export async function readAuthenticProgress(
  repository: Repository,
  id: string,
  key: MasterKey,
): Promise<Progress | undefined> {
  const found = await readJson(repository, stretchFile(id, 'progress.json'));
  const { data } = progressSchema.safeParse(found);
  const isOwn = data && key.isRecordMac(`wal progress ${id}`, progressText(data), data.mac);
  return isOwn ? data : undefined;
}

export const writeProgress = (
  repository: DirectoryRepository,
  id: string,
  progress: Progress,
  key: MasterKey,
): Promise<void> => {
  const mac = key.recordMac(`wal progress ${id}`, progressText(progress));
  return writeJson(repository, stretchFile(id, 'progress.json'), { ...progress, mac });
};

const batchSize = 500;

/**
 * Lists the objects of the pool that no row references any more. No instant from now on needs them;
 * they are kept as long as there is an older stretch.
 */
export async function listGone(
  db: DataSource,
  repository: DirectoryRepository,
  id: string,
): Promise<void> {
  const file = `${repository.staging}/gone.ndjson`;
  await writeLines(file, goneKeys(db, repository));
  await repository.put(stretchFile(id, 'gone.ndjson'), file);
}

async function* goneKeys(db: DataSource, repository: DirectoryRepository): AsyncGenerator<string> {
  for await (const group of inGroups(listPool(repository), batchSize)) {
    const ids = new Map(group.map(({ key }) => [key, parseOwner(key).versionId]));
    const existing = await selectExistingVersions(db, [...new Set(ids.values())]);
    for (const [key, version] of ids) {
      if (version !== null && !existing.has(version)) yield key;
    }
  }
}

/** Removes incomplete stretches. */
export async function removeUnfinished(repository: DirectoryRepository): Promise<void> {
  const complete = (await completeStretches(repository)).map(({ id }) => id);
  for (const id of await stretchIds(repository)) {
    // A stretch with a damaged record is left for the operator to examine.
    const begun = (await repository.size(stretchFile(id, 'stretch.json'))) === undefined;
    if (begun && !complete.includes(id)) await removeStretch(repository, id);
  }
}

/**
 * Removes all but the latest stretches, in the order in which they were begun, and the objects that only
 * these needed. The last one that has its base backup always stays. If the record of one cannot be read,
 * nothing is removed: what it needs is unknown.
 */
export async function pruneStretches(
  repository: DirectoryRepository,
  keep: number,
): Promise<{ readonly removed: readonly string[]; readonly unreadable: readonly string[] }> {
  const complete = await completeStretches(repository);
  const unreadable = (await stretchIds(repository)).filter((id) =>
    complete.every((stretch) => stretch.id !== id),
  );
  if (unreadable.length > 0) return { removed: [], unreadable };
  let first = Math.max(0, complete.length - keep);
  const kept = await Promise.all(complete.slice(first).map((one) => hasBase(repository, one)));
  for (let good = kept.includes(true); !good && first > 0;) {
    first -= 1;
    good = await hasBase(repository, complete[first] as Stretch);
  }
  const removed = complete.slice(0, first).map(({ id }) => id);
  for (const id of removed) {
    await repository.remove([stretchFile(id, 'stretch.json')]);
    await removeStretch(repository, id);
  }
  const oldest = complete[first];
  if (oldest) await removeGone(repository, oldest.id);
  return { removed, unreadable };
}

const removeStretch = (repository: DirectoryRepository, id: string): Promise<void> =>
  rm(repository.fileAt(`stretches/${id}`), { recursive: true, force: true });

/** Removes objects that no instant since the beginning of the oldest stretch needs. */
async function removeGone(repository: DirectoryRepository, id: string): Promise<void> {
  const path = stretchFile(id, 'gone.ndjson');
  const source = await repository.read(path);
  if (!source) return;
  for await (const group of inGroups(linesOf(source as AsyncIterable<Buffer>), batchSize)) {
    const keys = group.map((line) => JSON.parse(line) as unknown);
    const sound = keys.filter((key) => typeof key === 'string' && isKey(key)) as string[];
    await repository.remove(sound.map(poolPath));
  }
  await repository.remove([path]);
}
