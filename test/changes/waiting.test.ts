import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { PlatformFeed, UserFeed } from '../../src/feed/changes/schemas.js';
import { rows } from '../../src/database/sql.js';
import type { Call } from '../../testkit/client.js';
import { eventually } from '../../testkit/eventually.js';
import { done, refused } from '../../testkit/expect.js';
import { platformChanges, entryText, userChanges } from '../../testkit/feeds.js';
import { EventReader } from '../../testkit/event-reader.js';
import { ownService, testService } from '../../testkit/service.js';
import type { Member } from '../../testkit/world.js';

const service = await testService();
const other = await service.secondNode();

const events = (user: Member, headers: Record<string, string> = {}, query = '') =>
  EventReader.open(`${service.client.base}/api/v1/users/${user.id}/changes${query}`, {
    authorization: `User ${user.token}`,
    ...headers,
  });

test('a waiting reader is woken by a change on any node, also of a platform', async () => {
  const platform = await service.platform();
  const user = await service.user(platform);
  const album = user;
  const { last } = done(await platformChanges(service, platform, { wait: 30 }));
  const waiting = [
    userChanges(service, user, { after: 1, wait: 30 }),
    other.get<UserFeed>(`/api/v1/users/${user.id}/changes`, {
      as: ['User', user.token],
      query: { after: 1, wait: 30 },
    }),
    platformChanges(service, platform, { after: last, wait: 30 }),
  ];
  await album.folder('a');
  for (const answer of waiting) {
    const { changes } = done<UserFeed | PlatformFeed>(await answer);
    assert.deepEqual(changes.map(entryText), ['folder created user']);
  }
});

test('a waiting reader gets an empty page when the time is over', async () => {
  const user = await service.user();
  const page = done(await userChanges(service, user, { after: 1, wait: 1 }));
  assert.deepEqual(page, { changes: [], last: 1, more: false });
});

test('64 readers wait for the changes of a user; those who disconnect leave their places', async () => {
  const [user, neighbour] = [await service.user(), await service.user()];
  const path = `/api/v1/users/${user.id}/changes`;
  const as = ['User', user.token] as const;
  // Its wait begins before those of the others: while it lasts, none of theirs is over by itself.
  const witness = userChanges(service, neighbour, { after: 1, wait: 30 });
  const leave = new AbortController();
  const crowd = Array.from({ length: 65 }, () =>
    service.client
      .raw('GET', path, { as, query: { after: 1, wait: 30 }, signal: leave.signal })
      .then(({ status }) => status)
      .catch(() => 'gone'),
  );
  assert.equal(await Promise.race(crowd), 429);
  leave.abort();
  const left = await Promise.all(crowd);
  assert.deepEqual(left.sort(), [429, ...Array<string>(64).fill('gone')]);
  await eventually('all places are free', async () => {
    const call = { as, query: { after: 1, wait: 1 } };
    const answers = Array.from({ length: 64 }, () => service.client.get(path, call));
    const statuses = new Set((await Promise.all(answers)).map(({ status }) => status));
    return statuses.size === 1 && statuses.has(200);
  });
  await neighbour.folder('for the witness');
  assert.equal(done(await witness).changes.length, 1, 'it waited until then');
});

test('whoever only names a user takes none of the places in which the user waits', async () => {
  const [user, stranger] = [await service.user(), await service.platform()];
  const path = `/api/v1/users/${user.id}/changes`;
  const query = { after: 1, wait: 30 };
  // While no page can be read, whoever has a place keeps it.
  const runner = service.db.createQueryRunner();
  await runner.startTransaction();
  try {
    await runner.query('LOCK TABLE changes IN ACCESS EXCLUSIVE MODE');
    const named = Array.from({ length: 64 }, (_, n) =>
      service.client.get(path, {
        as: ['Platform', stranger.token],
        query,
        headers: n % 2 === 0 ? {} : { accept: 'text/event-stream' },
      }),
    );
    for (const answer of await Promise.all(named)) refused(answer, 400, 'user_not_found');
  } finally {
    await runner.rollbackTransaction();
    await runner.release();
  }
});

test('readers of the platform take none of the places of the user whose changes they wait for', async () => {
  const platform = await service.platform();
  const user = await service.user(platform);
  const path = `/api/v1/users/${user.id}/changes`;
  const query = { after: 1, wait: 30 };
  const leave = new AbortController();
  const crowd = Array.from({ length: 65 }, () =>
    service.client
      .raw('GET', path, { as: ['Platform', platform.token], query, signal: leave.signal })
      .then(({ status }) => status)
      .catch(() => 'gone'),
  );
  assert.equal(await Promise.race(crowd), 429, 'the crowd is at its limit');
  done(await userChanges(service, user, { after: 1, wait: 1 }));
  leave.abort();
  await Promise.all(crowd);
});

test('events are sent as they happen, and resume after the last known one', async () => {
  const user = await service.user();
  const album = user;
  const stream = await events(user, { accept: 'text/event-stream' });
  assert.match(stream.response.headers.get('content-type') ?? '', /^text\/event-stream/);
  assert.equal(stream.response.headers.get('x-accel-buffering'), 'no');
  assert.equal((await stream.next()).id, '1');
  await album.folder('a');
  const { id, data } = await stream.next();
  assert.equal(id, '2');
  const listed = done(await userChanges(service, user, { after: 1 })).changes[0];
  assert.deepEqual(JSON.parse(data), listed);
  stream.close();
  await album.folder('b');
  const more = { accept: 'text/event-stream', 'last-event-id': '2' };
  const again = await events(user, more, '?after=0');
  assert.equal((await again.next()).id, '3');
  await album.folder('c');
  assert.equal((await again.next()).id, '4');
  again.close();
  const wrong = await events(user, { ...more, 'last-event-id': 'x' });
  assert.equal(wrong.response.status, 400);
  const beyond = await events(user, { ...more, 'last-event-id': '99' });
  assert.equal(beyond.response.status, 400);
});

test('events of a platform carry its cursors', async () => {
  const platform = await service.platform();
  const user = await service.user(platform);
  const url = `${service.client.base}/api/v1/platforms/${platform.id}/changes`;
  const headers = { authorization: `Platform ${platform.token}`, accept: 'text/event-stream' };
  const stream = await EventReader.open(url, headers);
  const first = await stream.next();
  assert.equal((JSON.parse(first.data) as { user_id: string }).user_id, user.id);
  stream.close();
  await user.folder('a');
  const again = await EventReader.open(url, { ...headers, 'last-event-id': first.id });
  assert.equal((JSON.parse((await again.next()).data) as { seq: number }).seq, 2);
  again.close();
});

test('a stopping service answers waiting readers', async () => {
  const stopping = await ownService({ after });
  const user = await stopping.user();
  const waiting = userChanges(stopping, user, { after: 1, wait: 30 });
  await userChanges(stopping, user, { after: 1, wait: 1 });
  const url = `${stopping.client.base}/api/v1/users/${user.id}/changes`;
  const headers = { authorization: `User ${user.token}`, accept: 'text/event-stream' };
  const stream = await EventReader.open(url, headers);
  await stream.next();
  await stopping.service.drain();
  assert.deepEqual(done(await waiting).changes, []);
  assert.equal(await stream.ended(), true);
});

test('a stopping service closes its database after the work of disconnected clients', async (t) => {
  const stopping = await ownService({ after });
  const user = await stopping.user();
  const warnings: string[] = [];
  const warned = ({ message }: Error): void => void warnings.push(message);
  process.on('warning', warned);
  t.after(() => process.off('warning', warned));
  const leave = new AbortController();
  const left = (method: string, path: string, call: Call): Promise<unknown> =>
    stopping.client
      .raw(method, `/api/v1/users/${user.id}/${path}`, {
        ...call,
        as: ['User', user.token],
        signal: leave.signal,
      })
      .catch(() => undefined);
  const { stopped } = await stopping.db.transaction(async (tx) => {
    await tx.query('SELECT FROM users WHERE id = $1 FOR UPDATE', [user.id]);
    const query = { after: 1, wait: 30 };
    const gone = Array.from({ length: 60 }, () => left('GET', 'changes', { query }));
    gone.push(left('POST', 'folders', { form: { title: 'left behind' } }));
    await eventually('the change waits for the user', async () => {
      const waiting = `SELECT FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock'`;
      return (await rows(stopping.db, waiting)).length > 0;
    });
    leave.abort();
    await Promise.all(gone);
    const stopped = stopping.service.stop();
    await eventually('nobody listens', () =>
      fetch(stopping.client.base).then(
        () => false,
        () => true,
      ),
    );
    return { stopped };
  });
  await stopped;
  const found = await rows(stopping.db, 'SELECT title FROM folders WHERE user_id = $1', [user.id]);
  assert.deepEqual(found, [{ title: 'left behind' }]);
  assert.deepEqual(warnings, []);
});
