import type { Queryable } from '../../database/sql.js';
import { objectsOf, parseOwner } from '../../store/object-key.js';
import { selectObjectKeys, selectVersions } from './version.sql.js';
import type { VersionRow } from './version.sql.js';

export { versionExists } from './version.sql.js';
export type { VersionRow };

/** Sorts before every id. */
const lowestId = '00000000-0000-0000-0000-000000000000';

export interface VersionRange {
  /** All platforms if omitted. */
  readonly platformId?: string | undefined;
  /** Only those after this id. */
  readonly after?: string | undefined;
  /** Only those in these slices (see version-tally.ts). */
  readonly slices?: readonly number[] | undefined;
  /** Maximum number of versions per batch. */
  readonly limit: number;
}

/** Versions by id, in batches. */
export async function* versionBatches(
  db: Queryable,
  { after = lowestId, ...range }: VersionRange,
): AsyncGenerator<VersionRow[]> {
  for (let behind = after; ;) {
    const versions = await selectVersions(db, { ...range, after: behind });
    const last = versions.at(-1);
    if (last) yield versions;
    if (!last || versions.length < range.limit) return;
    behind = last.versionId;
  }
}

export interface KeyState {
  readonly key: string;
  /** The version whose row refers to it. */
  readonly version: VersionRow | undefined;
  /** Whether the reclaim queue has it. */
  readonly listed: boolean;
}

/** Whether each of the given keys is in rows, in the reclaim queue, in both, or in neither. */
export async function keyStates(db: Queryable, keys: readonly string[]): Promise<KeyState[]> {
  // Rows and queue in one statement, since concurrent deletions move keys from one to the other.
  const found = await selectObjectKeys(
    db,
    keys,
    keys.map((key) => parseOwner(key).versionId),
  );
  return found.map((row) => {
    const referred = row.versionId !== null && objectsOf(row).some(({ key }) => key === row.key);
    return { key: row.key, version: referred ? row : undefined, listed: row.listed };
  });
}

/** Whether a key is in neither or both of rows and reclaim queue. */
export const isStray = ({ version, listed }: KeyState): boolean =>
  (version !== undefined) === listed;

/** Those of the given keys that are in neither or both of rows and reclaim queue. */
export const strayKeys = async (db: Queryable, keys: readonly string[]): Promise<KeyState[]> =>
  (await keyStates(db, keys)).filter(isStray);
