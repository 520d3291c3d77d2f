import { join } from 'node:path';
import type { DataSource } from 'typeorm';
import type { Home } from '../../base/config/home.js';
import { withoutLimits } from '../../database/data-source.js';
import { detectDeadClient } from '../../database/connection-error.js';
import { dumpDatabase, findDumpPrograms } from '../../database/postgres/dump-programs.js';
import { LineFile, sumOfFile, type FileSum } from './lines.js';
import { dumpPlatform } from './platform-dump.js';
import { liftLimits, selectMigrationNames, selectSnapshot } from '../dumps.sql.js';
import { versionsById } from './version-pages.js';

export interface SnapshotParts {
  readonly db: DataSource;
  readonly home: Home;
  readonly url: string;
  /** Where to write the dump and the list of versions. */
  readonly staging: string;
  /** Only this platform; all if null. */
  readonly platformId: string | null;
  /** For the dump of a platform: an empty database to clone, instead of starting a server. */
  readonly scratch: string | undefined;
  readonly report: (message: string) => void;
  readonly signal: AbortSignal;
}

/** The rows as of one instant: in a dump, and as a list of the versions whose objects they need. */
export interface Snapshot {
  readonly takenAt: Date;
  readonly postgresql: number;
  readonly migrations: readonly string[];
  /** How many objects the versions have. */
  readonly objects: number;
  readonly dump: FileSum & { readonly file: string };
  /** One `SnapshotVersion` a line, by id. */
  readonly list: string;
}

/**
 * Dumps the database and lists the versions, both through the same snapshot. The transaction ends
 * before objects are copied: it would prevent the server from vacuuming.
 */
export async function takeSnapshot(parts: SnapshotParts): Promise<Snapshot> {
  const { home, url, staging, platformId } = parts;
  const own = await withoutLimits(parts.db).initialize();
  const runner = own.createQueryRunner();
  try {
    await detectDeadClient(runner);
    await liftLimits(runner);
    await runner.startTransaction('REPEATABLE READ');
    const { snapshot, takenAt, server, schema, objects } = await selectSnapshot(runner, platformId);
    const postgresql = Math.floor(server / 10_000);
    const programs = await findDumpPrograms(postgresql, home);
    const file = join(staging, 'database.dump');
    const list = join(staging, 'versions.ndjson');
    const stop = new AbortController();
    const signal = AbortSignal.any([parts.signal, stop.signal]);
    const on = { programs, url, schema, file, snapshot, signal };
    const dumping =
      platformId === null
        ? dumpDatabase(on)
        : dumpPlatform({ ...parts, ...on, tx: runner, platformId });
    try {
      await Promise.all([dumping, listVersions(runner, platformId, list, signal)]);
    } catch (error) {
      stop.abort();
      await dumping.catch(() => undefined);
      throw error;
    }
    const migrations = await selectMigrationNames(runner);
    await runner.commitTransaction();
    const dump = { file, ...(await sumOfFile(file)) };
    return { takenAt, postgresql, migrations, objects, dump, list };
  } finally {
    await runner.release();
    await own.destroy();
  }
}

async function listVersions(
  session: Parameters<typeof versionsById>[0],
  platformId: string | null,
  path: string,
  signal: AbortSignal,
): Promise<void> {
  const lines = await LineFile.create(path);
  try {
    for await (const version of versionsById(session, platformId)) {
      signal.throwIfAborted();
      await lines.append(version);
    }
    await lines.close();
  } catch (error) {
    await lines.abandon();
    throw error;
  }
}
