import assert from 'node:assert/strict';
import { done, hasFields, nobody, refused } from '../../testkit/expect.js';
import { area } from '../harness.js';

export const oneImage = area('one image', (check) => {
  check('getImage', '§6.20 returns the record, with filedatas only with_history', async (world) => {
    const user = await world.user();
    const image = await user.upload();
    const { path_url, org_path_url, thumb_url, ...read } = await user.image(image.id);
    hasFields({ path_url, org_path_url, thumb_url }, []);
    assert.deepEqual(read.filedatas, null);
    assert.deepEqual([read.id, read.filename], [image.id, image.filename]);
    assert.deepEqual((await user.image(image.id, { with_history: 'True' })).filedatas, []);
  });

  check('getImage', 'IF 33 with_memo and with_custom fill arrays', async (world) => {
    const user = await world.user();
    const image = await user.upload();
    done(await user.post(`/images/${image.id}/customs`, { key: 'k', value: 'v' }));
    const bare = await user.image(image.id);
    assert.deepEqual([bare.memos, bare.customs], [null, null]);
    const full = await user.image(image.id, { with_memo: 'true', with_custom: 'TRUE' });
    assert.deepEqual([full.memos, full.customs?.length], [[], 1]);
  });

  check('getImage', '§2.2 an unknown image, or one of another user', async (world) => {
    const [user, other] = [await world.user(), await world.user()];
    for (const id of [nobody, 'no-uuid', (await other.upload()).id]) {
      refused(await user.get(`/images/${id}`), 400, 'image_not_found');
    }
  });

  check(
    'countImages',
    '§6.21 counts images outside the trash; accepts has_delete_at',
    async (world) => {
      const user = await world.user();
      const count = async (query = {}) => done(await user.get('/images/count', query));
      assert.deepEqual(await count(), { count: 0 });
      await user.upload();
      await user.upload();
      await user.trash(await user.upload());
      assert.deepEqual(await count(), { count: 2 });
      assert.deepEqual(await count({ has_delete_at: 'True' }), { count: 1 });
      assert.deepEqual(await count({ has_delete_at: 'False' }), { count: 2 });
      const answer = await user.get('/images/count', { has_delete_at: 'x' });
      refused(answer, 400, 'invalid_field', 'has_delete_at');
    },
  );
});
