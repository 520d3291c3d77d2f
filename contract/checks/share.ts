import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { done, nobody, refused } from '../../testkit/expect.js';
import { area } from '../harness.js';
import { postRaw } from './raw-body.js';
import type { Image } from '../../testkit/records.js';
import type { Member } from '../../testkit/world.js';

const path = '/images/share';

const postRepeated = (user: Member, name: string, ids: readonly string[]) => {
  const body = ids.map((id) => `${name}=${id}`).join('&');
  return postRaw(user, path, 'application/x-www-form-urlencoded', body);
};

/** Ways in which clients send a list of ids. */
const ways: Record<string, (user: Member, ids: string[]) => Promise<{ status: number }>> = {
  'a repeated field': (user, ids) => user.post(path, { image_ids: ids }),
  'image_ids[]': (user, ids) => user.post(path, { 'image_ids[]': ids }),
  'a comma-separated string': (user, ids) => user.post(path, { image_ids: ids.join(',') }),
  'a JSON array in a form': (user, ids) => user.post(path, { image_ids: JSON.stringify(ids) }),
  'a JSON body': (user, ids) => user.call('POST', path, { json: { image_ids: ids } }),
  'a URL-encoded form': (user, ids) =>
    user.call('POST', path, { urlencoded: { image_ids: ids.join(', ') } }),
  'a query': (user, ids) => user.call('POST', path, { query: { image_ids: ids.join(',') } }),
  'a repeated field of an urlencoded form': (user, ids) => postRepeated(user, 'image_ids', ids),
  'image_ids[] of an urlencoded form': (user, ids) => postRepeated(user, 'image_ids%5B%5D', ids),
  'image_ids[0] and image_ids[1]': (user, [a = '', b = '']) =>
    user.post(path, { 'image_ids[0]': a, 'image_ids[1]': b }),
  'one id': (user, [id = '']) => user.post(path, { image_ids: id }),
};

export const share = area('share', (check) => {
  check('shareImages', '§6.24 returns the images in the requested order, shared', async (world) => {
    const user = await world.user();
    const [a, b, c] = [await user.upload(), await user.upload(), await user.upload()];
    const asked = [c.id, a.id];
    const images = done(await user.post<Image[]>(path, { image_ids: asked }));
    assert.deepEqual(
      images.map(({ id }) => id),
      asked,
    );
    assert.ok(images.every(({ is_shared, filedatas }) => is_shared && filedatas === null));
    assert.deepEqual((await user.image(a.id)).is_shared, true);
    assert.deepEqual((await user.image(b.id)).is_shared, false);
  });

  for (const [what, send] of Object.entries(ways)) {
    check('shareImages', `§6.24 accepts image_ids as ${what}`, async (world) => {
      const user = await world.user();
      const images = [await user.upload(), await user.upload()];
      const { status } = await send(
        user,
        images.map(({ id }) => id),
      );
      assert.equal(status, 200);
      assert.equal((await user.image(images[0]?.id ?? '')).is_shared, true);
    });
  }

  check('shareImages', '§6.24 image_ids is required', async (world) => {
    const user = await world.user();
    for (const call of [
      {},
      { form: { image_ids: '' } },
      { json: { image_ids: [] } },
      { form: { image_ids: ' , ' } },
    ]) {
      refused(await user.call('POST', path, call), 400, 'missing_field', 'image_ids');
    }
  });

  check('shareImages', '§6.24 image_ids is a flat list', async (world) => {
    const user = await world.user();
    for (const call of [
      { json: { image_ids: { a: 1 } } },
      { json: { image_ids: [['a']] } },
      { json: { image_ids: { __proto__: null, x: 1 } } },
      { form: { image_ids: '["a"' } },
      { form: { image_ids: '['.repeat(50_000) } },
    ]) {
      refused(await user.call('POST', path, call), 400, 'invalid_field', 'image_ids');
    }
  });

  check('shareImages', '§1.6 an id in any case, or twice, is one image', async (world) => {
    const user = await world.user();
    const { id } = await user.upload({ message: 'hello' });
    const call = { form: { image_ids: [id.toUpperCase(), id] }, query: { with_memo: 'True' } };
    const images = done(await user.call<Image[]>('POST', path, call));
    assert.deepEqual(
      images.map((image) => [image.id, image.memos?.[0]?.message]),
      [[id, 'hello']],
    );
    assert.equal(done(await user.post<Image[]>(path, { image_ids: id }))[0]?.is_shared, true);
  });

  check(
    'shareImages',
    '§6.24 with an image that is not the user’s nothing changes, and such images are listed',
    async (world) => {
      const [user, other] = [await world.user(), await world.user()];
      const [own, foreign] = [await user.upload(), await other.upload()];
      const gone = await user.trash(await user.upload());
      const image_ids = [own.id, gone.id, foreign.id, nobody, 'no-uuid'];
      const answer = await user.post(path, { image_ids });
      refused(answer, 400, 'image_not_found', 'image_ids');
      assert.deepEqual(answer.error?.details, [
        { image_id: gone.id, code: 'image_in_trash' },
        ...[foreign.id, nobody, 'no-uuid'].map((image_id) => ({
          image_id,
          code: 'image_not_found',
        })),
      ]);
      assert.equal((await user.image(own.id)).is_shared, false);
      assert.equal((await other.image(foreign.id)).is_shared, false);
    },
  );

  check('shareImages', '§6.24 images in the trash cannot be shared', async (world) => {
    const user = await world.user();
    const [kept, gone] = [await user.upload(), await user.trash(await user.upload())];
    const answer = await user.post(path, { image_ids: [kept.id, gone.id] });
    refused(answer, 400, 'image_in_trash', 'image_ids');
    assert.deepEqual(answer.error?.details, [{ image_id: gone.id, code: 'image_in_trash' }]);
    assert.equal((await user.image(kept.id)).is_shared, false);
  });

  check('shareImages', '§6.24 up to 1,000 per request', async (world) => {
    const user = await world.user();
    const ids = Array.from({ length: 1001 }, () => randomUUID());
    for (const tooMany of [ids, ids.fill(nobody, 1)]) {
      const answer = await user.call('POST', path, { json: { image_ids: tooMany } });
      refused(answer, 400, 'invalid_field', 'image_ids');
    }
    const most = Array.from({ length: 1000 }, () => randomUUID());
    const unknown = await user.call('POST', path, { json: { image_ids: most } });
    refused(unknown, 400, 'image_not_found');
    assert.equal((unknown.error?.details as unknown[]).length, 1000);
  });
});
