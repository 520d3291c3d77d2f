import type { Queryable } from '../database/sql.js';
import { objectsOf, parseOwner } from '../store/object-key.js';
import { selectKeys, selectVersions } from './version-queries.js';
import type { VersionRow } from './version-queries.js';

export { versionExists } from './version-queries.js';
export type { VersionRow };

/** Sorts before every id. */
const lowestId = '00000000-0000-0000-0000-000000000000';

export interface VersionRange {
  /** All platforms when left out. */
  readonly platformId?: string | undefined;
  /** Only those after this id. */
  readonly after?: string | undefined;
  /** Maximum number of versions per batch. */
  readonly limit: number;
}

/** Versions by id, in batches. */
export async function* versionBatches(
  db: Queryable,
  { platformId, after = lowestId, limit }: VersionRange,
): AsyncGenerator<VersionRow[]> {
  for (let behind = after; ;) {
    const versions = await selectVersions(db, { platformId, after: behind, limit });
    const last = versions.at(-1);
    if (last) yield versions;
    if (!last || versions.length < limit) return;
    behind = last.versionId;
  }
}

export interface KeyState {
  readonly key: string;
  readonly referred: boolean;
  readonly listed: boolean;
}

/** Those of the given keys that are in neither or both of rows and reclaim queue. */
export async function strayKeys(db: Queryable, keys: readonly string[]): Promise<KeyState[]> {
  // Rows and queue in one statement, since concurrent deletions move keys from one to the other.
  const found = await selectKeys(
    db,
    keys,
    keys.map((key) => parseOwner(key).versionId),
  );
  return found
    .map((row) => ({
      key: row.key,
      referred: row.versionId !== null && objectsOf(row).some(({ key }) => key === row.key),
      listed: row.listed,
    }))
    .filter(({ referred, listed }) => referred === listed);
}
