import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { rows } from '../../database/sql.js';
import {
  countersAgainstRows,
  differencesIn,
  totalsAgainstAnnotations,
} from '../../ops/verify/account.sql.js';
import { migratedSource } from '../../../testkit/migrated-source.js';
import { insertUser } from '../../../testkit/insert-user.js';

const db = await migratedSource({ after });

const { platformId, userId } = await insertUser(db);
await rows(
  db,
  `INSERT INTO images (id, platform_id, user_id, created_at, upload_type, version_id, filename,
     format, extension, thumb_extension, hash, bytes, width, height, thumbhash, original_extension,
     original_bytes)
   SELECT id, $1, $2, now(), 'gallery', id, 'f', 'jpeg', 'jpg', 'jpg', '\\xab', 1, 1, 1, '\\xcd',
          'jpg', 1
   FROM (SELECT gen_random_uuid() AS id FROM generate_series(1, 50)) AS made`,
  [platformId, userId],
);

/** Memos and customs on all images but some, in one statement each. */
async function annotate(): Promise<void> {
  await db.query(`
    INSERT INTO memos (id, user_id, image_id, message, is_client)
    SELECT gen_random_uuid(), user_id, id, repeat('가', n), true
    FROM images, generate_series(1, 5) AS n WHERE get_byte(uuid_send(id), 0) < 200;
    INSERT INTO customs (id, user_id, image_id, key, value)
    SELECT gen_random_uuid(), user_id, id, 'k' || n, repeat('v', n)
    FROM images, generate_series(1, 7) AS n WHERE get_byte(uuid_send(id), 0) > 60;`);
}

const assertTotals = async (annotations: number) => {
  assert.deepEqual(await differencesIn(db, totalsAgainstAnnotations), []);
  assert.deepEqual(await differencesIn(db, countersAgainstRows), [], 'text counts for its user');
  const [sum] = await rows<{ annotations: number }>(
    db,
    `SELECT sum(memos + customs)::int AS annotations FROM annotation_totals`,
  );
  const [counted] = await rows<{ annotations: number }>(
    db,
    `SELECT ((SELECT count(*) FROM memos) + (SELECT count(*) FROM customs))::int AS annotations`,
  );
  assert.deepEqual(sum, counted);
  assert.ok((sum?.annotations ?? 0) >= annotations);
};

test('totals follow every change to annotations, single or in bulk', async () => {
  await annotate();
  await assertTotals(100);
  await db.query(`UPDATE memos SET message = message || 'x' WHERE length(message) > 2;
    UPDATE customs SET key = 'key', value = '' WHERE value = 'v';
    DELETE FROM customs WHERE key = 'k3';
    DELETE FROM memos WHERE length(message) = 1`);
  await assertTotals(80);
  await db.query(`UPDATE memos SET image_id = (SELECT min(id::text)::uuid FROM images)`);
  await assertTotals(80);
  await db.query(`DELETE FROM images WHERE get_byte(uuid_send(id), 1) < 100`);
  await assertTotals(10);
});

test('images take the text of their annotations along, however many go at once', async () => {
  await db.query(`DELETE FROM images WHERE get_byte(uuid_send(id), 2) < 128`);
  await assertTotals(0);
  const [left] = await rows<{ stray: number }>(
    db,
    `SELECT count(*)::int AS stray FROM annotation_totals t
     WHERE NOT EXISTS (SELECT FROM images i WHERE i.id = t.image_id)`,
  );
  assert.equal(left?.stray, 0);
});

test('a wrong counter of a user is found', async () => {
  await db.query(`UPDATE users SET text_bytes = text_bytes + 3`);
  const [found, ...others] = await differencesIn(db, countersAgainstRows, platformId);
  assert.deepEqual([(found?.found ?? 0) - (found?.expected ?? 0), others.length], [3, 0]);
  assert.match(found?.subject ?? '', /text_bytes$/);
});

test('a wrong total is found', async () => {
  await db.query(`UPDATE annotation_totals SET text_bytes = text_bytes + 7
    WHERE image_id = (SELECT min(image_id::text)::uuid FROM annotation_totals)`);
  const [found, ...others] = await differencesIn(db, totalsAgainstAnnotations, platformId);
  assert.deepEqual([(found?.found ?? 0) - (found?.expected ?? 0), others.length], [7, 0]);
  assert.match(found?.subject ?? '', /text_bytes$/);
});

test('what is written on an image is a change of the image, by the time of the database', async () => {
  const [{ id } = { id: '' }] = await rows<{ id: string }>(
    db,
    `UPDATE images SET updated_at = '2024-01-01' WHERE id = (SELECT id FROM images LIMIT 1) RETURNING id`,
  );
  const touched = async (sql: string): Promise<boolean> => {
    await rows(db, `UPDATE images SET updated_at = '2024-01-01' WHERE id = $1`, [id]);
    await rows(db, sql, [id]);
    const [image] = await rows<{ now: boolean }>(
      db,
      `SELECT updated_at > now() - interval '1 hour' AS now FROM images WHERE id = $1`,
      [id],
    );
    return image?.now === true;
  };
  const changes = [
    `INSERT INTO memos (id, user_id, image_id, message, is_client)
     SELECT gen_random_uuid(), user_id, id, 'later', true FROM images WHERE id = $1`,
    `UPDATE memos SET is_client = false WHERE image_id = $1`,
    `DELETE FROM memos WHERE image_id = $1`,
    `INSERT INTO customs (id, user_id, image_id, key, value)
     SELECT gen_random_uuid(), user_id, id, 'later', 'v' FROM images WHERE id = $1`,
    `UPDATE customs SET value = 'w' WHERE image_id = $1`,
    `DELETE FROM customs WHERE image_id = $1`,
  ];
  for (const sql of changes) assert.ok(await touched(sql), sql);
  assert.ok(!(await touched('UPDATE memos SET is_client = is_client WHERE image_id = $1')));
});
