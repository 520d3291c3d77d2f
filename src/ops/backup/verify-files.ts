import { completeGenerations, sumAt, type Generation } from './generation.js';
import type { FileSum } from './lines.js';
import { generationFile, type Repository } from './repository.js';

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
    'ledger, counters, rows, or schema of the dump disagree, as "stats verify" would report',
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

/** Which files of a generation are what was written. */
export interface SoundFiles {
  readonly manifest: boolean;
  readonly dump: boolean;
}

/** Compares manifest, dump, and secrets with the record. */
export async function verifyFiles(
  repository: Repository,
  generation: Generation,
  faults: Faults,
): Promise<SoundFiles> {
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
  const others = await completeGenerations(repository);
  const owner = others.find((other) => other.id !== id && other.dump.sha256 === found?.sha256);
  const path = generationFile(id, 'database.dump');
  if (owner) faults.add('dump_swapped', path, id, owner.id);
  else faults.add('dump', path, dump.sha256, found?.sha256 ?? null);
}
