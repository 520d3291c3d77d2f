import { completeGenerations } from './generation.js';
import type { Generation } from './generation.js';
import { entriesOfAll, removeExtra } from './extra.js';
import { inGroups, joined } from './joined.js';
import { rankOf, readManifest } from './manifest.js';
import type { ManifestEntry } from './manifest.js';
import { listGenerationFiles, poolPath, unfinishedPath } from './repository.js';
import type { Repository } from './repository.js';
import { isManifestSound } from './verify-files.js';

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
