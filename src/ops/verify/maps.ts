import type { DataSource } from 'typeorm';
import { withoutLimits } from '../../database/data-source.js';
import { rows } from '../../database/sql.js';
import { cellsAgainstPlaces, placesAgainstImages, rebuildMap } from './place.sql.js';

/** Users listed in full; the rest are only counted. */
const maxListed = 1_000;

export interface MapParts {
  readonly db: DataSource;
  /** Whether to rebuild the maps that differ. */
  readonly repair: boolean;
  readonly report: (message: string) => void;
  readonly signal: AbortSignal;
}

/** Which maps differ from the images: places, sums of cells, or newest images. */
export interface VerifiedMaps {
  readonly ok: boolean;
  /** Figures that differed. */
  readonly differences_total: number;
  /** The users whose maps differed, the first 1,000. */
  readonly users: readonly string[];
  /** Maps rebuilt from the images. */
  readonly rebuilt: number;
}

/** Compares the map of every user with the images, in one snapshot, and optionally repairs it. */
export async function verifyMaps({ db, repair, report, signal }: MapParts): Promise<VerifiedMaps> {
  signal.throwIfAborted();
  const own = await withoutLimits(db).initialize();
  try {
    report('Comparing maps with images');
    const found = await differencesOf(own);
    const users = [...new Set(found)].sort();
    for (const user of repair ? users : []) {
      signal.throwIfAborted();
      report(`Rebuilding the map of user ${user}`);
      await rebuildMap(own, user);
    }
    return {
      ok: found.length === 0 || (repair && (await differencesOf(own)).length === 0),
      differences_total: found.length,
      users: users.slice(0, maxListed),
      rebuilt: repair ? users.length : 0,
    };
  } finally {
    await own.destroy();
  }
}

/** The user of each figure that differs. */
const differencesOf = (db: DataSource): Promise<string[]> =>
  db.transaction('REPEATABLE READ', async (tx) => {
    await rows(tx, 'SET TRANSACTION READ ONLY');
    const found = [...(await placesAgainstImages(tx)), ...(await cellsAgainstPlaces(tx))];
    return found.map(({ subject }) => subject.split(' ')[0] ?? '');
  });
