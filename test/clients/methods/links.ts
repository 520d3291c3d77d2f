import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Visitor } from '../../../testkit/links.js';
import { newFile, type Network } from './network.js';

/** `links`. */
export function testLinks(network: Network): void {
  const { relay } = network;

  describe('links', () => {
    test('are made once, shown, paused and ended, over a network that loses answers', async () => {
      const user = await network.service.user();
      const { imgstore, count } = network.clientOf(user);
      const { id: image } = await imgstore.upload(user.id, await newFile());
      relay.mode = 'drop-answers';
      const link = await imgstore.links.create(user.id, {
        kind: 'view',
        image_ids: [image],
        title: '3동 누수',
        allow_download: 'True',
      });
      assert.deepEqual(
        [link.kind, link.image_ids, link.title, link.allow_download, link.state],
        ['view', [image], '3동 누수', true, 'active'],
      );
      const visitor = new Visitor(network.service.client, new URL(link.url ?? '').pathname);
      assert.equal(await visitor.page(), 200);

      const known = await imgstore.links.get(user.id, link.id);
      assert.deepEqual([known.id, known.url, known.visits], [link.id, link.url, 1]);
      const { id: second } = await imgstore.links.create(user.id, {
        kind: 'view',
        image_ids: [image],
      });
      const listed = await imgstore.links.list(user.id);
      assert.deepEqual(
        listed.map(({ id }) => id),
        [second, link.id],
      );

      const paused = await imgstore.links.update(user.id, link.id, { state: 'paused' });
      assert.equal(paused.state, 'paused');
      assert.equal(await visitor.page(), 410);
      await imgstore.links.update(user.id, link.id, { state: 'active', password: '열쇠' });
      assert.equal(await visitor.page(), 200);

      const before = count.requests;
      relay.mode = 'drop-answers';
      assert.equal((await imgstore.links.end(user.id, link.id)).id, link.id);
      assert.equal(count.requests - before, 2);
      assert.equal(await visitor.page(), 410);
      assert.deepEqual((await imgstore.links.list(user.id)).length, 1);
    });

    test('return the same URL to a repeat with the same key', async () => {
      const user = await network.service.user();
      const folder = await network.clientOf(user).imgstore.POST('/api/v1/users/{user_id}/folders', {
        params: { path: { user_id: user.id } },
        body: { title: '현장' },
      });
      const folder_id = folder.data?.result.id ?? '';
      const make = () => {
        const { links } = network.clientOf(user).imgstore;
        return links.create(user.id, { kind: 'request', folder_id }, { key: 'one' });
      };
      const [one, two] = [await make(), await make()];
      assert.ok(one.url !== null && one.url === two.url);
    });

    test("are refused with reasons, and others' are not found", async () => {
      const [user, other] = [await network.service.user(), await network.service.user()];
      const { links } = network.clientOf(user).imgstore;
      const refused = (code: string, field?: string) => ({ name: 'ImgstoreError', code, field });
      await assert.rejects(
        links.create(user.id, { kind: 'view', image_ids: [], expires_at: '20200101_000000' }),
        { name: 'ImgstoreError', code: 'invalid_field' },
      );
      await assert.rejects(links.get(user.id, user.id), refused('link_not_found'));
      const { id: image } = await network
        .clientOf(other)
        .imgstore.upload(other.id, await newFile());
      const link = await network
        .clientOf(other)
        .imgstore.links.create(other.id, { kind: 'view', image_ids: [image] });
      await assert.rejects(links.end(other.id, link.id), refused('forbidden'));
      await assert.rejects(links.end(user.id, link.id), refused('link_not_found'));
    });
  });
}
