import type { DataSource } from 'typeorm';
import { forEachLimited } from '../../base/concurrency.js';
import type { ObjectStore } from '../../store/port.js';
import { sentinelKey } from '../../store/sentinel.js';
import type { Differences } from './differences.js';
import { checkVersion } from '../integrity/check-version.js';
import {
  strayKeys,
  versionBatches,
  type VersionRow,
} from '../../library/reclaim/version-objects.js';
import { isKey, parseOwner, isQuarantined } from '../../store/object-key.js';

/** Rows or objects fetched at a time; limits memory use. */
const batchSize = 500;
const parallelChecks = 16;

export interface ObjectParts {
  readonly db: DataSource;
  readonly store: Pick<ObjectStore, 'stat' | 'list'>;
  readonly platformId: string | undefined;
  readonly differences: Differences;
  readonly signal?: AbortSignal;
}

/** Checks the objects of every row. @returns the number of versions. */
export async function verifyRows(parts: ObjectParts): Promise<number> {
  const { db, platformId } = parts;
  let count = 0;
  for await (const versions of versionBatches(db, { platformId, limit: batchSize })) {
    parts.signal?.throwIfAborted();
    await forEachLimited(versions, parallelChecks, (version) => verifyVersion(parts, version));
    count += versions.length;
  }
  return count;
}

async function verifyVersion(parts: ObjectParts, version: VersionRow): Promise<void> {
  const { db, store, differences } = parts;
  for (const { kind, key, expected, found } of await checkVersion(db, store, version)) {
    const kindHere = kind === 'object_missing' ? kind : 'object_size';
    differences.add({ kind: kindHere, ...subjectOf(key), expected, found });
  }
}

/** Checks the owner of every object. @returns the number of objects. */
export async function verifyStore(parts: ObjectParts): Promise<number> {
  let count = 0;
  let batch: string[] = [];
  for await (const { key } of parts.store.list(parts.platformId ? `${parts.platformId}/` : '')) {
    if (key === sentinelKey || isQuarantined(key)) continue;
    count += 1;
    batch.push(key);
    if (batch.length < batchSize) continue;
    await verifyKeys(parts, batch);
    batch = [];
  }
  await verifyKeys(parts, batch);
  return count;
}

async function verifyKeys(parts: ObjectParts, keys: readonly string[]): Promise<void> {
  const { db, store, differences, signal } = parts;
  signal?.throwIfAborted();
  for (const { key, version } of await strayKeys(db, keys)) {
    // An upload lists its keys before it stores, and the reclaim job deletes an object before its
    // entry: an object that still exists without either is an orphan.
    if (!version && isKey(key) && !(await store.stat(key))) continue;
    const kind = version ? 'object_doomed' : 'object_orphan';
    differences.add({ kind, ...subjectOf(key), expected: null, found: null });
  }
}

/** What a difference reports about an object. */
export const subjectOf = (key: string) => ({
  platform_id: parseOwner(key).platformId,
  subject: key,
});
