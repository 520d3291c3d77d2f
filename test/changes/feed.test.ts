import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startFeedClock } from '../../src/feed/changes/upkeep.js';
import { readCursor, writeCursor } from '../../src/feed/changes/entries.js';
import { rows, type Queryable } from '../../src/database/sql.js';
import { done, refused, timePattern } from '../../testkit/expect.js';
import { platformChanges, entryText, settled, userChanges } from '../../testkit/feeds.js';
import type { Image } from '../../testkit/records.js';
import { ownService } from '../../testkit/service.js';

const service = await ownService({ after });
const { db } = service;

const insertFolder = (tx: Queryable, user: { id: string }): Promise<unknown> =>
  tx.query(
    `INSERT INTO folders (id, user_id, title)
     VALUES (gen_random_uuid(), $1, gen_random_uuid()::text)`,
    [user.id],
  );

test('a user reads the changes in pages, each entry once', async () => {
  const album = await service.user();
  const { id } = await album.upload();
  await album.put<Image>(`/images/${id}`, { has_det: 'True' });
  await album.folder('a');
  const all = done(await userChanges(service, album));
  assert.deepEqual(all.changes.map(entryText), [
    'user created platform',
    'image created user',
    'image updated user',
    'folder created user',
  ]);
  assert.deepEqual([all.last, all.more], [4, false]);
  assert.deepEqual(
    all.changes.map(({ seq }) => seq),
    [1, 2, 3, 4],
  );
  assert.ok(all.changes.every(({ at }) => timePattern.test(at)));
  assert.deepEqual(Object.keys(all.changes[1] ?? {}), [
    'seq',
    'at',
    'type',
    'id',
    'action',
    'actor',
  ]);
  const some = done(await userChanges(service, album, { after: 1, limit: 2 }));
  assert.deepEqual([some.changes, some.last, some.more], [all.changes.slice(1, 3), 3, true]);
  const none = done(await userChanges(service, album, { after: 4 }));
  assert.deepEqual(none, { changes: [], last: 4, more: false });
});

test('platforms read the changes of their own users, and nobody reads those of others', async () => {
  const platform = await service.platform();
  const user = await service.user(platform);
  const own = await userChanges(service, user, {}, ['Platform', platform.token]);
  assert.equal(done(own).changes.length, 1);
  const other = await service.platform();
  const stranger = await service.user(other);
  refused(await userChanges(service, user, {}, ['Platform', other.token]), 400, 'user_not_found');
  refused(await userChanges(service, user, {}, ['User', stranger.token]), 403, 'forbidden');
  refused(await userChanges(service, user, {}, ['User', platform.token]), 401, 'unauthorized');
  const foreign = { ...platform, token: other.token };
  refused(await platformChanges(service, foreign), 403, 'forbidden');
  const admin = ['Admin', await service.adminToken()] as const;
  refused(await userChanges(service, user, {}, admin), 401, 'unauthorized');
});

test('a number beyond the newest is refused with the newest; malformed ones like any field', async () => {
  const platform = await service.platform();
  const user = await service.user(platform);
  const beyond = await userChanges(service, user, { after: 2 });
  refused(beyond, 400, 'invalid_cursor', 'after');
  assert.deepEqual(beyond.error?.details, { last: 1 });
  const wrong: Record<string, string | number>[] = [
    { after: -1 },
    { after: 'x' },
    { limit: 0 },
    { limit: 1001 },
  ];
  for (const query of wrong) {
    refused(await userChanges(service, user, query), 400, 'invalid_field');
  }
  refused(await userChanges(service, user, { wait: 31 }), 400, 'invalid_field', 'wait');
  await db.transaction(async (tx) => {
    for (let n = 0; n < 2; n += 1) await insertFolder(tx, user); // two entries at one position
  });
  await settled(db);
  const { last } = done(await platformChanges(service, platform));
  const newest = readCursor(last);
  assert.equal(newest?.seq, 3);
  const next = writeCursor({ ...newest, seq: 4 });
  const far = Buffer.from(last, 'base64url');
  far.writeUInt8(1, 0);
  for (const cursor of ['x', next, `${last}A`, far.toString('base64url'), 'A'.repeat(43)]) {
    const answer = await platformChanges(service, platform, { after: cursor });
    if (cursor === 'A'.repeat(43)) assert.equal(done(answer).changes.length, 3);
    else {
      refused(answer, 400, 'invalid_cursor', 'after');
      assert.deepEqual(answer.error?.details, { last });
    }
  }
});

test('a platform reads the changes of all its users in pages, including deleted users', async () => {
  const platform = await service.platform();
  const [one, two] = [await service.user(platform), await service.user(platform)];
  await service.user();
  const first = one;
  await first.upload();
  await two.folder('a');
  await first.folder('b');
  const path = `/api/v1/users/${one.id}`;
  done(await service.client.delete(path, { as: ['User', one.token] }));
  await settled(db);
  const all = done(await platformChanges(service, platform));
  assert.deepEqual(
    all.changes.map((entry) => [entry.user_id, entry.seq, entryText(entry)]),
    [
      [one.id, 1, 'user created platform'],
      [two.id, 1, 'user created platform'],
      [one.id, 2, 'image created user'],
      [two.id, 2, 'folder created user'],
      [one.id, 3, 'folder created user'],
      [one.id, 4, 'user deleted user'],
    ],
  );
  const found = [];
  for (let after: string | undefined; ;) {
    const page = done(
      await platformChanges(service, platform, { limit: 2, ...(after && { after }) }),
    );
    found.push(...page.changes);
    after = page.last;
    if (!page.more) break;
  }
  assert.deepEqual(found, all.changes);
  const whole = done(await platformChanges(service, platform, { limit: found.length }));
  assert.deepEqual([whole.changes, whole.more], [all.changes, false]);
  const empty = await platformChanges(service, await service.platform(), { after: all.last });
  refused(empty, 400, 'invalid_cursor');
  refused(await userChanges(service, one), 401, 'token_revoked');
});

/** All of a platform's feed, as user and number. */
async function read(
  platform: Parameters<typeof platformChanges>[1],
  from: string | undefined,
): Promise<{ entries: string[]; last: string }> {
  const { changes, last } = done(
    await platformChanges(service, platform, from ? { after: from } : {}),
  );
  return { entries: changes.map(({ user_id, seq }) => `${user_id} ${seq}`), last };
}

test('the feed of a platform does not skip late commits', async () => {
  const platform = await service.platform();
  const [slow, fast] = [await service.user(platform), await service.user(platform)];
  await settled(db);
  const begun = await read(platform, undefined);
  const late = db.createQueryRunner();
  await late.startTransaction();
  await insertFolder(late, slow);
  await insertFolder(db, fast);
  // The open transaction has the lower number.
  const meanwhile = await read(platform, begun.last);
  assert.deepEqual(meanwhile.entries, []);
  assert.equal(done(await userChanges(service, fast, { after: 1 })).changes.length, 1);
  await late.commitTransaction();
  await late.release();
  await settled(db);
  const then = await read(platform, meanwhile.last);
  assert.deepEqual(then.entries, [`${slow.id} 2`, `${fast.id} 2`]);
});

test("an older transaction that waits for a user's row comes after the one it waited for", async () => {
  const platform = await service.platform();
  const [user, other] = [await service.user(platform), await service.user(platform)];
  await settled(db);
  const begun = await read(platform, undefined);
  const [older, newer] = [db.createQueryRunner(), db.createQueryRunner()];
  await older.startTransaction();
  await insertFolder(older, other); // assigns its number
  await newer.startTransaction();
  await insertFolder(newer, user);
  const waiting = insertFolder(older, user);
  await newer.commitTransaction();
  await waiting;
  assert.deepEqual((await read(platform, begun.last)).entries, []);
  await older.commitTransaction();
  await Promise.all([older.release(), newer.release()]);
  await settled(db);
  const { entries } = await read(platform, begun.last);
  assert.deepEqual(
    entries.filter((entry) => entry.startsWith(user.id)),
    [`${user.id} 2`, `${user.id} 3`],
  );
  assert.equal(entries.length, 3);
});

test('positions continue above those of a database restored from another cluster', async () => {
  const platform = await service.platform();
  const user = await service.user(platform);
  // As if these positions came from a cluster with many more transactions.
  await db.query('UPDATE users SET change_position = change_position + 1000000 WHERE id = $1', [
    user.id,
  ]);
  await db.query('UPDATE changes SET feed_position = feed_position + 1000000 WHERE user_id = $1', [
    user.id,
  ]);
  assert.deepEqual((await read(platform, undefined)).entries, []);
  await startFeedClock(db);
  await settled(db);
  const { entries, last } = await read(platform, undefined);
  assert.deepEqual(entries, [`${user.id} 1`]);
  const other = await service.user(platform);
  await insertFolder(db, user);
  await settled(db);
  assert.deepEqual((await read(platform, last)).entries, [`${other.id} 1`, `${user.id} 2`]);
  const clock = (): Promise<object[]> => rows(db, 'SELECT * FROM feed_clock');
  const before = await clock();
  await startFeedClock(db);
  assert.deepEqual(await clock(), before);
});
