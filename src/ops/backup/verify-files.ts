import type { Faults } from './faults.js';
import { completeGenerations } from './generation.js';
import type { Generation } from './generation.js';
import { sumOf } from './lines.js';
import type { FileSum } from './lines.js';
import { generationFile } from './repository.js';
import type { Repository } from './repository.js';

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

export async function isManifestSound(
  repository: Repository,
  { id, manifest }: Generation,
): Promise<boolean> {
  const found = await sumAt(repository, generationFile(id, 'manifest.ndjson'));
  return found?.sha256 === manifest.sha256;
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

async function sumAt(repository: Repository, path: string): Promise<FileSum | undefined> {
  const source = await repository.read(path);
  return source && (await sumOf(source as AsyncIterable<Buffer>));
}
