import { randomUUID } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { z } from 'zod';
import { failure } from '../../base/errors/operator.js';
import type { MasterKey } from '../../http/auth/secrets.js';
import type { DirectoryRepository } from '../backup/directory-repository.js';
import { refuseFilled } from '../backup/open-repository.js';
import { archiveMarkPath, readJson, writeJson, type Repository } from '../backup/repository.js';

const markSchema = z.object({ format: z.literal(1), id: z.string(), instance_id: z.string() });

const sum = z.object({ bytes: z.int().nonnegative(), sha256: z.string() });

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
  base: sum,
  secrets: sum.nullable(),
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
      { setting: 'DIR', remedy: 'Choose a separate directory for each installation.' },
    );
  }
  await refuseFilled(repository);
  await writeJson(repository, archiveMarkPath, {
    format: 1,
    id: randomUUID(),
    instance_id: instanceId,
  });
}

/** Every folder of a stretch, complete or not; latest last. */
export async function stretchIds(repository: DirectoryRepository): Promise<string[]> {
  return (await readdir(repository.fileAt(stretchesPath)).catch(() => [])).sort();
}

/** @returns undefined for an incomplete one, or one with a damaged record. */
export async function readStretch(
  repository: Repository,
  id: string,
): Promise<Stretch | undefined> {
  const { data } = stretchSchema.safeParse(
    await readJson(repository, stretchFile(id, 'stretch.json')),
  );
  return data?.id === id ? data : undefined;
}

/** Every complete stretch, latest last. */
export async function completeStretches(repository: DirectoryRepository): Promise<Stretch[]> {
  const read = (await stretchIds(repository)).map((id) => readStretch(repository, id));
  return (await Promise.all(read)).filter((stretch) => stretch !== undefined);
}

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
