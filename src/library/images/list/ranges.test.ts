import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { Taken0000000000038 } from '../../../../migrations/chain/0038-taken.js';
import { rows } from '../../../database/sql.js';
import { selectPageStart } from './whole.sql.js';
import { selectNewestImages } from './list.sql.js';
import { rangesAgainstImages } from '../../../ops/verify/account.sql.js';
import { migratedSource } from '../../../../testkit/migrated-source.js';

const db = await migratedSource({ after }, 8);

const platformId = crypto.randomUUID();
await rows(db, `INSERT INTO platforms (id, name) VALUES ($1, 'p')`, [platformId]);

async function user(): Promise<string> {
  const id = crypto.randomUUID();
  await rows(
    db,
    `INSERT INTO users (id, platform_id, platform_user_id, max_storage_bytes)
     VALUES ($1::uuid, $2, $1::uuid::text, 1)`,
    [id, platformId],
  );
  return id;
}

/**
 * Inserts images in one statement, under the user's lock; every third does not know when it was
 * taken. @param at from `n`, the number of the image.
 */
const add = (
  userId: string,
  count: number,
  at = `'2025-01-01Z'::timestamptz + n * interval '7 s'`,
) =>
  db.transaction(async (tx) => {
    await rows(tx, 'SELECT FROM users WHERE id = $1 FOR NO KEY UPDATE', [userId]);
    await rows(
      tx,
      `INSERT INTO images (id, platform_id, user_id, created_at, taken_at, upload_type, version_id,
         filename, format, extension, thumb_extension, hash, bytes, width, height, thumbhash,
         original_extension, original_bytes)
       SELECT id, $1, $2, ${at},
              CASE WHEN n % 3 > 0 THEN ${at} - hashtext(id::text) % 20000 * interval '1 s' END,
              'gallery', id, 'f', 'jpeg', 'jpg', 'jpg', '\\xab', 1, 1, 1, '\\xcd',
              'jpg', 1
       FROM (SELECT n, gen_random_uuid() AS id FROM generate_series(1, $3::int) AS n) AS made`,
      [platformId, userId, count],
    );
  });

const ranges = (userId: string, table: 'image_ranges' | 'taken_ranges' = 'image_ranges') =>
  rows<{ images: number }>(
    db,
    `SELECT active_images + trashed_images AS images FROM ${table} WHERE user_id = $1`,
    [userId],
  );

/** Asserts that every count is correct, and that no range is longer than allowed. */
async function assertCounts(userId: string): Promise<void> {
  const wrong = await rangesAgainstImages(db);
  assert.deepEqual(wrong, []);
  const all = [...(await ranges(userId)), ...(await ranges(userId, 'taken_ranges'))];
  const longest = Math.max(...all.map(({ images }) => images));
  assert.ok(longest <= 2000, `a range of ${longest}`);
}

/** Asserts that the page at each of these indexes equals the one found by counting. */
async function assertPages(userId: string, indexes: readonly number[]): Promise<void> {
  for (const sortBy of ['created_at', 'taken_at'] as const) {
    for (const trash of [null, false, true]) {
      const filter = { trash, sortBy, periods: [] };
      for (const index of indexes) {
        const start = await selectPageStart(db, userId, filter, index);
        assert.ok(start.offset < 2000);
        const [jumped, counted] = await Promise.all(
          [start, { offset: index }].map((from) => selectNewestImages(db, userId, filter, from, 3)),
        );
        assert.deepEqual(jumped, counted, `${sortBy} ${trash} ${index}`);
      }
    }
  }
}

test('bulk changes are counted in ranges of at most 2,000 images', async () => {
  const id = await user();
  await add(id, 5000);
  await assertCounts(id);
  assert.equal((await ranges(id)).length, 5);

  // Between and before existing images, and many at one instant.
  await add(id, 2500, `'2025-01-01T02:00Z'::timestamptz + n * interval '1 ms'`);
  await add(id, 10, `'1950-01-01Z'::timestamptz`);
  await add(id, 4500, `'2026-01-01Z'::timestamptz`);
  await assertCounts(id);
  await assertPages(id, [0, 1, 999, 4400, 4501, 7777, 12_009, 12_010, 1_000_000]);

  await rows(
    db,
    `UPDATE images SET deleted_at = now() WHERE user_id = $1 AND hashtext(id::text) % 3 = 0`,
    [id],
  );
  await assertCounts(id);
  await assertPages(id, [0, 1500, 3999, 4000, 8000, 12_000]);

  await rows(db, `UPDATE images SET deleted_at = NULL, has_det = true WHERE user_id = $1`, [id]);
  await rows(
    db,
    `UPDATE images SET created_at = created_at - interval '1 year' WHERE user_id = $1`,
    [id],
  );
  await assertCounts(id);
  await assertPages(id, [0, 6000, 12_009]);

  await rows(db, `DELETE FROM images WHERE user_id = $1 AND created_at > '2024-01-01T01:00Z'`, [
    id,
  ]);
  await assertCounts(id);
  await assertPages(id, [0, 100, 524, 600]);
  assert.equal((await ranges(id)).length, 1, 'empty ranges are gone');
});

test('single inserts are counted the same', async () => {
  const id = await user();
  await add(id, 1999);
  for (let n = 0; n < 3; n += 1) await add(id, 1, `'2025-01-01T00:10Z'::timestamptz`);
  await assertCounts(id);
  assert.equal((await ranges(id)).length, 2);
});

test('a user deleted by cascade leaves no ranges', async () => {
  const id = await user();
  await add(id, 3000);
  await rows(db, 'DELETE FROM users WHERE id = $1', [id]);
  assert.deepEqual(await ranges(id), []);
});

test('concurrent changes of two users do not deadlock', async () => {
  const ids = [await user(), await user()];
  await Promise.all(
    Array.from({ length: 16 }, async (_, n) => {
      const id = ids[n % 2] ?? '';
      await add(id, 400, `'2025-01-01Z'::timestamptz + (n * 7919 % 1000) * interval '1 s'`);
      await db.transaction(async (tx) => {
        await rows(tx, 'SELECT FROM users WHERE id = $1 FOR NO KEY UPDATE', [id]);
        await rows(
          tx,
          `DELETE FROM images WHERE id IN (SELECT id FROM images WHERE user_id = $1 LIMIT 100)`,
          [id],
        );
      });
    }),
  );
  for (const id of ids) {
    await assertCounts(id);
    const total = (await ranges(id)).reduce((sum, { images }) => sum + images, 0);
    assert.equal(total, 2400);
  }
});

test('the migration counts existing images along the time they were taken', async () => {
  const [few, many, none] = [await user(), await user(), await user()];
  await add(few, 10);
  await add(many, 4321);
  await db.query(
    `DROP TABLE taken_ranges CASCADE;
     DROP INDEX images_taken, images_taken_active, images_taken_trashed, images_folder_taken;
     DROP FUNCTION redraw_map CASCADE`,
  );
  const runner = db.createQueryRunner();
  await runner.startTransaction();
  await new Taken0000000000038().up(runner);
  await runner.commitTransaction();
  await runner.release();
  for (const id of [few, many, none]) await assertCounts(id);
  assert.equal((await ranges(many, 'taken_ranges')).length, 4);
  assert.deepEqual(await ranges(none, 'taken_ranges'), [{ images: 0 }]);
  await assertPages(many, [0, 1, 2500, 4320, 4321]);
  await add(none, 1);
  await assertCounts(none);
});
