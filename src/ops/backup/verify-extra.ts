import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { extraObjects } from './extra.js';
import type { Faults } from './faults.js';
import { generationIds, readGeneration } from './generation.js';
import type { Generation } from './generation.js';
import { generationFile, unfinishedPath } from './repository.js';
import type { Repository } from './repository.js';
import { isManifestSound } from './verify-files.js';

/**
 * Finds files in the pool that belong to no generation. Skips this while a backup is unfinished, or
 * if the manifest of another generation is damaged.
 */
export async function verifyExtra(
  repository: Repository,
  faults: Faults,
  report: (message: string) => void,
): Promise<void> {
  if ((await repository.size(unfinishedPath)) !== undefined) {
    report('A backup is under way or was interrupted: its files are not checked');
    return;
  }
  const generations = await soundGenerations(repository, faults);
  if (!generations) return;
  const scratch = await mkdtemp(join(tmpdir(), 'imgstore-pool-'));
  try {
    for await (const key of extraObjects(repository, generations, scratch)) {
      faults.add('object_extra', key);
    }
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

/** @returns undefined if one of them is damaged, which is a fault of the repository. */
async function soundGenerations(
  repository: Repository,
  faults: Faults,
): Promise<Generation[] | undefined> {
  const generations: Generation[] = [];
  for (const id of await generationIds(repository)) {
    const generation = await readGeneration(repository, id);
    if (!generation || generation === 'damaged') {
      faults.add('record', generationFile(id, 'backup.json'));
      return undefined;
    }
    if (!(await isManifestSound(repository, generation))) {
      faults.add('manifest', generationFile(id, 'manifest.ndjson'));
      return undefined;
    }
    generations.push(generation);
  }
  return generations;
}
