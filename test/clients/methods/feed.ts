import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { FeedExpiredError } from '../../../clients/typescript/src/index.js';
import { expireChanges } from '../../../src/feed/changes/upkeep.js';
import { eventually } from '../../../testkit/eventually.js';
import { settled } from '../../../testkit/feeds.js';
import type { Network } from './network.js';

/** `changes()` and `snapshot()`. */
export function testFeed(network: Network): void {
  const { relay } = network;
  const { db } = network.service;

  describe('changes()', () => {
    test('follows across broken connections, each entry once and in order, until the loop is left', async () => {
      const album = await network.service.user();
      const { imgstore } = network.clientOf(album);
      const seen: number[] = [];
      for await (const { seq } of imgstore.changes(album.id)) {
        seen.push(seq);
        if (seq === 5) break;
        await relay.cut();
        await album.folder(`folder ${seq}`);
        await relay.reconnect();
      }
      assert.deepEqual(seen, [1, 2, 3, 4, 5]);
    });

    test('waits for entries, even across a broken connection, and ends when aborted', async () => {
      const album = await network.service.user();
      const [leave, reason] = [new AbortController(), new Error('left')];
      const how = { after: 1, signal: leave.signal };
      const { imgstore, count } = network.clientOf(album);
      const feed = imgstore.changes(album.id, how);
      const first = feed.next();
      await eventually('it is asked for', () => count.requests === 1);
      await relay.cut();
      await album.folder('a');
      await relay.reconnect();
      assert.equal((await first).value?.type, 'folder');
      const sent = count.requests;
      const second = feed.next();
      await eventually('it is asked for again', () => count.requests > sent);
      leave.abort(reason);
      await assert.rejects(second, reason);
    });

    test('ends after the current entries, and reports when entries are no longer kept', async () => {
      const album = await network.service.user();
      const { id } = album;
      await album.folder('a');
      const { imgstore } = network.clientOf(album);
      const read = async (after = 0) => {
        const entries = [];
        for await (const { seq } of imgstore.changes(id, { after, follow: false }))
          entries.push(seq);
        return entries;
      };
      assert.deepEqual([await read(), await read(1), await read(2)], [[1, 2], [2], []]);
      await assert.rejects(read(3), { name: 'ImgstoreError', code: 'invalid_cursor' });
      await db.query(
        `UPDATE changes SET at = at - interval '91 days' WHERE user_id = $1 AND seq = 1`,
        [id],
      );
      await expireChanges(db, { days: 90 });
      await assert.rejects(read(), (error: FeedExpiredError) => {
        assert.ok(error instanceof FeedExpiredError);
        assert.match(error.message, /Take a snapshot\(\)/);
        assert.deepEqual(error.details, { first: 2 });
        return true;
      });
    });
  });

  describe('platformChanges()', () => {
    test('follows all users across broken connections, each entry once, and resumes from a cursor', async () => {
      const platform = await network.service.platform();
      const users = [
        await network.service.user(platform),
        await network.service.user(platform),
      ] as const;
      const albums = users.map((user) => user);
      const { imgstore } = network.clientOf(platform, 20, 'Platform');
      const seen: string[] = [];
      let [after, more]: [string | undefined, number] = [undefined, 0];
      for await (const { user_id, seq, cursor } of imgstore.platformChanges(platform.id)) {
        seen.push(`${user_id} ${seq}`);
        if (seen.length === 6) after = cursor;
        if (seen.length === 6) break;
        if (seen.length < 2) continue;
        await relay.cut();
        await albums[more % 2]?.folder(`folder ${(more += 1)}`);
        await relay.reconnect();
      }
      await settled(db);
      const [a, b] = users.map(({ id }) => id);
      assert.deepEqual(seen, [`${a} 1`, `${b} 1`, `${a} 2`, `${b} 2`, `${a} 3`, `${b} 3`]);
      const read = async (from: string | undefined): Promise<string[]> => {
        const how = { follow: false, ...(from !== undefined && { after: from }) };
        const found = [];
        for await (const { user_id, seq } of imgstore.platformChanges(platform.id, how))
          found.push(`${user_id} ${seq}`);
        return found;
      };
      assert.deepEqual([await read(after), await read(undefined)], [[], seen]);
      await assert.rejects(read('x'), { name: 'ImgstoreError', code: 'invalid_cursor' });
    });

    test('gives no entry a cursor beyond entries that are still to come', async () => {
      const platform = await network.service.platform();
      const user = await network.service.user(platform);
      const album = user;
      await album.folder('a');
      await album.folder('b');
      await settled(db);
      const { imgstore } = network.clientOf(platform, 20, 'Platform');
      const how = { follow: false } as const;
      const [cursors, numbers] = [[] as (string | undefined)[], [] as number[]];
      for await (const { cursor } of imgstore.platformChanges(platform.id, how))
        cursors.push(cursor);
      assert.deepEqual(cursors.slice(0, 2), [undefined, undefined]);
      await album.folder('c');
      await settled(db);
      const later = { ...how, after: cursors[2] as string };
      for await (const { seq, cursor } of imgstore.platformChanges(platform.id, later)) {
        numbers.push(seq);
        assert.notEqual(cursor, cursors[2]);
      }
      assert.deepEqual(numbers, [4]);
    });

    test('reports when entries are no longer kept, and where to continue', async () => {
      const platform = await network.service.platform();
      const user = await network.service.user(platform);
      await user.folder('a');
      const { imgstore } = network.clientOf(platform, 20, 'Platform');
      await db.query(
        `UPDATE changes SET at = at - interval '91 days' WHERE user_id = $1 AND seq = 1`,
        [user.id],
      );
      await expireChanges(db, { days: 90 });
      await settled(db);
      const read = async (after?: string): Promise<number[]> => {
        const how = { follow: false, ...(after !== undefined && { after }) };
        const found = [];
        for await (const { seq } of imgstore.platformChanges(platform.id, how)) found.push(seq);
        return found;
      };
      let first = '';
      await assert.rejects(read(), (error: FeedExpiredError) => {
        assert.ok(error instanceof FeedExpiredError);
        assert.match(error.message, /after the beginning .*snapshot\(\) of each user/);
        first = (error.details as { first: string }).first;
        return true;
      });
      assert.deepEqual(await read(first), [2]);
    });
  });

  test('snapshot() returns everything, or fails if it was cut off', async () => {
    const album = await network.service.user();
    const { id } = album;
    await album.folder('a');
    const images = [await album.upload(), await album.upload()];
    const { imgstore } = network.clientOf(album);
    const read = async () => {
      const lines = [];
      for await (const line of imgstore.snapshot(id)) lines.push(line);
      return lines.map((line) => {
        if (line.type === 'image') return line.image.id;
        return line.type === 'folder' ? line.folder.title : line.last;
      });
    };
    const [last, title, ...ids] = await read();
    assert.deepEqual([last, title], [4, 'a']);
    assert.deepEqual(ids.toSorted(), images.map((image) => image.id).toSorted());
    await network.breaking(
      () => 3_500,
      () => assert.rejects(read(), { name: 'UnansweredError', message: /Start again/ }),
    );
  });
}
