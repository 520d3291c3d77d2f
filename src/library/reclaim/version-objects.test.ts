import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { column, rows } from '../../database/sql.js';
import { deleteImages } from '../tree/bulk-changes.sql.js';
import { graceMinutes, queueKeys, unqueueKeys } from './reclaim.js';
import { isStray, keyStates, versionBatches, VersionTally } from './version-objects.js';
import { objectsOf } from '../../store/object-key.js';
import { migratedSource } from '../../../testkit/migrated-source.js';
import { insertUser } from '../../../testkit/insert-user.js';

const db = await migratedSource({ after });
const { platformId, userId } = await insertUser(db);

/** One version each: the extensions of the original, the display file, and the thumbnail. */
type Extensions = readonly [string, string | null, string];

/** Inserts the rows of an image with these versions, the last of which is current. */
async function insertImage(versions: readonly Extensions[]): Promise<string> {
  const id = crypto.randomUUID();
  const columns = `created_at, format, extension, display_extension, thumb_extension, hash, bytes, width, height`;
  const [extension, display, thumb] = versions.at(-1) ?? [];
  await rows(
    db,
    `INSERT INTO images (id, platform_id, user_id, version_id, upload_type, filename, thumbhash,
       original_extension, original_bytes, ${columns})
     VALUES ($1, $2, $3, $1, 'gallery', 'f', '\\xcd', 'jpg', 1,
             now(), 'jpeg', $4, $5, $6, '\\xab', 1, 1, 1)`,
    [id, platformId, userId, extension, display, thumb],
  );
  for (const [version, extensions] of versions.entries()) {
    await rows(
      db,
      `INSERT INTO image_versions (id, platform_id, user_id, image_id, version, ${columns})
       VALUES ($1, $2, $3, $4, $5, now(), 'jpeg', $6, $7, $8, '\\xab', 1, 1, 1)`,
      [version === 0 ? id : crypto.randomUUID(), platformId, userId, id, version, ...extensions],
    );
  }
  return id;
}

/** The keys of all objects that rows refer to, with their images. */
async function referred(): Promise<{ key: string; imageId: string }[]> {
  const found: { key: string; imageId: string }[] = [];
  // One version per batch.
  for await (const versions of versionBatches(db, { limit: 1 })) {
    for (const v of versions) {
      for (const { key } of objectsOf(v)) found.push({ key, imageId: v.imageId });
    }
  }
  return found;
}

const listed = () =>
  rows<{ key: string; minutes: number; due: boolean }>(
    db,
    `SELECT key, extract(epoch FROM not_before - created_at)::float8 / 60 AS minutes,
            not_before <= now() AS due
     FROM object_reclaim ORDER BY key`,
  );

/** Those of the keys that are in neither or both of rows and reclaim queue. */
const strays = async (keys: readonly string[]) => (await keyStates(db, keys)).filter(isStray);

const versions: readonly Extensions[] = [
  ['heic', 'jpg', 'webp'],
  ['jpg', null, 'jpg'],
  ['tiff', 'avif', 'webp'],
];

test('the database queues exactly the objects of a version that the code knows, due at once', async () => {
  const [gone, kept] = [await insertImage(versions), await insertImage(versions)];
  const before = await referred();
  const [ofGone, ofKept] = [gone, kept].map((id) =>
    before.flatMap(({ key, imageId }) => (imageId === id ? [key] : [])).sort(),
  );
  assert.equal(ofGone?.length, 8); // three versions, one of them without a display file
  assert.deepEqual(await strays([...(ofGone ?? []), ...(ofKept ?? [])]), []);

  await rows(db, `DELETE FROM images WHERE id = $1`, [gone]);
  const queue = await listed();
  assert.deepEqual(
    queue.map(({ key }) => key),
    ofGone,
  );
  assert.ok(queue.every(({ due, minutes }) => due && minutes === 0));
  assert.deepEqual((await referred()).map(({ key }) => key).sort(), ofKept);
  assert.deepEqual(await strays([...(ofGone ?? []), ...(ofKept ?? [])]), []);

  const all = await column<string>(db, 'SELECT id FROM images WHERE user_id = $1', [userId]);
  await db.transaction((tx) => deleteImages(tx, userId, all));
  assert.deepEqual(
    (await listed()).map(({ key }) => key),
    [...(ofGone ?? []), ...(ofKept ?? [])].sort(),
  );
  await rows(db, 'DELETE FROM object_reclaim');
});

test('a key is reported unless either the rows or the queue have it, but not both', async () => {
  const id = await insertImage([['jpg', null, 'webp']]);
  const keys = (await referred()).map(({ key }) => key).sort();
  const [original = '', thumb = ''] = keys;
  const near = [
    original.replace('/original.', '/display.'),
    original.replace(platformId, crypto.randomUUID()),
    `${original}/more`,
    thumb.replace('webp', 'jpg'),
    `${id}/no-uuid`,
    'lost',
  ];
  await queueKeys(db, [thumb, 'pending']);
  const found = await strays([original, thumb, 'pending', ...near]);
  assert.deepEqual(
    new Map(found.map(({ key, version }) => [key, version !== undefined])),
    new Map([[thumb, true], ...near.map((key) => [key, false] as const)]),
  );
  await rows(db, 'DELETE FROM object_reclaim');
});

test('a tally of versions differs from the rows exactly where their ids do', async () => {
  await insertImage(versions);
  const tally = async (...more: readonly string[]) => {
    const counted = new VersionTally();
    for await (const batch of versionBatches(db, { limit: 100 })) {
      for (const { versionId } of batch) counted.add(versionId);
    }
    for (const id of more) counted.add(id);
    return counted.compare(db);
  };
  const [{ count } = { count: 0 }] = await rows<{ count: number }>(
    db,
    'SELECT count(*)::int FROM image_versions',
  );
  assert.deepEqual(await tally(), { rows: count, differing: [] });
  // Its time begins with 28 bits, the last 18 of which are the slice.
  const unknown = '0123456b-789a-7000-8000-000000000001';
  assert.deepEqual(await tally(unknown), { rows: count, differing: [0x23456] });
  await rows(db, 'DELETE FROM images WHERE user_id = $1', [userId]);
  await rows(db, 'DELETE FROM object_reclaim');
});

test('keys of an upload are protected for the grace period, and no longer', async () => {
  await queueKeys(db, ['a', 'b']);
  const noted = await listed();
  assert.deepEqual(noted, [
    { key: 'a', minutes: graceMinutes, due: false },
    { key: 'b', minutes: graceMinutes, due: false },
  ]);
  const past = `UPDATE object_reclaim SET not_before = now() - interval '1 ms' WHERE key = 'b'`;
  await rows(db, past);
  assert.equal(await unqueueKeys(db, ['b']), false);
  assert.equal(await unqueueKeys(db, ['a']), true);
  assert.equal(await unqueueKeys(db, ['a']), false);
  assert.deepEqual(
    (await listed()).map(({ key }) => key),
    ['b'],
  );
});
