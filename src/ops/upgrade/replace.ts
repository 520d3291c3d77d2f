import type { DataSource } from 'typeorm';
import type { Home } from '../../base/config/home.js';
import type { Config } from '../../base/config/options.js';
import { whileOpen, withoutLimits } from '../../database/data-source.js';
import { pendingMigrations } from '../../database/migrations.js';
import { analyze, holdsTables } from '../dumps.sql.js';
import { lockHome } from '../home.js';
import { serviceDataSource } from '../service-database.js';
import { copyDatabase, fillFromDump, notEmpty } from './copy.js';
import type { NewDatabase, NewDatabaseParts } from './new-database.js';
import { selectInstanceId } from './upgrade.sql.js';

/** The database in use, and how to close it. */
interface PresentDatabase {
  /** Has only one session, to distinguish it from those of others. */
  readonly db: DataSource;
  readonly url: string;
  readonly close: () => Promise<void>;
}

interface ReplaceParts extends NewDatabaseParts {
  readonly open: () => Promise<PresentDatabase>;
  /** Checks everything that can be checked before anything is created. */
  readonly prepare: (present: PresentDatabase) => Promise<NewDatabase>;
  readonly config: Config;
}

/**
 * Copies the database in use into a new one, and switches to that once it is verified. Whenever
 * this is interrupted, either the former database is in use or the complete new one. `kept` is the
 * directory of the former one; null if it is elsewhere.
 * @throws OperatorError 1 while the home is served.
 */
export function replaceDatabase(parts: ReplaceParts) {
  return withHomeLocked(parts.home, async () => {
    const present = await parts.open();
    try {
      const next = await parts.prepare(present);
      try {
        const { db, url } = present;
        let kept: string | undefined;
        const use = async (): Promise<void> => {
          parts.signal.throwIfAborted();
          parts.report(`Switching to ${next.name}`);
          kept = await next.use();
        };
        const copying = { ...parts, db, url, target: next.url };
        // Switches while the former one is locked, unless that must be closed first.
        const copied = await copyDatabase(copying, next.inPlace ? nothing : use);
        await present.close();
        if (next.inPlace) await use();
        return { ...copied, database: next.name, kept: kept ?? null };
      } finally {
        await next.close();
      }
    } finally {
      await present.close();
    }
  });
}

export type Replaced = Awaited<ReturnType<typeof replaceDatabase>>;

const nothing = async (): Promise<void> => undefined;

/** Runs `work` while no service can start. */
export async function withHomeLocked<T>(home: Home, work: () => Promise<T>): Promise<T> {
  const lock = await lockHome(home);
  try {
    return await work();
  } finally {
    await lock.release();
  }
}

interface RestoreDumpParts extends NewDatabaseParts {
  readonly file: string;
  readonly prepare: () => Promise<NewDatabase>;
  readonly config: Config;
}

/**
 * Restores a dump into a new database and switches to it; the former one is kept, in the directory
 * `kept`, or elsewhere. Migrations of this program may be pending.
 * @throws OperatorError 1 while the home is served.
 */
export function restoreDump(parts: RestoreDumpParts) {
  return withHomeLocked(parts.home, async () => {
    const next = await parts.prepare();
    try {
      const restored = await fill(parts, next);
      parts.signal.throwIfAborted();
      const kept = (await next.use()) ?? null;
      return { database: next.name, ...restored, kept };
    } finally {
      await next.close();
    }
  });
}

const fill = (parts: RestoreDumpParts, next: NewDatabase) =>
  whileOpen(withoutLimits(serviceDataSource(next.url, parts.config)), async (db) => {
    if (await holdsTables(db)) throw notEmpty('restore into');
    await fillFromDump({ ...parts, target: next.url }, db, parts.file);
    await analyze(db);
    const pending = await pendingMigrations(db);
    return { instance_id: (await selectInstanceId(db)) ?? null, pending };
  });
