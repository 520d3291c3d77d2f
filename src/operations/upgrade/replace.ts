import type { DataSource } from 'typeorm';
import type { Home } from '../../config/home.js';
import { lockHome } from '../lock-home.js';
import { copyDatabase } from './copy.js';
import type { Copied } from './copy.js';
import type { NewDatabase, NewDatabaseParts } from './new-database.js';

/** A database in use, and how to let go of it. */
export interface PresentDatabase {
  /** With one session, so that those of others are told from it. */
  readonly db: DataSource;
  readonly url: string;
  readonly close: () => Promise<void>;
}

export interface ReplaceParts extends NewDatabaseParts {
  readonly open: () => Promise<PresentDatabase>;
  /** Checks everything that can be checked before anything is created. */
  readonly prepare: (present: PresentDatabase) => Promise<NewDatabase>;
  readonly dataSource: (url: string) => DataSource;
}

export interface Replaced extends Copied {
  readonly database: string;
  /** What is left of the former database; null for one elsewhere. */
  readonly kept: string | null;
}

/**
 * Copies the database in use into a new one, and puts that in its place once it is proved. Whenever
 * this ends, the former database is in use, or else the new one, complete.
 * @throws OperatorError 1 while the home is served.
 */
export function replaceDatabase(parts: ReplaceParts): Promise<Replaced> {
  return withHomeLocked(parts.home, async () => {
    const present = await parts.open();
    try {
      const next = await parts.prepare(present);
      try {
        const { db, url } = present;
        let kept: string | undefined;
        const use = async (): Promise<void> => {
          parts.signal.throwIfAborted();
          parts.report(`Putting ${next.name} to use`);
          kept = await next.use();
        };
        const copying = { ...parts, db, url, target: next.url };
        // While nobody can change the former one, unless that has to make way.
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
