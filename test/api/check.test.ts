import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rows } from '../../src/database/sql.js';
import type { Presence } from '../../testkit/records.js';
import { testService } from '../../testkit/service.js';

const service = await testService();
const album = await service.user();

test('a file uploaded very often is listed with its oldest images', async () => {
  const { id, hashdata } = await album.upload();
  // The rows that uploads would have written, in a fraction of the time.
  await rows(
    service.db,
    `INSERT INTO images SELECT (jsonb_populate_record(i, jsonb_build_object('id', gen_random_uuid()))).*
     FROM images i, generate_series(1, 40) WHERE i.id = $1`,
    [id],
  );
  await rows(
    service.db,
    `INSERT INTO image_versions
     SELECT (jsonb_populate_record(v, jsonb_build_object('id', i.id, 'image_id', i.id))).*
     FROM image_versions v JOIN images i USING (user_id) WHERE v.id = $1 AND i.id <> v.id`,
    [id],
  );
  const { result } = await album.call<Presence>('POST', '/images/check', {
    json: { hashes: [hashdata] },
  });
  const ofUser = 'SELECT id FROM images WHERE user_id = $1 ORDER BY id';
  const all = await rows<{ id: string }>(service.db, ofUser, [album.id]);
  assert.equal(all.length, 41);
  assert.deepEqual(
    result.present[0]?.images.map((image) => image.id),
    all.slice(0, 20).map((image) => image.id),
  );
});

test('what is in the trash is found in a short trash and in a long one', async () => {
  const { id } = await album.upload();
  const hash = 'ab'.repeat(32);
  const file = `UPDATE image_versions SET hash = decode($2, 'hex') WHERE image_id = $1`;
  await rows(service.db, file, [id, hash]);
  const trash = (ids: string) =>
    rows(service.db, `UPDATE images SET deleted_at = now() WHERE user_id = $1 AND ${ids}`, [
      album.id,
    ]);
  const isInTrash = async () => {
    const answer = await album.call<Presence>('POST', '/images/check', {
      json: { hashes: [hash] },
    });
    return answer.result.present[0]?.images.map((image) => image.in_trash);
  };
  assert.deepEqual(await isInTrash(), [false], 'empty');
  await trash(`id = '${id}'`);
  assert.deepEqual(await isInTrash(), [true], 'short');
  await trash(`id <> '${id}'`);
  assert.deepEqual(await isInTrash(), [true], 'long');
  await rows(service.db, 'UPDATE images SET deleted_at = NULL WHERE id = $1', [id]);
  assert.deepEqual(await isInTrash(), [false], 'long, without it');
});

test('the list of a hash is read from the index in order, without a sort', async () => {
  const plan = await rows<{ 'QUERY PLAN': string }>(
    service.db,
    `EXPLAIN SELECT hash, image_id, version FROM image_versions
     WHERE user_id = '${album.id}' AND hash = '\\x00' ORDER BY image_id, version LIMIT 20`,
  );
  const text = plan.map((line) => line['QUERY PLAN']).join('\n');
  assert.match(text, /image_versions_hash/);
  assert.doesNotMatch(text, /Sort/);
});
