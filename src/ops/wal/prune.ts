import { rm } from 'node:fs/promises';
import type { DataSource } from 'typeorm';
import { inGroups } from '../../base/concurrency.js';
import { isKey, parseOwner } from '../../store/object-key.js';
import type { DirectoryRepository } from '../backup/directory-repository.js';
import { LineFile, linesOf } from '../backup/lines.js';
import { listPool, poolPath } from '../backup/repository.js';
import { completeStretches, stretchFile, stretchIds } from './archive.js';
import { selectExistingVersions } from './wal.sql.js';

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
  const lines = await LineFile.create(file);
  try {
    for await (const group of inGroups(listPool(repository), batchSize)) {
      const ids = new Map(group.map(({ key }) => [key, parseOwner(key).versionId]));
      const known = [...new Set(ids.values())].filter((version) => version !== null);
      const existing = await selectExistingVersions(db, known);
      for (const [key, version] of ids) {
        if (version !== null && !existing.has(version)) await lines.append(key);
      }
    }
    await lines.close();
  } catch (error) {
    await lines.abandon();
    throw error;
  }
  await repository.put(stretchFile(id, 'gone.ndjson'), file);
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

/** Removes all but the latest stretches, and the objects that only those needed. @returns their ids. */
export async function pruneStretches(
  repository: DirectoryRepository,
  keep: number,
): Promise<string[]> {
  const complete = await completeStretches(repository);
  const dropped = complete.slice(0, -keep).map(({ id }) => id);
  for (const id of dropped) {
    await repository.remove([stretchFile(id, 'stretch.json')]);
    await removeStretch(repository, id);
  }
  const [oldest] = complete.slice(-keep);
  if (oldest) await removeGone(repository, oldest.id);
  return dropped;
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
