import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { DataSource } from 'typeorm';
import { startFeedClock } from '../../feed/changes/clock.js';
import type { Home } from '../../base/config/home.js';
import { withoutLimits } from '../../database/data-source.js';
import { readInstance } from '../../database/instance.js';
import type { StoreKind } from '../../database/instance.js';
import { migrate } from '../../database/migrations.js';
import { badConfiguration, dependencyDown } from '../../base/errors/operator.js';
import { findDumpPrograms } from '../../database/postgres/dump-programs.js';
import { engineFolder } from '../../database/postgres/engine.js';
import { findEngine } from '../../database/postgres/ensure-engine.js';
import { rowsOfDump } from '../backup/dump-rows.js';
import type { Generation } from '../backup/generation.js';
import { loadRows, namedLeft } from '../backup/load-rows.js';
import { analyze, holdsTables, settleStore } from '../dumps.sql.js';
import { copyVerified, generationFile } from '../backup/repository.js';
import type { Repository } from '../backup/repository.js';
import { readServerVersion } from '../totals.js';

/** @throws OperatorError 78 for a backup of a newer imgstore, 69 for one of a newer PostgreSQL. */
export async function checkVersions(
  { postgresql, ...backup }: Pick<Generation, 'migrations' | 'imgstore' | 'postgresql'>,
  known: readonly string[],
  home: Home,
): Promise<void> {
  checkMigrations(backup, known);
  const engine = await findEngine(engineFolder(home));
  if (engine && engine.major < postgresql) throw olderServer(postgresql, engine.major);
}

/** @throws OperatorError 78 for a backup of a newer imgstore. */
export function checkMigrations(
  { migrations, imgstore }: Pick<Generation, 'migrations' | 'imgstore'>,
  known: readonly string[],
): void {
  const unknown = migrations.filter((name) => !known.includes(name));
  if (unknown.length > 0) {
    throw badConfiguration(
      `The backup was made by imgstore ${imgstore}, which is newer than this program.`,
      { remedy: `Restore it with imgstore ${imgstore} or newer.` },
    );
  }
}

const olderServer = (backup: number, server: number) =>
  dependencyDown(
    `The backup is of PostgreSQL ${backup}, and cannot be restored into PostgreSQL ${server}.`,
    {
      setting: 'database.url',
      remedy: `Install PostgreSQL ${backup} or newer with PostGIS, or specify a server that has it with --database-url.`,
    },
  );

export interface RestoreDatabaseParts {
  readonly repository: Repository;
  readonly generation: Generation;
  readonly home: Home;
  readonly db: DataSource;
  readonly url: string;
  readonly store: StoreKind;
  readonly report: (message: string) => void;
  readonly signal: AbortSignal;
}

/**
 * Restores the rows, unless an interrupted restore has done so, and migrates them.
 * @returns the migrations that were applied.
 */
export async function restoreRows(parts: RestoreDatabaseParts): Promise<string[]> {
  const { repository, generation, home, db, url, report, signal } = parts;
  if (!(await isRestored(db, generation))) {
    const server = Number((await readServerVersion(db)).split('.')[0]);
    if (server < generation.postgresql) throw olderServer(generation.postgresql, server);
    report('Restoring the database');
    const programs = await findDumpPrograms(server, home);
    const path = generationFile(generation.id, 'database.dump');
    const dump = join(home.incoming, 'database.dump');
    await copyVerified(repository, path, { copy: dump, sum: generation.dump });
    const source = await rowsOfDump(programs, dump, signal);
    const on = { programs, target: db, url, folder: home.incoming, signal };
    namedLeft(await loadRows({ ...on, source }), report);
    await rm(dump);
  }
  const applied = await migrate(db, report);
  await startFeedClock(db);
  await settleStore(db, parts.store);
  const own = await withoutLimits(db).initialize();
  try {
    await analyze(own);
  } finally {
    await own.destroy();
  }
  return applied;
}

/** A dump is restored as a whole or not at all. */
const isRestored = async (db: DataSource, generation: Generation): Promise<boolean> =>
  (await holdsTables(db)) && (await readInstance(db)).id === generation.instance_id;
