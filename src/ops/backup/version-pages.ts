import type { Queryable } from '../../database/sql.js';
import type { SnapshotVersion } from './manifest.js';
import { selectVersionsWithHash } from '../dumps.sql.js';

const pageSize = 1_000;

/** Sorts before every id. */
const lowestId = '00000000-0000-0000-0000-000000000000';

/** Versions by id. @param platformId only this platform. @param from only ids after this one. */
export async function* versionsById(
  db: Queryable,
  platformId: string | null = null,
  from: string = lowestId,
): AsyncGenerator<SnapshotVersion> {
  for (let after = from; ;) {
    const page = await selectVersionsWithHash(db, { platformId, after, limit: pageSize });
    yield* page;
    const last = page.at(-1);
    if (!last || page.length < pageSize) return;
    after = last.versionId;
  }
}
