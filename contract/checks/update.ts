import assert from 'node:assert/strict';
import { done, nobody, refused, timePattern } from '../../testkit/expect.js';
import { area } from '../harness.js';
import { addresses } from '../../testkit/records.js';
import type { Image } from '../../testkit/records.js';
import type { Member } from '../../testkit/world.js';

const change = (user: Member, image: Image, form: Record<string, string>) =>
  user.put<Image>(`/images/${image.id}`, form);

export const update = area('update', (check) => {
  check('updateImage', 'IF delete True, False, None: trash, restore, nothing', async (world) => {
    const user = await world.user();
    const image = await user.upload();
    const gone = done(await change(user, image, { delete: 'True' }));
    assert.match(gone.delete_at ?? '', timePattern);
    for (const form of [{ delete: 'None' }, {}]) {
      const same = done(await change(user, image, form as Record<string, string>));
      assert.equal(same.delete_at, gone.delete_at);
    }
    assert.equal(done(await change(user, image, { delete: 'False' })).delete_at, null);
    const same = done(await change(user, image, { delete: 'none' }));
    assert.equal(same.delete_at, null);
  });

  check('updateImage', '§6 delete works on an image already in that state', async (world) => {
    const user = await world.user();
    const image = await user.upload();
    assert.equal(done(await change(user, image, { delete: 'false' })).delete_at, null);
    const gone = await user.trash(image);
    assert.equal((await user.trash(image)).delete_at, gone.delete_at);
  });

  check('updateImage', 'IF folder_id moves; a blank moves to the top level', async (world) => {
    const user = await world.user();
    const [image, folder] = [await user.upload(), await user.folder('a')];
    assert.equal(done(await change(user, image, { folder_id: folder.id })).folder_id, folder.id);
    assert.equal((await user.contents(folder.id)).total_count, 1);
    assert.equal(done(await change(user, image, { folder_id: ' ' })).folder_id, null);
  });

  check('updateImage', '§1.4 a blank as + in an urlencoded form moves, too', async (world) => {
    const user = await world.user();
    const folder = await user.folder('a');
    const image = await user.upload({ folder_id: folder.id });
    const urlencoded = { folder_id: ' ' };
    const moved = await user.call<Image>('PUT', `/images/${image.id}`, { urlencoded });
    assert.equal(done(moved).folder_id, null);
  });

  check('updateImage', '§1.4 an empty or UNSET folder_id means no move', async (world) => {
    const user = await world.user();
    const folder = await user.folder('a');
    const image = await user.upload({ folder_id: folder.id });
    for (const folder_id of ['', 'UNSET']) {
      assert.equal(done(await change(user, image, { folder_id })).folder_id, folder.id);
    }
  });

  check('updateImage', '§2 the folder is the user’s and not in the trash', async (world) => {
    const [user, other] = [await world.user(), await world.user()];
    const image = await user.upload();
    for (const folder_id of [nobody, 'no-uuid', (await other.folder('b')).id]) {
      refused(await change(user, image, { folder_id }), 400, 'folder_not_found');
    }
    const gone = await user.trashFolder(await user.folder('a'));
    refused(await change(user, image, { folder_id: gone.id }), 400, 'folder_in_trash');
  });

  check('updateImage', '§6 has_det: True, False and None can all be set', async (world) => {
    const user = await world.user();
    const image = await user.upload();
    for (const [word, value] of [
      ['True', true],
      ['false', false],
      ['None', null],
      ['TRUE', true],
      ['', null],
    ] as const) {
      assert.equal(done(await change(user, image, { has_det: word })).has_det, value, word);
    }
  });

  check(
    'updateImage',
    '§6 latitude and longitude; 0 is a place; both empty clear it',
    async (world) => {
      const user = await world.user();
      const image = await user.upload();
      const place = async (latitude: string, longitude: string) => {
        const { lat, lng } = done(await change(user, image, { latitude, longitude }));
        return [lat, lng];
      };
      assert.deepEqual(await place('37.5', '-127.25'), [37.5, -127.25]);
      assert.deepEqual(await place('0', '0'), [0, 0]);
      assert.deepEqual(await place('', ''), [null, null]);
    },
  );

  check('updateImage', '§6 half a place is refused', async (world) => {
    const user = await world.user();
    const image = await user.upload({ lat: '1', lng: '2' });
    refused(await change(user, image, { latitude: '3' }), 400, 'missing_field', 'longitude');
    refused(await change(user, image, { longitude: '3' }), 400, 'missing_field', 'latitude');
    const half = await change(user, image, { latitude: '', longitude: '3' });
    refused(half, 400, ['missing_field', 'invalid_field'], 'latitude');
    const off = await change(user, image, { latitude: '91', longitude: '3' });
    refused(off, 400, 'invalid_field', 'latitude');
    assert.deepEqual((await user.image(image.id)).lat, 1);
  });

  check('updateImage', '§6 address fields are set, and emptied all at once', async (world) => {
    const user = await world.user();
    const image = await user.upload();
    const full = Object.fromEntries(addresses.map((name) => [name, `${name} 1`]));
    const set = done(await change(user, image, full));
    assert.deepEqual(
      addresses.map((name) => set[name]),
      addresses.map((name) => `${name} 1`),
    );
    const empty = Object.fromEntries(addresses.map((name) => [name, '']));
    const cleared = done(await change(user, image, empty));
    assert.ok(addresses.every((name) => cleared[name] === null));
  });

  check('updateImage', '§6 is_shared and is_signed: True and False, not empty', async (world) => {
    const user = await world.user();
    const image = await user.upload();
    const on = done(await change(user, image, { is_shared: 'True', is_signed: 'TRUE' }));
    assert.deepEqual([on.is_shared, on.is_signed], [true, true]);
    const off = done(await change(user, image, { is_shared: 'false', is_signed: 'False' }));
    assert.deepEqual([off.is_shared, off.is_signed], [false, false]);
    for (const name of ['is_shared', 'is_signed', 'delete']) {
      refused(await change(user, image, { [name]: '' }), 400, 'invalid_field', name);
      refused(await change(user, image, { [name]: 'perhaps' }), 400, 'invalid_field', name);
    }
  });

  check('updateImage', '§6 what is left out stays as it is', async (world) => {
    const user = await world.user();
    const image = await user.upload({ lat: '1', lng: '2', address_road: 'r', has_det: 'True' });
    const { address_det, ...after } = done(await change(user, image, { address_det: 'd' }));
    assert.equal(address_det, 'd');
    assert.deepEqual(
      [after.lat, after.lng, after.address_road, after.has_det, after.filename],
      [1, 2, 'r', true, image.filename],
    );
  });

  check('updateImage', '§6 several changes are one: all or nothing', async (world) => {
    const user = await world.user();
    const [image, folder] = [await user.upload(), await user.folder('a')];
    const form = { delete: 'True', address_road: 'new', folder_id: nobody };
    refused(await change(user, image, form), 400, 'folder_not_found');
    const same = await user.image(image.id);
    assert.deepEqual([same.delete_at, same.address_road], [null, null]);
    const all = done(await change(user, image, { ...form, folder_id: folder.id }));
    assert.notEqual(all.delete_at, null);
    assert.deepEqual([all.address_road, all.folder_id], ['new', folder.id]);
  });

  check(
    'updateImage',
    '§5 restored with its folder in the trash, it goes to the top',
    async (world) => {
      const user = await world.user();
      const folder = await user.folder('a');
      const image = await user.upload({ folder_id: folder.id });
      await user.trashFolder(folder);
      const back = done(await change(user, image, { delete: 'False' }));
      assert.deepEqual([back.delete_at, back.folder_id], [null, null]);
    },
  );

  check('updateImage', '§2 an unknown image, or one of another user', async (world) => {
    const [user, other] = [await world.user(), await world.user()];
    for (const id of [nobody, 'no-uuid', (await other.upload()).id]) {
      refused(await user.put(`/images/${id}`, { has_det: 'True' }), 400, 'image_not_found');
    }
  });
});
