import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { row, rows } from '../../src/database/sql.js';
import { tryWithLock } from '../../src/database/locks.js';
import { rollUp } from '../../src/library/statistics/roll-up.js';
import { UsageStatistics } from '../../src/library/statistics/usage-statistics.js';
import { parsed } from '../../testkit/parsed.js';
import { migratedSource } from '../../testkit/migrated-source.js';
import { freshEvents, uploadedAt } from '../../testkit/ledger.js';
import { ownService } from '../../testkit/service.js';

const service = await ownService({ after });
const { db } = service;
const zone = 'Asia/Seoul';
const statistics = new UsageStatistics(db, zone);
const uploads = async (platformId: string) => (await statistics.total(platformId)).total_upload;

describe('the roll-up', () => {
  test('adds each event once, no matter when and how often it runs', async () => {
    const user = await service.user();
    const moments = Array.from({ length: 95 }, (_, i) => `2024-05-${10 + (i % 15)}T12:00:00Z`);
    await uploadedAt(db, user, moments);
    await Promise.all([1, 2, 3].map(() => rollUp(db, { zone, batchSize: 7 })));
    await rollUp(db, { zone, batchSize: 7 });
    assert.equal(await freshEvents(db, user.platformId), 0);
    assert.equal((await rollUp(db, { zone })).events, 0);
    assert.equal(await uploads(user.platformId), 95);
    const days = await rows(db, 'SELECT FROM daily_stats WHERE platform_id = $1', [
      user.platformId,
    ]);
    assert.equal(days.length, 15);
  });

  test('leaves one event for each quarter of an hour, in any time zone', async () => {
    const user = await service.user();
    const minutes = Array.from({ length: 300 }, (_, n) => n);
    const at = (minute: number): string =>
      new Date(Date.UTC(2024, 4, 10, 16, minute)).toISOString(); // five hours, across 18:15Z
    await uploadedAt(db, user, minutes.map(at));
    const kathmandu = 'Asia/Kathmandu'; // its days begin at 18:15Z
    const there = new UsageStatistics(db, kathmandu);
    const range = { start_date: '2024-05-10', end_date: '2024-05-11', sort_order: 'asc' } as const;
    const days = async () =>
      parsed(await there.days(user.platformId, range)).map(({ stats }) => stats.total_upload);
    await rollUp(db, { zone: kathmandu });
    assert.deepEqual(await days(), [135, 165]);
    const [left] = await rows<{ events: number }>(
      db,
      'SELECT count(*)::int AS events FROM usage_events WHERE platform_id = $1',
      [user.platformId],
    );
    assert.equal(left?.events, 20);
    await rollUp(db, { zone }); // computed again from what is left
    await rollUp(db, { zone: kathmandu });
    assert.deepEqual(await days(), [135, 165]);
    await rollUp(db, { zone });
  });

  test('leaves late commits to the next run, on their own day', async () => {
    const user = await service.user();
    const range = { start_date: '2024-05-10', end_date: '2024-05-10', sort_order: 'asc' } as const;
    const onTheDay = async () =>
      parsed(await statistics.days(user.platformId, range))[0]?.stats.total_upload;
    await db.transaction(async (late) => {
      await uploadedAt(late, user, ['2024-05-10 23:59:59+09']);
      await uploadedAt(db, user, ['2024-05-10 12:00:00+09']);
      await rollUp(db, { zone });
      assert.equal(await onTheDay(), 1);
    });
    assert.equal(await onTheDay(), 2);
    await rollUp(db, { zone });
    assert.equal(await onTheDay(), 2);
  });

  test('is exact during uploads: counts never decrease, and finally include all uploads', async () => {
    const album = await service.user();
    const { platformId } = album;
    const lanes = [1, 2].map(async () => {
      for (let i = 0; i < 6; i += 1) await album.upload();
    });
    let uploading = true;
    const done = Promise.all(lanes).finally(() => (uploading = false));
    let seen = 0;
    while (uploading) {
      const [now] = await Promise.all([uploads(platformId), rollUp(db, { zone, batchSize: 1 })]);
      assert.ok(now >= seen, `${now} after ${seen}`);
      seen = now;
    }
    await done;
    assert.equal(await uploads(platformId), 12);
  });

  test('recomputes the days for another zone, and for the first one again', async () => {
    const user = await service.user();
    await uploadedAt(db, user, ['2024-05-10 23:30:00Z']); // the 11th in Seoul
    const days = () =>
      rows<{ day: string }>(
        db,
        'SELECT day::text FROM daily_stats WHERE platform_id = $1 AND upload_gallery > 0',
        [user.platformId],
      );
    await rollUp(db, { zone });
    assert.deepEqual(await days(), [{ day: '2024-05-11' }]);
    assert.deepEqual(await rollUp(db, { zone: 'UTC' }), { events: 0, remade: true });
    assert.deepEqual(await days(), [{ day: '2024-05-10' }]);
    assert.deepEqual(await rollUp(db, { zone }), { events: 0, remade: true });
    assert.deepEqual(await days(), [{ day: '2024-05-11' }]);
  });
});

// A database without a service, whose roll-up would take the lock from time to time.
const alone = await migratedSource({ after }, 4);

describe('work for one node at a time', () => {
  test('is done by one node while the others skip it; other work is not blocked', async () => {
    const inside = await tryWithLock(alone, 'rollUp', async () => [
      await tryWithLock(alone, 'rollUp', async () => 'twice'),
      await tryWithLock(alone, 'trashExpiry', async () => 'beside'),
    ]);
    assert.deepEqual(inside, [undefined, 'beside']);
    assert.equal(await tryWithLock(alone, 'rollUp', async () => 'after'), 'after');
  });

  test('is free as soon as it is done, however long its session takes to end', async () => {
    // Dropped by the session at its end, before it gives up its locks.
    const tables = `DO $$ BEGIN
      FOR n IN 1..400 LOOP EXECUTE format('CREATE TEMP TABLE t%s (id serial PRIMARY KEY)', n); END LOOP;
    END $$`;
    await tryWithLock(alone, 'rollUp', (session) => rows(session, tables));
    assert.equal(await tryWithLock(alone, 'rollUp', async () => 'next'), 'next');
  });

  test('is free again after a failure, or when its connection dies', async () => {
    await assert.rejects(
      tryWithLock(alone, 'rollUp', async () => {
        throw new Error('it fails');
      }),
      /it fails/,
    );
    await assert.rejects(
      tryWithLock(alone, 'rollUp', async (session) => {
        const own = await row<{ pid: number }>(session, 'SELECT pg_backend_pid() AS pid');
        await rows(alone, 'SELECT pg_terminate_backend($1, 5000)', [own?.pid]);
        await session.query('SELECT 1');
      }),
    );
    assert.equal(await tryWithLock(alone, 'rollUp', async () => 'free'), 'free');
  });
});
