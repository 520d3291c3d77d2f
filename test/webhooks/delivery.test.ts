import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import type { WebhookRecord, WebhookWithSecret } from '../../src/feed/webhooks/schemas.js';
import { rows } from '../../src/database/sql.js';
import { eventually } from '../../testkit/eventually.js';
import { done } from '../../testkit/expect.js';
import { platformChanges, settled } from '../../testkit/feeds.js';
import { seedSeries } from '../../testkit/image-rows.js';
import { answer, assertWhole, Receiver, sequences, verifySigned } from '../../testkit/receiver.js';
import type { Image } from '../../testkit/records.js';
import type { Scope } from '../../testkit/scope.js';
import { ownService } from '../../testkit/service.js';
import { hook, hookCall, makeDue, loopbackAllowed, upkeepOf } from '../../testkit/webhooks.js';
import type { Member, Tenant } from '../../testkit/world.js';

const service = await ownService({ after }, loopbackAllowed);
const { db } = service;

interface World {
  readonly platform: Tenant;
  readonly receiver: Receiver;
  readonly newAlbum: () => Promise<Member>;
  /** Creates a webhook that sends to the receiver. */
  readonly newHook: (fields?: Record<string, string>) => Promise<WebhookWithSecret>;
  readonly state: (id: string) => Promise<WebhookRecord>;
}

/** A platform and a receiver for one test. */
async function world(scope: Scope): Promise<World> {
  const platform = await service.platform();
  const receiver = await Receiver.start(scope);
  return {
    platform,
    receiver,
    newAlbum: async () => await service.user(platform),
    newHook: async (fields) => {
      await settled(db); // or it might begin before entries that older transactions hold back
      return hook(service, platform, { url: receiver.url, ...fields });
    },
    state: async (id) => done(await hookCall(service, platform, ['GET', `/${id}`])),
  };
}

describe('delivery', () => {
  test('for a suspended platform waits until it is resumed', async (t) => {
    const [suspended, other] = [await world(t), await world(t)];
    const album = await suspended.newAlbum();
    const another = await other.newAlbum();
    await suspended.newHook();
    await other.newHook();
    const { platforms } = service.service.tenants;
    await platforms.suspend(suspended.platform.id, true);
    const [id] = await seedSeries(service, album);
    for (const n of [1, 2]) {
      await another.upload();
      await other.receiver.has(n); // so that delivery has been attempted twice
    }
    assert.deepEqual(suspended.receiver.received, []);
    await platforms.suspend(suspended.platform.id, false);
    const [event] = await suspended.receiver.has(1);
    assert.equal(event?.data.id, id);
  });

  test('sends what changed, signed, with the record of an image', async (t) => {
    const { receiver, newAlbum, newHook } = await world(t);
    const album = await newAlbum();
    await album.upload();
    const { secret } = await newHook();
    const image = await album.upload();
    const [event] = await receiver.has(1);
    assert.ok(event);
    verifySigned(event, secret);
    assert.equal(event.type, 'image.created');
    assert.ok(Date.parse(event.timestamp) > 0);
    assert.match(event.id, /^msg_[0-9a-f-]{36}$/);
    const { user_id, seq, id, record } = event.data;
    assert.deepEqual([user_id, seq, id], [album.id, 3, image.id]);
    const read = await album.image(image.id);
    assert.deepEqual(Object.keys(record ?? {}).sort(), Object.keys(read).sort());
    assert.equal(record?.id, image.id);
    assert.equal((await fetch(String(record?.org_path_url))).status, 200);
    assert.equal(event.headers['content-type'], 'application/json');
    assert.match(event.headers['user-agent'] ?? '', /^imgstore\//);
    assert.deepEqual(Object.keys(event.data), [
      'user_id',
      'seq',
      'at',
      'type',
      'id',
      'action',
      'actor',
      'record',
    ]);
  });

  test('sends only the selected types, including deletions', async (t) => {
    const { receiver, newAlbum, newHook } = await world(t);
    const album = await newAlbum();
    const image = await album.upload();
    await newHook({ types: 'image.trashed,user.deleted' });
    await album.folder('not told');
    await album.put<Image>(`/images/${image.id}`, { delete: 'True' });
    const as = ['User', album.token] as const;
    done(await service.client.delete(`/api/v1/users/${album.id}`, { as }));
    const events = await receiver.has(2);
    assert.deepEqual(
      events.map(({ type }) => type),
      ['image.trashed', 'user.deleted'],
    );
    assert.ok(!('record' in (events[1]?.data ?? {})));
  });

  test('sends everything in order and one at a time per user, even if the receiver often fails', async (t) => {
    const { receiver, newAlbum, newHook, state } = await world(t);
    const albums = await Promise.all([newAlbum(), newAlbum(), newAlbum()]);
    const { id } = await newHook();
    let n = 0;
    receiver.answering = (event, response) =>
      answer((n += 1) % 3 === 1 ? 500 : 200)(event, response);
    const each = 15;
    await Promise.all(
      albums.map(async (album) => {
        for (let title = 0; title < each; title += 1) await album.folder(`f${title}`);
      }),
    );
    const succeeded = () => [...sequences(receiver.received).values()].flat().length;
    await eventually('all are there', async () => {
      await makeDue(db);
      return succeeded() >= albums.length * each;
    });
    for (const user of albums) assertWhole(receiver.received, user.id, [2, each + 1]);
    assert.equal(receiver.maxOpenPerUser, 1);
    // A retry has the same id and precedes later events.
    const numbers = receiver.received
      .filter(({ data }) => data.user_id === albums[0].id)
      .map(({ data }) => data.seq);
    assert.deepEqual(
      numbers,
      numbers.toSorted((a, b) => a - b),
    );
    assert.ok(new Set(receiver.received.map((event) => event.id)).size < receiver.received.length);
    assert.equal((await state(id)).state, 'active');
  });

  test('resumes where it was after the receiver was down', async (t) => {
    const { receiver, newAlbum, newHook } = await world(t);
    const album = await newAlbum();
    const { port } = receiver;
    await newHook();
    await album.folder('a');
    await receiver.has(1);
    const undelivered = 'SELECT FROM webhook_lanes WHERE user_id = $1 AND seq <= last';
    await eventually('its success is recorded', async () => {
      return (await rows(db, undelivered, [album.id])).length === 0;
    });
    await receiver.stop();
    for (const title of ['b', 'c', 'd']) await album.folder(title);
    await eventually('it was tried', async () => {
      const lanes = await rows<{ failures: number }>(
        db,
        'SELECT failures FROM webhook_lanes WHERE user_id = $1',
        [album.id],
      );
      return (lanes[0]?.failures ?? 0) > 0;
    });
    const again = await Receiver.start(t, port);
    await eventually('the rest comes', async () => {
      await makeDue(db);
      return again.received.length >= 3;
    });
    assertWhole(again.received, album.id, [3, 5]);
  });

  test("one user's failing entry does not delay other users", async (t) => {
    const { receiver, newAlbum, newHook } = await world(t);
    const [stuck, other] = [await newAlbum(), await newAlbum()];
    await newHook();
    receiver.answering = (event, response) =>
      answer(event.data.user_id === stuck.id ? 503 : 200)(event, response);
    await stuck.folder('a');
    await stuck.folder('b');
    for (const title of ['a', 'b', 'c']) await other.folder(title);
    await receiver.has(4);
    assertWhole(receiver.received, other.id, [2, 4]);
    assert.deepEqual(sequences(receiver.received).get(stuck.id), [2]);
  });

  test('pauses at once if the receiver answers 410, and resumes', async (t) => {
    const { platform, receiver, newAlbum, newHook, state } = await world(t);
    const album = await newAlbum();
    const { id } = await newHook();
    receiver.answering = answer(410);
    await album.folder('a');
    await eventually('it is paused', async () => (await state(id)).state === 'paused');
    assert.match((await state(id)).paused_reason ?? '', /410/);
    await album.folder('b');
    receiver.answering = answer(200);
    receiver.received.length = 0;
    done(await hookCall(service, platform, ['POST', `/${id}/resume`]));
    await receiver.has(2);
    assertWhole(receiver.received, album.id, [2, 3]);
  });

  test('pauses after the last of ten attempts, and says why', async (t) => {
    const { receiver, newAlbum, newHook, state } = await world(t);
    const album = await newAlbum();
    const { id } = await newHook();
    receiver.answering = answer(500);
    await album.folder('a');
    await eventually('it is paused', async () => {
      await makeDue(db);
      return (await state(id)).state === 'paused';
    });
    assert.equal(receiver.received.length, 10);
    assert.equal(new Set(receiver.received.map((event) => event.id)).size, 1);
    const reason = (await state(id)).paused_reason ?? '';
    assert.match(reason, /^10 attempts to send msg_[0-9a-f-]+ failed: the receiver answered 500$/);
  });

  test('delivers the entries made while it was paused', async (t) => {
    const { platform, receiver, newAlbum, newHook } = await world(t);
    const album = await newAlbum();
    const { id } = await newHook();
    await album.folder('a');
    await receiver.has(1);
    done(await hookCall(service, platform, ['POST', `/${id}/pause`]));
    for (const title of ['b', 'c']) await album.folder(title);
    done(await hookCall(service, platform, ['POST', `/${id}/resume`]));
    await receiver.has(3);
    assertWhole(receiver.received, album.id, [2, 4]);
  });

  test('signs with both secrets after a rotation', async (t) => {
    const { platform, receiver, newAlbum, newHook } = await world(t);
    const album = await newAlbum();
    const { id, secret: old } = await newHook();
    const path = ['POST', `/${id}/rotate`] as const;
    const { secret } = done(await hookCall<WebhookWithSecret>(service, platform, path));
    await album.folder('a');
    const [both] = await receiver.has(1);
    assert.ok(both);
    verifySigned(both, old);
    verifySigned(both, secret);
    await db.query(`UPDATE webhooks SET rotated_at = now() - interval '25 hours' WHERE id = $1`, [
      id,
    ]);
    await album.folder('b');
    const latest = (await receiver.has(2))[1];
    assert.ok(latest);
    verifySigned(latest, secret);
    assert.throws(() => verifySigned(latest, old));
  });

  test('does not skip entries added to a lane while a success is recorded', async (t) => {
    const { receiver, newAlbum, newHook } = await world(t);
    const album = await newAlbum();
    const { id } = await newHook();
    let finish = (): void => undefined;
    const held = new Promise<void>((resolve) => (finish = resolve));
    receiver.answering = async (event, response) => {
      await held;
      answer(204)(event, response);
    };
    await album.folder('a');
    await receiver.has(1);
    await db.transaction(async (tx) => {
      await tx.query('SELECT FROM webhooks WHERE id = $1 FOR NO KEY UPDATE', [id]);
      await tx.query('SELECT FROM webhook_lanes WHERE webhook_id = $1 FOR UPDATE', [id]);
      finish();
      const waiting = `SELECT FROM pg_stat_activity WHERE datname = current_database()
        AND wait_event_type = 'Lock' AND query LIKE '%webhook_deliveries%'`;
      await eventually('it waits', async () => (await rows(db, waiting)).length > 0);
      await album.folder('b'); // not visible to the waiting statement
      await tx.query('UPDATE webhook_lanes SET last = 3 WHERE webhook_id = $1', [id]);
      await tx.query(
        `UPDATE webhooks w SET (feed_position, user_id, seq) = (
           SELECT c.feed_position, c.user_id, c.seq FROM changes c WHERE c.user_id = $2 AND c.seq = 3
         ) WHERE w.id = $1`,
        [id, album.id],
      );
    });
    await receiver.has(2);
    assertWhole(receiver.received, album.id, [2, 3]);
  });

  test('a replay sends the same sequence again, even with deliveries in progress', async (t) => {
    const { platform, receiver, newAlbum, newHook } = await world(t);
    const albums = await Promise.all([newAlbum(), newAlbum()]);
    await settled(db);
    const { last } = done(await platformChanges(service, platform));
    const { id } = await newHook();
    const total = 24;
    for (let n = 0; n < total; n += 1) await albums[n % 2]?.folder(`f${n}`);
    await receiver.has(total);
    const replay = (after?: string) => upkeepOf(service).replay(id, after);
    const first = sequences(receiver.received);
    receiver.received.length = 0;
    await replay(last);
    await receiver.has(total);
    assert.deepEqual(sequences(receiver.received), first);

    // Starts a replay from the beginning during another one.
    receiver.received.length = 0;
    await replay(last);
    await receiver.has(5);
    await replay();
    await eventually('the lanes are empty', async () => {
      const open = await rows(
        db,
        'SELECT FROM webhook_lanes WHERE webhook_id = $1 AND seq <= last',
        [id],
      );
      const numbers = receiver.received.filter(({ data }) => data.seq === 13);
      return open.length === 0 && numbers.length >= 2;
    });
    for (const user of albums) {
      const numbers = receiver.received
        .filter(({ data }) => data.user_id === user.id)
        .map(({ data }) => data.seq);
      const begin = numbers.lastIndexOf(1);
      assert.deepEqual(
        numbers.slice(begin),
        Array.from({ length: total / 2 + 1 }, (_, n) => n + 1),
      );
    }
  });
});
