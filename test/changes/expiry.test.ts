import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { expireChanges } from '../../src/feed/changes/upkeep.js';
import { done, refused } from '../../testkit/expect.js';
import { platformChanges, settled, userChanges } from '../../testkit/feeds.js';
import { ownService } from '../../testkit/service.js';

const service = await ownService({ after });
const { db } = service;

/** Makes a user's entries up to a number older. */
const age = (userId: string, seq: number, days: number): Promise<unknown> =>
  db.query(
    `UPDATE changes SET at = at - make_interval(days => $3) WHERE user_id = $1 AND seq <= $2`,
    [userId, seq, days],
  );

test('old entries are deleted, and readers that missed them learn where to continue', async () => {
  const platform = await service.platform();
  const user = await service.user(platform);
  const album = user;
  for (const title of ['a', 'b', 'c', 'd']) await album.folder(title);
  await settled(db);
  const { last: early } = done(await platformChanges(service, platform, { limit: 2 }));
  await age(user.id, 3, 91);
  assert.equal(await expireChanges(db, { days: 92 }), 0);
  assert.equal(await expireChanges(db, { days: 90, batchSize: 2 }), 3);

  const page = done(await userChanges(service, user, { after: 3 }));
  assert.deepEqual(
    page.changes.map(({ seq }) => seq),
    [4, 5],
  );
  for (const number of [0, 2]) {
    const answer = await userChanges(service, user, { after: number });
    refused(answer, 410, 'feed_expired');
    assert.deepEqual(answer.error?.details, { first: 4 });
  }
  for (const query of [{}, { after: early }] as Record<string, string>[]) {
    const answer = await platformChanges(service, platform, query);
    refused(answer, 410, 'feed_expired');
    const { first } = answer.error?.details as { first: string };
    const rest = done(await platformChanges(service, platform, { after: first }));
    assert.deepEqual(
      rest.changes.map(({ seq }) => seq),
      [4, 5],
    );
  }

  await age(user.id, 5, 91);
  assert.equal(await expireChanges(db, { days: 90 }), 2);
  const missed = await userChanges(service, user, { after: 4 });
  refused(missed, 410, 'feed_expired');
  assert.deepEqual(missed.error?.details, { first: 6 }, 'the next one');
  assert.deepEqual(done(await userChanges(service, user, { after: 5 })).changes, []);
  await album.folder('e');
  assert.equal(done(await userChanges(service, user, { after: 5 })).changes[0]?.seq, 6);
});

test('of one transaction, the last deleted entry is remembered', async () => {
  const platform = await service.platform();
  const user = await service.user(platform);
  await db.query(
    `INSERT INTO folders (id, user_id, title)
     SELECT gen_random_uuid(), $1, 'title ' || n FROM generate_series(1, 3) AS n`,
    [user.id],
  );
  await settled(db);
  const { last: early } = done(await platformChanges(service, platform, { limit: 2 }));
  const { last } = done(await platformChanges(service, platform));
  await age(user.id, 4, 91);
  assert.equal(await expireChanges(db, { days: 90 }), 4);
  const missed = await platformChanges(service, platform, { after: early });
  refused(missed, 410, 'feed_expired');
  assert.deepEqual(missed.error?.details, { first: last });
  assert.deepEqual(done(await platformChanges(service, platform, { after: last })).changes, []);
});

test('deletion stops at the first entry that is not old, and blocks nobody', async () => {
  const platform = await service.platform();
  const [one, two] = [await service.user(platform), await service.user(platform)];
  await one.folder('a');
  await age(two.id, 1, 91);
  assert.equal(await expireChanges(db, { days: 90 }), 0);
  await age(one.id, 2, 91);
  const writing = db.createQueryRunner();
  await writing.startTransaction();
  await writing.query(`UPDATE users SET max_storage_bytes = 5 WHERE id = $1`, [one.id]);
  assert.equal(await expireChanges(db, { days: 90 }), 3);
  await writing.commitTransaction();
  await writing.release();
  assert.equal(done(await userChanges(service, one, { after: 2 })).changes[0]?.seq, 3);
});

test('of a user with too many entries, the oldest are deleted early; the platform learns of it', async () => {
  const platform = await service.platform();
  const [busy, quiet] = [await service.user(platform), await service.user(platform)];
  const album = busy;
  for (const title of ['a', 'b', 'c', 'd', 'e', 'f']) await album.folder(title);
  await settled(db);
  const { last: early } = done(await platformChanges(service, platform, { limit: 3 }));
  const { last: late } = done(await platformChanges(service, platform, {}));
  assert.equal(await expireChanges(db, { days: 0, perUser: 4, batchSize: 2 }), 3);
  assert.equal(await expireChanges(db, { days: 0, perUser: 4 }), 0);
  const answer = await userChanges(service, busy, { after: 2 });
  refused(answer, 410, 'feed_expired');
  assert.deepEqual(answer.error?.details, { first: 4 });
  assert.equal(done(await userChanges(service, busy, { after: 3 })).changes.length, 4);
  assert.equal(done(await userChanges(service, quiet, { after: 0 })).changes.length, 1);
  refused(await platformChanges(service, platform, { after: early }), 410, 'feed_expired');
  assert.deepEqual(done(await platformChanges(service, platform, { after: late })).changes, []);
  // What is older by its position, but deleted later, must not take that back.
  await age(quiet.id, 1, 91);
  await age(busy.id, 7, 91);
  await expireChanges(db, { days: 90 });
  refused(await platformChanges(service, platform, { after: early }), 410, 'feed_expired');
});
