import { createHash, randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { writeFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { z } from 'zod';
import { inGroups } from '../../base/concurrency.js';
import { failure } from '../../base/errors/operator.js';
import { lastLines, run } from '../../base/os/run.js';
import type { MasterKey } from '../../http/auth/secrets.js';
import { joined, rankOf, readManifest, none, union, type ManifestEntry } from './manifest.js';
import {
  sumOf,
  LineFile,
  linesOf,
  generationFile,
  listGenerationFiles,
  poolPath,
  unfinishedPath,
  listPool,
  fileSum,
  type FileSum,
  type Repository,
} from './repository.js';

const recordSchema = z.object({
  format: z.literal(1),
  id: z.string(),
  instance_id: z.string(),
  /** Version of imgstore that made it. */
  imgstore: z.string(),
  /** The instant of the snapshot. */
  taken_at: z.string(),
  finished_at: z.string(),
  /** The only platform that it contains; null for a whole installation. */
  platform_id: z.string().nullable(),
  /** Major version of the database server. */
  postgresql: z.int(),
  migrations: z.array(z.string()),
  objects: z.int(),
  object_bytes: z.int(),
  /** Objects that the store had lost, or whose original differed from its row. */
  faults: z.int(),
  manifest: fileSum,
  dump: fileSum,
  secrets: fileSum.nullable(),
});

/** What a generation contains: `backup.json`, written last. */
export interface Generation extends z.infer<typeof recordSchema> {
  /** Made with the master key; backups of imgstore 0.2 have none. */
  readonly mac?: string | undefined;
}

const textOf = (generation: Generation): string => JSON.stringify(recordSchema.parse(generation));

const checksumOf = (generation: Generation): string =>
  createHash('sha256').update(textOf(generation)).digest('hex');

const label = 'backup';

/**
 * Whether the installation with this key made the backup: the record has the hashes of the manifest
 * and the dump, and the manifest those of all objects.
 */
export const isAuthentic = (generation: Generation, key: MasterKey): boolean =>
  key.isRecordMac(label, textOf(generation), generation.mac);

/** Sorts by time; also of stretches of WAL. */
export const newGenerationId = (now: Date): string =>
  `${now.toISOString().replaceAll(/[-:]|\.\d+/g, '')}-${randomBytes(4).toString('hex')}`;

/** Stores the record, which makes the generation complete. */
export async function writeGeneration(
  repository: Repository,
  generation: Generation,
  key: MasterKey,
): Promise<void> {
  const file = join(repository.staging, 'backup.json');
  const mac = key.recordMac(label, textOf(generation));
  const document = { ...generation, checksum: checksumOf(generation), mac };
  await writeFile(file, `${JSON.stringify(document, null, 2)}\n`, { mode: 0o600 });
  await repository.put(generationFile(generation.id, 'backup.json'), file);
}

/** @returns undefined if there is none, `damaged` if it is not what was written. */
export async function readGeneration(
  repository: Repository,
  id: string,
): Promise<Generation | 'damaged' | undefined> {
  const source = await repository.read(generationFile(id, 'backup.json'));
  if (!source) return undefined;
  const content = await text(source);
  try {
    const { checksum, mac, ...document } = JSON.parse(content) as Record<string, unknown>;
    const read = { ...recordSchema.parse(document), mac: z.string().optional().parse(mac) };
    return read.id === id && checksum === checksumOf(read) ? read : 'damaged';
  } catch {
    return 'damaged';
  }
}

/** Every complete generation, latest last. */
export async function completeGenerations(repository: Repository): Promise<Generation[]> {
  const complete: Generation[] = [];
  for (const id of (await listGenerationFiles(repository)).keys()) {
    const generation = await readGeneration(repository, id);
    if (generation && generation !== 'damaged') complete.push(generation);
  }
  return complete;
}

/** The ids of all that have a record, damaged ones included; latest last. */
export async function generationIds(repository: Repository): Promise<string[]> {
  const files = await listGenerationFiles(repository);
  return [...files].flatMap(([id, paths]) =>
    paths.includes(generationFile(id, 'backup.json')) ? [id] : [],
  );
}

/** The requested id, or else the latest. @throws OperatorError 1 if there is none. */
export async function chooseGeneration(
  repository: Repository,
  wanted: string | undefined,
): Promise<string> {
  const ids = await generationIds(repository);
  const chosen = wanted === undefined ? ids.at(-1) : ids.find((id) => id === wanted);
  if (chosen !== undefined) return chosen;
  if (ids.length === 0) {
    throw failure(`There is no complete backup in ${repository.name}.`, { setting: 'DIR' });
  }
  throw failure(`There is no generation ${wanted} in ${repository.name}.`, {
    code: 'missing',
    setting: '--generation',
    remedy: `Choose one of these: ${ids.join(', ')}`,
  });
}

/** Whether the manifest is what was written. */
export async function isManifestSound(
  repository: Repository,
  { id, manifest }: Generation,
): Promise<boolean> {
  const found = await sumAt(repository, generationFile(id, 'manifest.ndjson'));
  return found?.sha256 === manifest.sha256;
}

/** What a file of the repository contains; undefined if it is missing. */
export async function sumAt(repository: Repository, path: string): Promise<FileSum | undefined> {
  const source = await repository.read(path);
  return source && (await sumOf(source as AsyncIterable<Buffer>));
}

const batchSize = 500;

interface PruneOptions {
  /** How many of the complete generations stay; all if omitted. */
  readonly keep: number | undefined;
  /** Whether a run before this one was killed, and may have left objects of no generation. */
  readonly interrupted: boolean;
  readonly report: (message: string) => void;
}

/**
 * Removes incomplete generations, all but the latest complete ones, and the objects that no
 * generation needs any longer. The record of a generation is removed first: a kill leaves an
 * incomplete generation, which the next run removes.
 * @returns the ids of complete generations that were removed.
 */
export async function prune(repository: Repository, options: PruneOptions): Promise<string[]> {
  const complete = await completeGenerations(repository);
  const kept = options.keep === undefined ? complete : complete.slice(-options.keep);
  for (const generation of kept) {
    if (await isManifestSound(repository, generation)) continue;
    options.report(
      `Nothing was removed: the manifest of ${generation.id} is damaged, so the objects that it needs are unknown`,
    );
    return [];
  }
  const dropped: string[] = [];
  for (const [id, files] of await listGenerationFiles(repository)) {
    if (kept.some((generation) => generation.id === id)) continue;
    const own = complete.find((generation) => generation.id === id);
    if (own) dropped.push(id);
    await repository.remove(files.filter(isRecord));
    const known = own && (await isManifestSound(repository, own));
    if (known) await removeObjects(repository, own, kept);
    else if (!options.interrupted) await removeExtra(repository, kept);
    await repository.remove(files.filter((path) => !isRecord(path)));
  }
  if (options.interrupted) await removeExtra(repository, kept);
  await repository.remove([unfinishedPath]);
  return dropped;
}

const isRecord = (path: string): boolean => path.endsWith('/backup.json');

/** Removes the objects that only one generation needs. */
async function removeObjects(
  repository: Repository,
  { id }: Generation,
  kept: readonly Generation[],
): Promise<void> {
  for await (const group of inGroups(onlyIn(repository, id, kept), batchSize)) {
    await repository.remove(group.map(({ key }) => poolPath(key)));
  }
}

async function* onlyIn(
  repository: Repository,
  id: string,
  kept: readonly Generation[],
): AsyncGenerator<ManifestEntry> {
  const ids = kept.map((generation) => generation.id);
  const needed = entriesOfAll(repository, ids);
  for await (const [own, other] of joined(readManifest(repository, id), rankOf, needed, rankOf)) {
    if (own && !other) yield own;
  }
}

/** The entries of several generations, each object once. */
const entriesOfAll = (
  repository: Repository,
  ids: readonly string[],
): AsyncIterable<ManifestEntry> =>
  ids.reduce<AsyncIterable<ManifestEntry>>(
    (known, id) => union(known, readManifest(repository, id)),
    none(),
  );

/**
 * The keys of files in the pool that belong to none of these generations. The list of the pool is
 * written to a file and sorted like the manifests, so that memory use stays constant.
 * @param scratch folder for that file.
 */
export async function* extraObjects(
  repository: Repository,
  generations: readonly Generation[],
  scratch: string,
): AsyncGenerator<string> {
  const list = join(scratch, 'pool.list');
  try {
    const lines = await LineFile.create(list);
    for await (const object of listPool(repository)) {
      await lines.append([rankOf(object), object.key]);
    }
    await lines.close();
    const { code, output } = await run('sort', ['-T', scratch, '-o', list, list]);
    if (code !== 0) throw new Error(`sort failed: ${lastLines(output)}`);
    const ids = generations.map(({ id }) => id);
    const known = entriesOfAll(repository, ids);
    for await (const [key, entry] of joined(
      keysIn(list),
      (key) => rankOf({ key }),
      known,
      rankOf,
    )) {
      if (key !== undefined && key !== entry?.key) yield key;
    }
  } finally {
    await rm(list, { force: true });
  }
}

async function* keysIn(list: string): AsyncGenerator<string> {
  for await (const line of linesOf(createReadStream(list) as AsyncIterable<Buffer>)) {
    yield (JSON.parse(line) as [rank: string, key: string])[1];
  }
}

/** Removes objects that a killed run copied and that belong to no generation. */
async function removeExtra(
  repository: Repository,
  generations: readonly Generation[],
): Promise<void> {
  const extra = extraObjects(repository, generations, repository.staging);
  for await (const keys of inGroups(extra, batchSize)) await repository.remove(keys.map(poolPath));
}
