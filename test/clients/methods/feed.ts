import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { FeedExpiredError } from '../../../clients/typescript/src/index.js';
import { expireChanges } from '../../../src/changes/expiry.js';
import { Album } from '../../../testkit/album.js';
import { eventually } from '../../../testkit/eventually.js';
import type { Network } from './network.js';

/** `changes()` and `snapshot()`. */
export function testFeed(network: Network): void {
  const { relay } = network;

  describe('changes()', () => {
    test('follows over breaks, each entry once and in order, until it is left', async () => {
      const album = await Album.of(network.service);
      const { imgstore } = network.clientOf(album.user);
      const seen: number[] = [];
      for await (const { seq } of imgstore.changes(album.user.id)) {
        seen.push(seq);
        if (seq === 5) break;
        await relay.cut();
        await album.folder(`folder ${seq}`);
        await relay.reconnect();
      }
      assert.deepEqual(seen, [1, 2, 3, 4, 5]);
    });

    test('waits for what comes, over a break too, and ends when it is told to', async () => {
      const album = await Album.of(network.service);
      const [leave, reason] = [new AbortController(), new Error('left')];
      const how = { after: 1, signal: leave.signal };
      const { imgstore, count } = network.clientOf(album.user);
      const feed = imgstore.changes(album.user.id, how);
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

    test('ends with what is there, and says when it is no longer kept', async () => {
      const album = await Album.of(network.service);
      const { id } = album.user;
      await album.folder('a');
      const { imgstore } = network.clientOf(album.user);
      const read = async (after = 0) => {
        const entries = [];
        for await (const { seq } of imgstore.changes(id, { after, follow: false }))
          entries.push(seq);
        return entries;
      };
      assert.deepEqual([await read(), await read(1), await read(2)], [[1, 2], [2], []]);
      await assert.rejects(read(3), { name: 'ImgstoreError', code: 'invalid_cursor' });
      await network.service.db.query(
        `UPDATE changes SET at = at - interval '91 days' WHERE user_id = $1 AND seq = 1`,
        [id],
      );
      await expireChanges(network.service.db, { days: 90 });
      await assert.rejects(read(), (error: FeedExpiredError) => {
        assert.ok(error instanceof FeedExpiredError);
        assert.match(error.message, /Take a snapshot\(\)/);
        assert.deepEqual(error.details, { first: 2 });
        return true;
      });
    });
  });

  test('snapshot() tells all there is, or that it broke off', async () => {
    const album = await Album.of(network.service);
    const { id } = album.user;
    await album.folder('a');
    const images = [await album.upload(), await album.upload()];
    const { imgstore } = network.clientOf(album.user);
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
      () => assert.rejects(read(), { name: 'UnansweredError', message: /Begin again/ }),
    );
  });
}
