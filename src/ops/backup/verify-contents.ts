import type { Home } from '../../base/config/home.js';
import { forEachLimited, inGroups } from '../../base/concurrency.js';
import { makeScratchFolder } from '../../database/postgres/scratch.js';
import {
  manifestChanged,
  noRecord,
  survey,
  withManifestRead,
  type Generation,
} from './generation.js';
import { extraFiles, readManifest, sortPool, type ManifestEntry } from './manifest.js';
import {
  sumAt,
  sumOf,
  generationFile,
  poolPath,
  unfinishedPath,
  type FileSum,
  type Repository,
} from './repository.js';

/** The faults that a backup can have, by kind. */
export const faultKinds = {
  record: 'backup.json is not what was written',
  mac: 'backup.json was not written with the master key of this home, or has been changed',
  manifest: 'the manifest is not the one that was written',
  dump: 'the dump is not the one that was written',
  dump_swapped: 'the dump belongs to another generation',
  dump_unusable: 'the dump cannot be restored',
  secrets: 'the encrypted secrets are not those that were written',
  object_missing: 'an object of the manifest is not in the pool',
  object_size: 'an object is shorter or longer than it was',
  object_hash: 'the content of an object has changed',
  object_swapped: 'an object has the bytes of another one',
  object_extra: 'a file in the pool belongs to no generation',
  object_lost: 'the store had lost this object before the backup was made',
  original_damaged: 'the original differed from its row before the backup was made',
  row_without_object: 'a row of the dump references an object that the manifest lacks',
  object_without_row: 'the manifest has an object that no row of the dump references',
  accounts:
    'ledger, counters, rows, or schema of the dump disagree, as "verify accounts" would report',
} as const;

type FaultKind = keyof typeof faultKinds;

export interface Fault {
  readonly kind: FaultKind;
  /** The file, object, or figure at fault. */
  readonly subject: string;
  readonly expected: string | number | null;
  readonly found: string | number | null;
}

/** Faults listed in full; the rest are only counted, so that memory use stays constant. */
const maxListed = 1_000;

export class Faults {
  readonly listed: Fault[] = [];
  total = 0;

  add(
    kind: FaultKind,
    subject: string,
    expected: Fault['expected'] = null,
    found: Fault['found'] = null,
  ): void {
    this.total += 1;
    if (this.listed.length < maxListed) this.listed.push({ kind, subject, expected, found });
  }
}

/** Compares manifest, dump, and secrets with the record. @returns whether they are what was written. */
export async function verifyFiles(
  repository: Repository,
  generation: Generation,
  faults: Faults,
): Promise<{ readonly manifest: boolean; readonly dump: boolean }> {
  const { id, manifest, dump, secrets } = generation;
  const found = {
    manifest: await sumAt(repository, generationFile(id, 'manifest.ndjson')),
    dump: await sumAt(repository, generationFile(id, 'database.dump')),
  };
  const sound = {
    manifest: found.manifest?.sha256 === manifest.sha256,
    dump: found.dump?.sha256 === dump.sha256,
  };
  if (!sound.manifest) {
    const path = generationFile(id, 'manifest.ndjson');
    faults.add('manifest', path, manifest.sha256, found.manifest?.sha256 ?? null);
  }
  if (!sound.dump) await reportDump(repository, generation, found.dump, faults);
  if (secrets) {
    const path = generationFile(id, 'secrets.age');
    const sum = await sumAt(repository, path);
    if (sum?.sha256 !== secrets.sha256) {
      faults.add('secrets', path, secrets.sha256, sum?.sha256 ?? null);
    }
  }
  return sound;
}

/** Distinguishes the dump of another generation from a damaged one. */
async function reportDump(
  repository: Repository,
  { id, dump }: Generation,
  found: FileSum | undefined,
  faults: Faults,
): Promise<void> {
  const { entries: others } = await survey(repository);
  const owner = others.find(
    (other) => other.id !== id && other.generation?.dump.sha256 === found?.sha256,
  );
  const path = generationFile(id, 'database.dump');
  if (owner) faults.add('dump_swapped', path, id, owner.id);
  else faults.add('dump', path, dump.sha256, found?.sha256 ?? null);
}

const groupSize = 500;
const parallelReads = 8;

/** Altered objects that are compared with each other to find swapped ones. */
const maxCompared = 1_000;

interface ObjectChecks {
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
  home: Home,
  faults: Faults,
  report: (message: string) => void,
): Promise<void> {
  if ((await repository.size(unfinishedPath)) !== undefined) {
    report('A backup is under way or was interrupted: its files are not checked');
    return;
  }
  const generations = await soundGenerations(repository, faults);
  if (!generations) return;
  const { dir, remove } = await makeScratchFolder(home);
  try {
    const pool = await sortPool(repository, dir);
    for await (const { key } of extraFiles(repository, pool, generations)) {
      faults.add('object_extra', key);
    }
  } finally {
    await remove();
  }
}

/** @returns the ids; undefined if one of them is damaged, which is a fault of the repository. */
async function soundGenerations(
  repository: Repository,
  faults: Faults,
): Promise<string[] | undefined> {
  const { entries } = await survey(repository);
  for (const entry of entries) {
    const { id, generation, doubt } = await withManifestRead(repository, entry);
    if (generation || doubt === noRecord) continue;
    if (doubt === manifestChanged) faults.add('manifest', generationFile(id, 'manifest.ndjson'));
    else faults.add('record', generationFile(id, 'backup.json'));
    return undefined;
  }
  return entries.map(({ id }) => id);
}
