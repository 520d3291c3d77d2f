import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { forEachLimited, inGroups } from '../../base/concurrency.js';
import { generationIds, readGeneration, isManifestSound, type Generation } from './generation.js';
import { sumOf } from './lines.js';
import { readManifest, type ManifestEntry } from './manifest.js';
import { extraObjects } from './prune.js';
import { poolPath, generationFile, unfinishedPath, type Repository } from './repository.js';
import type { Faults } from './verify-files.js';

const groupSize = 500;
const parallelReads = 8;

/** Altered objects that are compared with each other to find swapped ones. */
const maxCompared = 1_000;

export interface ObjectChecks {
  readonly repository: Repository;
  readonly generation: string;
  /** Fraction of the objects to read, from 0 to 1; of the others, only the size is compared. */
  readonly sample: number;
  readonly faults: Faults;
  readonly report: (progress: CheckProgress) => void;
  readonly signal: AbortSignal;
}

export interface CheckProgress {
  objects: number;
  /** Of these, how many were read. */
  read: number;
  bytes: number;
}

interface Altered {
  readonly entry: ManifestEntry;
  readonly found: string | null;
  readonly bytes: number;
}

/** Compares the pool with the manifest of a generation. */
export async function verifyBackedUpObjects(checks: ObjectChecks): Promise<CheckProgress> {
  const { repository, generation, faults, signal } = checks;
  const progress: CheckProgress = { objects: 0, read: 0, bytes: 0 };
  const altered: Altered[] = [];
  for await (const group of inGroups(readManifest(repository, generation), groupSize)) {
    signal.throwIfAborted();
    await forEachLimited(group, parallelReads, async (entry) => {
      const other = await verifyObject(checks, entry, progress);
      if (other && altered.length < maxCompared) altered.push(other);
      else if (other) reportAltered(faults, other);
    });
    checks.report(progress);
  }
  reportSwapped(faults, altered);
  return progress;
}

/** @returns the actual content of an altered object. */
async function verifyObject(
  { repository, sample, faults }: ObjectChecks,
  entry: ManifestEntry,
  progress: CheckProgress,
): Promise<Altered | undefined> {
  const { key, bytes, sha256 } = entry;
  progress.objects += 1;
  if (bytes === null) {
    faults.add('object_lost', key);
    return undefined;
  }
  const path = poolPath(key);
  const size = await repository.size(path);
  if (size === undefined) {
    faults.add('object_missing', key, bytes);
    return undefined;
  }
  // An object of the wrong size is read too: it may have been swapped with another.
  if (size === bytes && sample < 1 && Math.random() >= sample) return undefined;
  const source = await repository.read(path);
  if (!source) return undefined;
  const found = await sumOf(source as AsyncIterable<Buffer>);
  progress.read += 1;
  progress.bytes += found.bytes;
  return found.sha256 === sha256 ? undefined : { entry, found: found.sha256, bytes: found.bytes };
}

/** Objects with the bytes of another one were swapped; all others are damaged. */
function reportSwapped(faults: Faults, altered: readonly Altered[]): void {
  const byHash = new Map(altered.map((one) => [one.entry.sha256, one]));
  for (const one of altered.toSorted((a, b) => (a.entry.key < b.entry.key ? -1 : 1))) {
    const owner = byHash.get(one.found);
    if (owner) faults.add('object_swapped', one.entry.key, one.entry.sha256, owner.entry.key);
    else reportAltered(faults, one);
  }
}

function reportAltered(faults: Faults, { entry, found, bytes }: Altered): void {
  const { key } = entry;
  if (bytes === entry.bytes) faults.add('object_hash', key, entry.sha256, found);
  else faults.add('object_size', key, entry.bytes, bytes);
}

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
