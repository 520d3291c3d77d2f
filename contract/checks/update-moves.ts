import assert from 'node:assert/strict';
import type { Call } from '../../testkit/client.js';
import { done, nobody, refused } from '../../testkit/expect.js';
import { area } from '../harness.js';
import type { Image } from '../../testkit/records.js';
import type { Member } from '../../testkit/world.js';

const change = (user: Member, image: Image, form: Record<string, string>) =>
  user.put<Image>(`/images/${image.id}`, form);

/** Ways in which clients send a blank. */
const blanks: Record<string, Call> = {
  'in a multipart form': { form: { folder_id: ' ' } },
  'in an urlencoded form': { urlencoded: { folder_id: ' ' } },
  'in JSON': { json: { folder_id: ' ' } },
  'in the query': { query: { folder_id: ' ' } },
  'as +': { form: { folder_id: '+' } },
  'as %20': { form: { folder_id: '%20' } },
};

export const updateMoves = area('update: moves and trash', (check) => {
  check(
    'updateImage',
    'IF Move 1 folder_id moves; a blank moves to the top level',
    async (world) => {
      const user = await world.user();
      const [image, folder] = [await user.upload(), await user.folder('a')];
      const folder_id = folder.id.toUpperCase();
      assert.equal(done(await change(user, image, { folder_id })).folder_id, folder.id);
      assert.equal((await user.contents(folder.id)).total_count, 1);
      assert.equal(done(await change(user, image, { folder_id: ' ' })).folder_id, null);
    },
  );

  for (const [how, call] of Object.entries(blanks)) {
    check('updateImage', `§1.4 a blank ${how} moves to the top level`, async (world) => {
      const user = await world.user();
      const folder = await user.folder('a');
      const image = await user.upload({ folder_id: folder.id });
      const moved = await user.call<Image>('PUT', `/images/${image.id}`, call);
      assert.equal(done(moved).folder_id, null);
    });
  }

  check(
    'updateImage',
    '§1.4 an empty folder_id, none, null, or UNSET means no move',
    async (world) => {
      const user = await world.user();
      const folder = await user.folder('a');
      const image = await user.upload({ folder_id: folder.id });
      for (const folder_id of ['', 'UNSET', 'none', 'NULL']) {
        assert.equal(done(await change(user, image, { folder_id })).folder_id, folder.id);
      }
    },
  );

  check('updateImage', '§1.4 a JSON null is the top level, or clears the field', async (world) => {
    const user = await world.user();
    const folder = await user.folder('a');
    const place = { latitude: '1', longitude: '2', address_road: 'a', has_det: 'True' };
    const image = await user.upload({ folder_id: folder.id, ...place });
    const json = { folder_id: null, latitude: null, longitude: null, address_road: null };
    const put = { json: { ...json, has_det: null } };
    const cleared = done(await user.call<Image>('PUT', `/images/${image.id}`, put));
    const { folder_id, lat, lng, address_road, has_det } = cleared;
    assert.deepEqual([folder_id, lat, lng, address_road, has_det], [null, null, null, null, null]);
    const inner = await user.folder('inner', folder);
    const moved = await user.call<{ parent_id: string | null }>('PUT', `/folders/${inner.id}`, {
      json: { parent_id: null },
    });
    assert.equal(done(moved).parent_id, null);
  });

  check('updateImage', '§2.2 the folder is the user’s and not in the trash', async (world) => {
    const [user, other] = [await world.user(), await world.user()];
    const image = await user.upload();
    for (const folder_id of [nobody, 'no-uuid', (await other.folder('b')).id]) {
      const answer = await change(user, image, { folder_id, address_det: 'not this' });
      refused(answer, 400, 'folder_not_found', 'folder_id');
    }
    const gone = await user.trashFolder(await user.folder('a'));
    const answer = await change(user, image, { folder_id: gone.id, address_det: 'not this' });
    refused(answer, 400, 'folder_in_trash', 'folder_id');
    assert.equal((await user.image(image.id)).address_det, null);
  });

  check(
    'updateImage',
    '§5.2 restored while its folder is in the trash, it moves to the top level',
    async (world) => {
      const user = await world.user();
      const folder = await user.folder('a');
      const image = await user.upload({ folder_id: folder.id });
      await user.trashFolder(folder);
      const back = done(await change(user, image, { delete: 'False' }));
      assert.deepEqual([back.delete_at, back.folder_id], [null, null]);
    },
  );

  check(
    'updateImage',
    '§6.22 restored while its folder is active, it stays there',
    async (world) => {
      const user = await world.user();
      const folder = await user.folder('a');
      const image = await user.trash(await user.upload({ folder_id: folder.id }));
      const back = done(await change(user, image, { delete: 'False' }));
      assert.deepEqual([back.delete_at, back.folder_id], [null, folder.id]);
    },
  );

  check(
    'updateImage',
    '§6.22 restored and moved in one request, it goes to the new folder',
    async (world) => {
      const user = await world.user();
      const [from, to] = [await user.folder('from'), await user.folder('to')];
      const image = await user.upload({ folder_id: from.id });
      await user.trashFolder(from);
      const back = done(await change(user, image, { delete: 'False', folder_id: to.id }));
      assert.deepEqual([back.delete_at, back.folder_id], [null, to.id]);
    },
  );

  check(
    'updateImage',
    '§6.22 an image in the trash can be moved, and stays in the trash',
    async (world) => {
      const user = await world.user();
      const folder = await user.folder('a');
      const image = await user.trash(await user.upload());
      const moved = done(await change(user, image, { folder_id: folder.id, address_det: '3층' }));
      assert.deepEqual([moved.folder_id, moved.address_det], [folder.id, '3층']);
      assert.equal(moved.delete_at, image.delete_at);
    },
  );

  check(
    'updateImage',
    '§1.2 delete is accepted as a JSON boolean and in the query',
    async (world) => {
      const user = await world.user();
      const path = `/images/${(await user.upload()).id}`;
      const gone = done(await user.call<Image>('PUT', path, { json: { delete: true } }));
      assert.notEqual(gone.delete_at, null);
      const back = await user.call<Image>('PUT', path, { query: { delete: 'false' } });
      assert.equal(done(back).delete_at, null);
    },
  );
});
