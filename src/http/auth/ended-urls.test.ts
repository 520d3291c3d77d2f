import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { DataSource } from 'typeorm';
import { insertUser } from '../../../testkit/insert-user.js';
import { migratedSource } from '../../../testkit/migrated-source.js';
import { logger } from '../../../testkit/silent-logger.js';
import { selectEndedUrls } from './auth.sql.js';
import { EndedUrls } from './ended-urls.js';

const db = await migratedSource({ after });

test('is read once a second at most, and awaited only if it is older than two', async () => {
  let now = 5_000;
  const reads: Promise<unknown>[] = [];
  const counting = {
    query: (...args: Parameters<DataSource['query']>) => {
      const read = db.query(...args);
      reads.push(read);
      return read;
    },
  };
  const ended = new EndedUrls(counting as DataSource, 60, logger, () => now);
  await ended.refresh();
  now += 999;
  assert.equal(ended.refresh(), undefined);
  assert.equal(reads.length, 1);
  now += 1;
  assert.equal(ended.refresh(), undefined, 'nobody waits');
  assert.equal(reads.length, 2);
  await reads[1];
  await nextTurn(); // then it is known
  now += 2_000;
  const late = ended.refresh();
  assert.ok(late, 'this request waits');
  await late;
  await ended.refresh(Date.now() / 1000 + 1); // for a token that was issued after the last reading
  assert.equal(reads.length, 4);
});

test('is only what ended within the life of a link', async () => {
  const { platformId: id } = await insertUser(db);
  await db.query(`UPDATE platforms SET revoked_at = now() - interval '1 day' WHERE id = $1`, [id]);
  const ended = async (seconds: number) =>
    (await selectEndedUrls(db, seconds)).platforms.some(([platform]) => platform === id);
  assert.deepEqual([await ended(80_000), await ended(90_000)], [false, true]);
});

test('is of the last 10,000 deleted users at most', async () => {
  const { platformId } = await insertUser(db);
  await db.query(
    `INSERT INTO former_users (id, platform_id, deleted_at)
     SELECT gen_random_uuid(), $1, now() - n * interval '1 ms' FROM generate_series(1, 10001) AS n`,
    [platformId],
  );
  const { users } = await selectEndedUrls(db, 3_600);
  assert.equal(users.length, 10_000);
});
