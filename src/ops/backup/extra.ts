import { createReadStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { lastLines, run } from '../../base/os/run.js';
import type { Generation } from './generation.js';
import { inGroups, joined, none } from './joined.js';
import { LineFile, linesOf } from './lines.js';
import { rankOf, readManifest, union } from './manifest.js';
import type { ManifestEntry } from './manifest.js';
import { listPool, poolPath } from './repository.js';
import type { Repository } from './repository.js';

const batchSize = 500;

/** The entries of several generations, each object once. */
export const entriesOfAll = (
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
export async function removeExtra(
  repository: Repository,
  generations: readonly Generation[],
): Promise<void> {
  const extra = extraObjects(repository, generations, repository.staging);
  for await (const keys of inGroups(extra, batchSize)) await repository.remove(keys.map(poolPath));
}
