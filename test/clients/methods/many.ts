import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { newFile, type Network } from './network.js';

/** `batch`, `days`, `archive` and `ledger`. */
export function testMany(network: Network): void {
  const { relay } = network;

  describe('many images', () => {
    test('are changed once, counted and packed, over a network that loses answers', async () => {
      const user = await network.service.user();
      const { imgstore } = network.clientOf(user);
      const { id } = await imgstore.upload(user.id, await newFile());
      relay.mode = 'drop-answers';
      const done = await imgstore.batch(user.id, {
        image_ids: [id],
        message: 'seen',
        has_det: 'True',
      });
      assert.deepEqual([done.count, done.changed, done.unchanged], [1, [id], []]);
      const { memos, has_det } = await user.image(id, { with_memo: 'True' });
      assert.deepEqual([memos?.length, has_det], [1, true]);
      relay.mode = 'drop-answers';
      const { days, total_count } = await imgstore.days(user.id, { has_delete_at: 'False' });
      assert.deepEqual([days.map(({ count }) => count), total_count], [[1], 1]);
      relay.mode = 'drop-answers';
      const { url, count, bytes } = await imgstore.archive(user.id, { image_ids: [id] });
      assert.equal(count, 1);
      const zip = await fetch(url);
      assert.equal((await zip.arrayBuffer()).byteLength, bytes);
      relay.mode = 'drop-answers';
      const wanted = { located: 'False' as const, layout: 6, fields: ['number', 'custom:Floor'] };
      const { url: pdf, pages } = await imgstore.ledger(user.id, { ...wanted, title: 'seen' });
      assert.deepEqual([pages, (await fetch(pdf)).status], [2, 200]);
    });
  });
}
