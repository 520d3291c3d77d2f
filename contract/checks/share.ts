import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { done, nobody, refused } from '../../testkit/expect.js';
import { area } from '../harness.js';
import type { Image } from '../../testkit/records.js';
import type { Member } from '../../testkit/world.js';

const path = '/images/share';

/** Ways in which clients send a list of ids. */
const ways: Record<string, (user: Member, ids: string[]) => Promise<{ status: number }>> = {
  'a repeated field': (user, ids) => user.post(path, { image_ids: ids }),
  'image_ids[]': (user, ids) => user.post(path, { 'image_ids[]': ids }),
  'a comma-separated string': (user, ids) => user.post(path, { image_ids: ids.join(',') }),
  'a JSON array in a form': (user, ids) => user.post(path, { image_ids: JSON.stringify(ids) }),
  'a JSON body': (user, ids) => user.call('POST', path, { json: { image_ids: ids } }),
  'an urlencoded form': (user, ids) =>
    user.call('POST', path, { urlencoded: { image_ids: ids.join(',') } }),
  'one id': (user, [id = '']) => user.post(path, { image_ids: id }),
};

export const share = area('share', (check) => {
  check('shareImages', '§6 answers the images in the order asked, shared', async (world) => {
    const user = await world.user();
    const [a, b, c] = [await user.upload(), await user.upload(), await user.upload()];
    const asked = [c.id, a.id];
    const images = done(await user.post<Image[]>(path, { image_ids: asked }));
    assert.deepEqual(
      images.map(({ id }) => id),
      asked,
    );
    assert.ok(images.every(({ is_shared }) => is_shared));
    assert.deepEqual((await user.image(a.id)).is_shared, true);
    assert.deepEqual((await user.image(b.id)).is_shared, false);
  });

  for (const [what, send] of Object.entries(ways)) {
    check('shareImages', `§6 takes image_ids as ${what}`, async (world) => {
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

  check('shareImages', '§6 image_ids is required', async (world) => {
    const user = await world.user();
    refused(await user.post(path), 400, 'missing_field', 'image_ids');
    const empty = await user.call('POST', path, { json: { image_ids: [] } });
    refused(empty, 400, ['missing_field', 'invalid_field'], 'image_ids');
  });

  check(
    'shareImages',
    '§6 all are the user’s, or nothing changes and offenders are listed',
    async (world) => {
      const [user, other] = [await world.user(), await world.user()];
      const [own, foreign] = [await user.upload(), await other.upload()];
      const strangers = [foreign.id, nobody];
      const answer = await user.post(path, { image_ids: [own.id, ...strangers] });
      refused(answer, 400, 'image_not_found');
      const details = JSON.stringify(answer.error?.details);
      assert.ok(
        strangers.every((id) => details.includes(id)) && !details.includes(own.id),
        details,
      );
      assert.equal((await user.image(own.id)).is_shared, false);
      assert.equal((await other.image(foreign.id)).is_shared, false);
    },
  );

  check('shareImages', '§6 none of them is in the trash', async (world) => {
    const user = await world.user();
    const [kept, gone] = [await user.upload(), await user.trash(await user.upload())];
    const answer = await user.post(path, { image_ids: [kept.id, gone.id] });
    refused(answer, 400, 'image_in_trash');
    assert.ok(JSON.stringify(answer.error?.details).includes(gone.id));
    assert.equal((await user.image(kept.id)).is_shared, false);
  });

  check('shareImages', '§6 up to 1,000 at once', async (world) => {
    const ids = Array.from({ length: 1001 }, () => randomUUID()).join(',');
    const user = await world.user();
    refused(await user.post(path, { image_ids: ids }), 400, 'invalid_field', 'image_ids');
  });
});
