import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DataSource } from 'typeorm';
import type { Home } from '../../base/config/home.js';
import { OperatorError } from '../../base/errors/operator.js';
import { migrate } from '../../database/migrations.js';
import { findDumpPrograms } from '../../database/postgres/dump-programs.js';
import { createScratch } from '../../database/postgres/scratch.js';
import { verifyDatabase } from '../verify/database.js';
import { Findings } from '../verify/findings.js';
import { rowsOfDump } from './dump-rows.js';
import type { Generation } from './generation.js';
import { loadRows, namedLeft } from './load-rows.js';
import {
  joined,
  none,
  rankOf,
  readManifest,
  wantedOf,
  versionsById,
  type WantedObject,
} from './manifest.js';
import { generationFile, localFile, type Repository } from './repository.js';
import type { Faults } from './verify-files.js';

export interface RowChecks {
  readonly repository: Repository;
  readonly generation: Generation;
  readonly home: Home;
  readonly dataSource: (url: string) => DataSource;
  /** An empty database to clone, instead of starting a server. */
  readonly scratch: string | undefined;
  /** Whether the manifest can be compared with the rows. */
  readonly manifestSound: boolean;
  readonly faults: Faults;
  readonly report: (message: string) => void;
  readonly signal: AbortSignal;
}

/**
 * Restores the dump into a scratch database, and compares its rows with the manifest and with each
 * other. @returns the number of versions.
 */
export async function verifyBackedUpRows(checks: RowChecks): Promise<number> {
  const { home, generation, scratch: template, signal, report } = checks;
  const major = generation.postgresql;
  report('Restoring the dump into a scratch database');
  const scratch = await createScratch({ home, major, template, signal });
  try {
    if (!(await restoreInto(checks, scratch.url))) return 0;
    const db = await checks.dataSource(scratch.url).initialize();
    try {
      await migrate(db, report);
      report('Comparing rows, objects, ledger, and counters');
      const versions = await compareRows(checks, db);
      await compareAccounts(db, checks.faults);
      return versions;
    } finally {
      await db.destroy();
    }
  } finally {
    await scratch.drop();
  }
}

/** @returns whether the dump could be restored. */
async function restoreInto(
  { repository, generation, home, dataSource, faults, report, signal }: RowChecks,
  url: string,
): Promise<boolean> {
  const programs = await findDumpPrograms(generation.postgresql, home);
  const path = generationFile(generation.id, 'database.dump');
  const dir = await mkdtemp(join(tmpdir(), 'imgstore-dump-'));
  try {
    const dump = await localFile(repository, path, join(dir, 'database.dump'));
    const source = await rowsOfDump(programs, dump, signal);
    const on = { programs, target: dataSource(url), url, folder: dir, signal };
    namedLeft(await loadRows({ ...on, source }), report);
    return true;
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    faults.add('dump_unusable', path, null, error.message);
    return false;
  } finally {
    await rm(dir, { recursive: true, force: true });
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
  for await (const [row, entry] of joined(wanted(), rankOf, entries, rankOf)) {
    if (!manifestSound) continue;
    if (!row) faults.add('object_without_row', entry.key);
    else if (!entry || entry.key !== row.key) faults.add('row_without_object', row.key);
    else if (entry.sha256 !== null && row.sha256 !== undefined && entry.sha256 !== row.sha256) {
      faults.add('original_damaged', row.key, row.sha256, entry.sha256);
    }
  }
  return versions;
}

/** What `stats verify` compares, other than objects. */
async function compareAccounts(db: DataSource, faults: Faults): Promise<void> {
  const findings = new Findings();
  await verifyDatabase(db, findings);
  for (const { kind, subject, expected, found } of findings.listed) {
    faults.add('accounts', `${kind} ${subject}`, expected, found);
  }
  faults.total += findings.total - findings.listed.length;
}
