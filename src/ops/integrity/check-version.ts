import type { Queryable } from '../../database/sql.js';
import { versionExists } from '../../library/reclaim/version-objects.js';
import type { VersionRow } from '../../library/reclaim/version-objects.js';
import { objectsOf } from '../../store/object-key.js';
import type { ObjectRole } from '../../store/object-key.js';
import type { ObjectStore } from '../../store/port.js';
import { finding } from './findings.js';
import type { Finding } from './findings.js';

/** The size that an object must have; null for renditions, whose sizes are not in the rows. */
export const sizeOf = (version: VersionRow, role: ObjectRole): number | null =>
  role === 'original' ? version.bytes : null;

/** Whether the size of an object is plausible: no file of imgstore is empty. */
export const sizeFits = (expected: number | null, found: number): boolean =>
  expected === null ? found > 0 : found === expected;

/** Findings about a version, unless it has been deleted meanwhile, and then its objects. */
export const unlessDeleted = async (
  db: Queryable,
  { versionId }: VersionRow,
  found: readonly Finding[],
): Promise<readonly Finding[]> =>
  found.length === 0 || (await versionExists(db, versionId)) ? found : [];

/** Checks existence and size of the objects of a version. @returns what is wrong. */
export async function checkVersion(
  db: Queryable,
  store: Pick<ObjectStore, 'stat'>,
  version: VersionRow,
): Promise<readonly Finding[]> {
  const wrong: Finding[] = [];
  for (const { role, key } of objectsOf(version)) {
    const expected = sizeOf(version, role);
    const found = (await store.stat(key))?.bytes;
    if (found !== undefined && sizeFits(expected, found)) continue;
    const kind = found === undefined ? 'object_missing' : 'object_size';
    wrong.push(finding(kind, key, { expected, found: found ?? null }));
  }
  return unlessDeleted(db, version, wrong);
}
