import type { DataSource } from 'typeorm';
import { validate as isUuid } from 'uuid';
import { forEachLimited } from '../../concurrency.js';
import type { ObjectStore } from '../../store/port.js';
import { sentinelKey } from '../../store/sentinel.js';
import type { Differences } from './differences.js';
import { selectStrays, selectVersions, versionStands } from '../../reclaim/version-queries.js';
import type { VersionRow } from '../../reclaim/version-queries.js';
import { firstId, objectsOf } from '../../reclaim/version-objects.js';

/** Rows or objects at hand at a time: all that is ever in memory. */
const batchSize = 500;
const parallelLooks = 16;

export interface ObjectParts {
  readonly db: DataSource;
  readonly store: Pick<ObjectStore, 'stat' | 'list'>;
  readonly platformId: string | undefined;
  readonly differences: Differences;
}

/** Looks for the objects of every row. @returns how many versions there are. */
export async function verifyRows(parts: ObjectParts): Promise<number> {
  const { db, platformId } = parts;
  let count = 0;
  for (let after = firstId; ;) {
    const versions = await selectVersions(db, { platformId, after, limit: batchSize });
    await forEachLimited(versions, parallelLooks, (version) => verifyVersion(parts, version));
    count += versions.length;
    const last = versions.at(-1);
    if (!last || versions.length < batchSize) return count;
    after = last.versionId;
  }
}

async function verifyVersion(parts: ObjectParts, version: VersionRow): Promise<void> {
  const { db, store, differences } = parts;
  for (const { key, bytes } of objectsOf(version)) {
    const found = await store.stat(key);
    if (found && (bytes === null || found.bytes === bytes)) continue;
    // The image may have been deleted since its row was read, and the object after it.
    if (!(await versionStands(db, version.versionId))) return;
    differences.add({
      kind: found ? 'object_size' : 'object_missing',
      platform_id: version.platformId,
      subject: key,
      expected: bytes,
      found: found?.bytes ?? null,
    });
  }
}

/** Looks for the owner of every object. @returns how many objects there are. */
export async function verifyStore(parts: ObjectParts): Promise<number> {
  let count = 0;
  let batch: string[] = [];
  for await (const { key } of parts.store.list(parts.platformId ? `${parts.platformId}/` : '')) {
    if (key === sentinelKey) continue;
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
  const { db, store, differences } = parts;
  const versionIds = keys.map((key) => key.split('/')[3] ?? '');
  const uuids = versionIds.map((id) => (isUuid(id) ? id : null));
  for (const { key, referred } of await selectStrays(db, keys, uuids)) {
    // An upload lists its keys before it stores, and the reclaim job deletes an object before its
    // entry: what nobody owns and is still there, is nobody's.
    if (!referred && !(await store.stat(key))) continue;
    const kind = referred ? 'object_doomed' : 'object_orphan';
    differences.add({ kind, ...ownerOf(key), expected: null, found: null });
  }
}

/** Whose object a key names, as far as it tells. */
export function ownerOf(key: string) {
  const owner = key.split('/')[0] ?? '';
  return { platform_id: isUuid(owner) ? owner : null, subject: key };
}
