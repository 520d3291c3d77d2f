import { join } from 'node:path';
import type { DataSource } from 'typeorm';
import type { Home } from '../../base/config/home.js';
import type { Config } from '../../base/config/options.js';
import { OperatorError } from '../../base/errors/operator.js';
import { whileOpen } from '../../database/data-source.js';
import { migrate } from '../../database/migrations.js';
import { findDumpPrograms } from '../../database/postgres/dump-programs.js';
import { createScratch, makeScratchFolder } from '../../database/postgres/scratch.js';
import { findMasterKey } from '../../http/auth/secrets.js';
import { spaceForDatabase } from '../restore/obstacles.js';
import { serviceDataSource } from '../service-database.js';
import { verifyDatabase } from '../verify/database.js';
import { Findings } from '../verify/findings.js';
import { chooseGeneration, isAuthentic, readGeneration, type Generation } from './generation.js';
import { rowsOfDump, loadRows } from './load-rows.js';
import {
  joined,
  none,
  readManifest,
  wantedOf,
  versionsById,
  type WantedObject,
} from './manifest.js';
import { readMark } from './open-repository.js';
import { generationFile, localFile, type Repository } from './repository.js';
import {
  Faults,
  verifyFiles,
  verifyExtra,
  verifyBackedUpObjects,
  type CheckProgress,
} from './verify-contents.js';

interface VerifyBackupParts {
  readonly repository: Repository;
  /** The latest if omitted. */
  readonly generation?: string | undefined;
  readonly home: Home;
  readonly config: Config;
  /** An empty database to clone, instead of starting a server. */
  readonly scratch?: string | undefined;
  /** Fraction of the objects to read, from 0 to 1. */
  readonly sample: number;
  readonly report: (message: string) => void;
  readonly checked: (progress: CheckProgress, objects: number) => void;
  readonly signal: AbortSignal;
}

/**
 * Verifies a generation without the installation that it was made from: every file is unchanged,
 * the dump can be restored, and rows and objects agree. Changes nothing. @throws OperatorError.
 */
export async function verifyBackup(parts: VerifyBackupParts) {
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
    /** Whether the master key of the home made it; null if that cannot be verified. */
    authenticated,
    versions: counts.versions,
    objects: counts.objects,
    objects_read: counts.read,
    bytes_read: counts.bytes,
    faults_total: faults.total,
    /** The first 1,000. */
    faults: faults.listed,
  };
}

export type VerifiedBackup = Awaited<ReturnType<typeof verifyBackup>>;

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
  if (sound.manifest) await verifyExtra(repository, parts.home, faults, report);
  const versions = sound.dump
    ? await verifyBackedUpRows({
        ...parts,
        generation,
        faults,
        manifestSound: sound.manifest,
      })
    : 0;
  return { ...checked, versions };
}

interface RowChecks extends Omit<VerifyBackupParts, 'generation'> {
  readonly generation: Generation;
  /** Whether the manifest can be compared with the rows. */
  readonly manifestSound: boolean;
  readonly faults: Faults;
}

/**
 * Restores the dump into a scratch database, and compares its rows with the manifest and with each
 * other. @returns the number of versions.
 */
async function verifyBackedUpRows(checks: RowChecks): Promise<number> {
  const { home, generation, scratch: template, signal, report } = checks;
  const major = generation.postgresql;
  report('Restoring the dump into a scratch database');
  const bytes = spaceForDatabase(generation.dump.bytes);
  const scratch = await createScratch({ home, major, template, bytes, signal });
  try {
    if (!(await restoreInto(checks, scratch.url))) return 0;
    return await whileOpen(serviceDataSource(scratch.url, checks.config), async (db) => {
      await migrate(db, report);
      report('Comparing rows, objects, ledger, and counters');
      const versions = await compareRows(checks, db);
      await compareAccounts(db, checks.faults);
      return versions;
    });
  } finally {
    await scratch.drop();
  }
}

/** @returns whether the dump could be restored. */
async function restoreInto(
  { repository, generation, home, config, faults, report, signal }: RowChecks,
  url: string,
): Promise<boolean> {
  const programs = await findDumpPrograms(generation.postgresql, home);
  const path = generationFile(generation.id, 'database.dump');
  const { dir, remove } = await makeScratchFolder(home, generation.dump.bytes);
  try {
    const dump = await localFile(repository, path, join(dir, 'database.dump'));
    const source = await rowsOfDump(programs, dump, signal);
    const target = serviceDataSource(url, config);
    await loadRows({ programs, target, url, source, folder: dir, report, signal });
    return true;
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    faults.add('dump_unusable', path, null, error.message);
    return false;
  } finally {
    await remove();
  }
}

async function compareRows(checks: RowChecks, db: DataSource): Promise<number> {
  const { repository, generation, faults, manifestSound } = checks;
  let versions = 0;
  async function* wanted(): AsyncGenerator<WantedObject> {
    for await (const version of versionsById(db)) {
      versions += 1;
      yield* wantedOf(version);
    }
  }
  const entries = manifestSound ? readManifest(repository, generation.id) : none();
  for await (const [row, entry] of joined(wanted(), entries)) {
    if (!manifestSound) continue;
    if (!row) faults.add('object_without_row', entry.key);
    else if (!entry || entry.key !== row.key) faults.add('row_without_object', row.key);
    else if (entry.sha256 !== null && row.sha256 !== undefined && entry.sha256 !== row.sha256) {
      faults.add('original_damaged', row.key, row.sha256, entry.sha256);
    }
  }
  return versions;
}

/** What `verify accounts` compares, other than objects. */
async function compareAccounts(db: DataSource, faults: Faults): Promise<void> {
  const findings = new Findings();
  await verifyDatabase(db, findings);
  for (const { kind, subject, expected, found } of findings.listed) {
    faults.add('accounts', `${kind} ${subject}`, expected, found);
  }
  faults.total += findings.total - findings.listed.length;
}
