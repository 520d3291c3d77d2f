import type { DataSource } from 'typeorm';
import type { Home } from '../../base/config/home.js';
import { findMasterKey } from '../../http/auth/secrets.js';
import { chooseGeneration, isAuthentic, readGeneration, type Generation } from './generation.js';
import { readMark } from './open-repository.js';
import { generationFile, type Repository } from './repository.js';
import { Faults, verifyFiles, type Fault } from './verify-files.js';
import { verifyExtra, verifyBackedUpObjects, type CheckProgress } from './verify-objects.js';
import { verifyBackedUpRows } from './verify-rows.js';

export interface VerifyBackupParts {
  readonly repository: Repository;
  /** The latest if omitted. */
  readonly generation?: string | undefined;
  readonly home: Home;
  readonly dataSource: (url: string) => DataSource;
  readonly scratch?: string | undefined;
  /** Fraction of the objects to read, from 0 to 1. */
  readonly sample: number;
  readonly report: (message: string) => void;
  readonly checked: (progress: CheckProgress, objects: number) => void;
  readonly signal: AbortSignal;
}

export interface VerifiedBackup {
  readonly ok: boolean;
  readonly generation: string;
  readonly taken_at: string | null;
  readonly instance_id: string;
  /** Whether the master key of the home made it; null if that cannot be verified. */
  readonly authenticated: boolean | null;
  readonly versions: number;
  readonly objects: number;
  readonly objects_read: number;
  readonly bytes_read: number;
  readonly faults_total: number;
  /** The first 1,000. */
  readonly faults: readonly Fault[];
}

/**
 * Verifies a generation without the installation that it was made from: every file is unchanged,
 * the dump can be restored, and rows and objects agree. Changes nothing. @throws OperatorError.
 */
export async function verifyBackup(parts: VerifyBackupParts): Promise<VerifiedBackup> {
  const { repository } = parts;
  const mark = await readMark(repository);
  const id = await chooseGeneration(repository, parts.generation);
  const generation = await readGeneration(repository, id);
  const faults = new Faults();
  const sound = generation !== undefined && generation !== 'damaged';
  // Without its record, nothing says what the other files should be.
  if (!sound) faults.add('record', generationFile(id, 'backup.json'));
  else if (generation.instance_id !== mark.instance_id) {
    faults.add(
      'record',
      generationFile(id, 'backup.json'),
      mark.instance_id,
      generation.instance_id,
    );
  }
  const key = await findMasterKey(parts.home);
  const authenticated = sound && key && generation.mac ? isAuthentic(generation, key) : null;
  if (authenticated === false) faults.add('mac', generationFile(id, 'backup.json'));
  const counts = sound
    ? await verifyGeneration(parts, generation, faults)
    : { versions: 0, objects: 0, read: 0, bytes: 0 };
  return {
    ok: faults.total === 0,
    generation: id,
    taken_at: sound ? generation.taken_at : null,
    instance_id: mark.instance_id,
    authenticated,
    versions: counts.versions,
    objects: counts.objects,
    objects_read: counts.read,
    bytes_read: counts.bytes,
    faults_total: faults.total,
    faults: faults.listed,
  };
}

async function verifyGeneration(
  parts: VerifyBackupParts,
  generation: Generation,
  faults: Faults,
): Promise<CheckProgress & { versions: number }> {
  const { repository, report } = parts;
  report(`Verifying ${generation.id}, as of ${generation.taken_at}`);
  const sound = await verifyFiles(repository, generation, faults);
  const checked = sound.manifest
    ? await verifyBackedUpObjects({
        ...parts,
        generation: generation.id,
        faults,
        report: (progress) => parts.checked(progress, generation.objects),
      })
    : { objects: 0, read: 0, bytes: 0 };
  // With a damaged manifest, objects would seem to belong to no generation.
  if (sound.manifest) await verifyExtra(repository, faults, report);
  const versions = sound.dump
    ? await verifyBackedUpRows({
        ...parts,
        scratch: parts.scratch,
        generation,
        faults,
        manifestSound: sound.manifest,
      })
    : 0;
  return { ...checked, versions };
}
