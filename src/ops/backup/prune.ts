import { createReadStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { inGroups } from '../../base/concurrency.js';
import { lastLines, run } from '../../base/os/run.js';
import { completeGenerations, isManifestSound, type Generation } from './generation.js';
import { LineFile, linesOf } from './lines.js';
import { joined, rankOf, readManifest, none, union, type ManifestEntry } from './manifest.js';
import {
  listGenerationFiles,
  poolPath,
  unfinishedPath,
  listPool,
  type Repository,
} from './repository.js';

const batchSize = 500;

export interface PruneOptions {
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
