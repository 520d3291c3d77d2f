import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, test } from 'node:test';
import { seedImages } from '../../../testkit/image-rows.js';
import { insertUser } from '../../../testkit/insert-user.js';
import { migratedSource } from '../../../testkit/migrated-source.js';
import { rows } from '../../database/sql.js';
import { rangesAgainstImages } from './account.sql.js';
import { recount } from './recount.sql.js';

const db = await migratedSource({ after });

test('counts of many images are cut into ranges again', async () => {
  const { platformId, userId } = await insertUser(db);
  const images = Array.from({ length: 2_500 }, () => ({}));
  await seedImages({ db }, { id: userId, platformId }, images);
  await rows(db, 'DELETE FROM image_ranges WHERE user_id = $1', [userId]);
  await rows(db, 'DELETE FROM taken_ranges WHERE user_id = $1', [userId]);
  assert.equal(await recount(db, userId), platformId);
  for (const table of ['image_ranges', 'taken_ranges']) {
    const counts = await rows<{ images: number }>(
      db,
      `SELECT active_images AS images FROM ${table} WHERE user_id = $1`,
      [userId],
    );
    assert.deepEqual(counts, [{ images: 1_250 }, { images: 1_250 }]);
  }
  assert.deepEqual(await rangesAgainstImages(db, platformId), []);
  assert.equal(await recount(db, randomUUID()), undefined);
});
