import assert from 'node:assert/strict';
import { rows, type Queryable } from '../src/database/sql.js';
import { versionBatches } from '../src/library/reclaim/version-objects.js';
import { objectsOf } from '../src/store/object-key.js';
import { sentinelKey } from '../src/store/sentinel.js';
import type { TestService } from './service.js';

/** The counters of users next to the sums over their images and versions, which must be equal. */
const counters = `
  SELECT u.id, u.active_images, u.trashed_images, u.active_bytes, u.trashed_bytes, u.stored_bytes,
         u.text_bytes, u.announced_bytes,
         coalesce(i.active_images, 0) AS "of active_images",
         coalesce(i.trashed_images, 0) AS "of trashed_images",
         coalesce(i.active_bytes, 0) AS "of active_bytes",
         coalesce(i.trashed_bytes, 0) AS "of trashed_bytes",
         coalesce(v.stored_bytes, 0) AS "of stored_bytes",
         coalesce(t.text_bytes, 0) AS "of text_bytes",
         coalesce(a.announced_bytes, 0) AS "of announced_bytes"
  FROM users u
  LEFT JOIN (
    SELECT user_id, count(*) FILTER (WHERE deleted_at IS NULL) AS active_images,
           count(*) FILTER (WHERE deleted_at IS NOT NULL) AS trashed_images,
           coalesce(sum(bytes) FILTER (WHERE deleted_at IS NULL), 0)::bigint AS active_bytes,
           coalesce(sum(bytes) FILTER (WHERE deleted_at IS NOT NULL), 0)::bigint AS trashed_bytes
    FROM images GROUP BY user_id
  ) i ON i.user_id = u.id
  LEFT JOIN (
    SELECT user_id, sum(bytes)::bigint AS stored_bytes FROM image_versions GROUP BY user_id
  ) v ON v.user_id = u.id
  LEFT JOIN (
    SELECT user_id, sum(bytes)::bigint AS text_bytes FROM (
      SELECT user_id, octet_length(message) AS bytes FROM memos
      UNION ALL
      SELECT user_id, octet_length(key) + octet_length(value) FROM customs
    ) AS annotation GROUP BY user_id
  ) t ON t.user_id = u.id
  LEFT JOIN (
    SELECT user_id, sum(length)::bigint AS announced_bytes FROM resumable_uploads
    WHERE state = 'receiving' GROUP BY user_id
  ) a ON a.user_id = u.id
  WHERE $1::uuid[] IS NULL OR u.platform_id = ANY ($1)`;

/** Sums of the ledger next to the state that they represent; deleted users must be at zero. */
const ledger = `
  SELECT e.user_id AS id, e.active_images, e.original_bytes, e.latest_bytes, e.stored_bytes,
         coalesce(i.active_images, 0) AS "of active_images",
         coalesce(i.original_bytes, 0) AS "of original_bytes",
         coalesce(i.latest_bytes, 0) AS "of latest_bytes",
         coalesce(i.stored_bytes, 0) AS "of stored_bytes"
  FROM (
    SELECT user_id, sum(active_images) AS active_images,
           sum(original_bytes)::bigint AS original_bytes, sum(latest_bytes)::bigint AS latest_bytes,
           sum(stored_bytes)::bigint AS stored_bytes
    FROM usage_events WHERE $1::uuid[] IS NULL OR platform_id = ANY ($1) GROUP BY user_id
  ) e
  FULL JOIN (
    SELECT v.user_id, count(*) FILTER (WHERE v.version = 0 AND i.deleted_at IS NULL) AS active_images,
           coalesce(sum(v.bytes) FILTER (WHERE v.version = 0), 0)::bigint AS original_bytes,
           coalesce(sum(v.bytes) FILTER (WHERE v.version IN (0, i.version)), 0)::bigint AS latest_bytes,
           sum(v.bytes)::bigint AS stored_bytes
    FROM image_versions v JOIN images i ON i.id = v.image_id
    WHERE $1::uuid[] IS NULL OR v.platform_id = ANY ($1) GROUP BY v.user_id
  ) i USING (user_id)`;

/** Images whose row disagrees with their versions. */
const strayImages = `
  SELECT i.id FROM images i
  LEFT JOIN image_versions current ON current.id = i.version_id AND current.image_id = i.id
  LEFT JOIN image_versions original ON original.image_id = i.id AND original.version = 0
  CROSS JOIN LATERAL (
    SELECT count(*) AS edits, coalesce(sum(bytes), 0) AS bytes
    FROM image_versions v WHERE v.image_id = i.id AND v.version > 0
  ) edit
  WHERE ($1::uuid[] IS NULL OR i.platform_id = ANY ($1)) AND (
        (i.version, i.bytes, i.hash, i.original_bytes, i.edits, i.edit_bytes)
        IS DISTINCT FROM
        (current.version, current.bytes, current.hash, original.bytes, edit.edits, edit.bytes)
     OR i.version <> i.edits)`;

/**
 * Verifies the accounting of every user of the test file: counters, ledger, rows, and objects. Nothing
 * may be running in the meantime.
 */
export async function assertAccounts(service: TestService): Promise<void> {
  await assertCounts(service);
  for (const platform of service.platforms ?? [undefined]) {
    await assertObjects(service, platform);
  }
}

/** The same without objects, which rows that a test has made have none of. */
export async function assertCounts({ db, platforms }: TestService): Promise<void> {
  assert.notEqual(platforms?.length, 0, 'the file has a platform');
  const values = [platforms ?? null];
  assertEqualColumns(await rows(db, counters, values), 'counters');
  assertEqualColumns(await rows(db, ledger, values), 'ledger');
  assert.deepEqual(
    await rows(db, strayImages, values),
    [],
    'images that differ from their versions',
  );
}

/** Each column `of x` is what column `x` should be. */
function assertEqualColumns(table: Record<string, unknown>[], what: string): void {
  for (const line of table) {
    for (const [name, value] of Object.entries(line)) {
      if (!name.startsWith('of ')) continue;
      assert.equal(Number(line[name.slice(3)]), Number(value), `${what}: ${JSON.stringify(line)}`);
    }
  }
}

/** The keys of all objects that rows refer to, or of those of a platform. */
export async function referredKeys(db: Queryable, platformId?: string): Promise<Set<string>> {
  const referred = new Set<string>();
  for await (const versions of versionBatches(db, { limit: 1000, platformId })) {
    for (const version of versions) for (const { key } of objectsOf(version)) referred.add(key);
  }
  for (const key of await keysIn(db, 'resumable_pieces', platformId)) referred.add(key);
  return referred;
}

/** Keys of objects begin with the id of their platform. */
async function keysIn(db: Queryable, table: string, platformId = ''): Promise<string[]> {
  const sql = `SELECT key FROM ${table} WHERE starts_with(key, $1)`;
  return (await rows<{ key: string }>(db, sql, [platformId])).map(({ key }) => key);
}

/** Every object belongs to a row or is listed in object_reclaim; every row has its objects. */
async function assertObjects({ db, service }: TestService, platformId?: string): Promise<void> {
  const owned = await referredKeys(db, platformId);
  const listed = new Set(await keysIn(db, 'object_reclaim', platformId));
  const missing = new Set(owned);
  for await (const { key } of service.store.list(platformId ? `${platformId}/` : '')) {
    missing.delete(key);
    if (key === sentinelKey) continue;
    assert.ok(owned.has(key) || listed.has(key), `the object ${key} belongs to nobody`);
  }
  assert.deepEqual([...missing], [], 'objects that rows refer to but that are missing');
  assert.deepEqual(
    [...listed].filter((key) => owned.has(key)),
    [],
    'objects of rows that are listed for deletion',
  );
}
