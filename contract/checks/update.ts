import assert from 'node:assert/strict';
import { done, nobody, refused, timePattern } from '../../testkit/expect.js';
import { area } from '../harness.js';
import { addressFields } from '../../testkit/records.js';
import type { Image } from '../../testkit/records.js';
import type { Member } from '../../testkit/world.js';

const change = (user: Member, image: Image, form: Record<string, string>) =>
  user.put<Image>(`/images/${image.id}`, form);

export const update = area('update', (check) => {
  check(
    'updateImage',
    'IF State 1 delete True, False, None: trash, restore, nothing',
    async (world) => {
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
    },
  );

  check('updateImage', '§6.22 delete works on an image already in that state', async (world) => {
    const user = await world.user();
    const image = await user.upload();
    assert.equal(done(await change(user, image, { delete: 'false' })).delete_at, null);
    const gone = await user.trash(image);
    assert.equal((await user.trash(image)).delete_at, gone.delete_at);
  });

  check('updateImage', '§6.22 has_det: True, False, and None can all be set', async (world) => {
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
    done(await change(user, image, { has_det: 'True' }));
    for (const [has_det, value] of [
      ['', true],
      ['none', null],
    ] as const) {
      const answer = await user.put<Image>(`/images/${image.id}`, {}, { has_det });
      assert.equal(done(answer).has_det, value, 'an empty query parameter means omitted');
    }
  });

  check(
    'updateImage',
    '§6.22 latitude and longitude; 0 is valid; empty ones clear the location',
    async (world) => {
      const user = await world.user();
      const image = await user.upload();
      const place = async (latitude: string, longitude: string) => {
        const { lat, lng } = done(await change(user, image, { latitude, longitude }));
        return [lat, lng];
      };
      assert.deepEqual(await place('37.5', '-127.25'), [37.5, -127.25]);
      assert.deepEqual(await place('37.12345678', '-127.5'), [37.1234568, -127.5]);
      assert.deepEqual(await place('-90', '180'), [-90, 180]);
      assert.deepEqual(await place('1e-7', '-0.00000001'), [1e-7, 0]);
      assert.deepEqual(await place('0', '0'), [0, 0]);
      assert.deepEqual(await place('', ''), [null, null]);
      const json = { latitude: 0, longitude: 0.5 };
      const answer = done(await user.call<Image>('PUT', `/images/${image.id}`, { json }));
      assert.deepEqual([answer.lat, answer.lng], [0, 0.5]);
    },
  );

  check('updateImage', '§6.22 a single coordinate is rejected', async (world) => {
    const user = await world.user();
    const image = await user.upload({ lat: '1', lng: '2' });
    refused(await change(user, image, { latitude: '3' }), 400, 'missing_field', 'longitude');
    refused(await change(user, image, { longitude: '3' }), 400, 'missing_field', 'latitude');
    refused(await change(user, image, { latitude: '' }), 400, 'missing_field', 'latitude');
    const rest = await change(user, image, { latitude: '1', longitude: '' });
    refused(rest, 400, 'missing_field', 'longitude');
    const none = await change(user, image, { latitude: '1', longitude: 'NaN' });
    refused(none, 400, 'invalid_field', 'longitude');
    const half = await change(user, image, { latitude: '', longitude: '3' });
    refused(half, 400, ['missing_field', 'invalid_field'], 'latitude');
    const off = await change(user, image, { latitude: '91', longitude: '3' });
    refused(off, 400, 'invalid_field', 'latitude');
    assert.deepEqual((await user.image(image.id)).lat, 1);
  });

  check('updateImage', '§6.22 address fields are set, and cleared all at once', async (world) => {
    const user = await world.user();
    const image = await user.upload();
    const full = Object.fromEntries(addressFields.map((name) => [name, `${name} 1`]));
    const set = done(await change(user, image, full));
    assert.deepEqual(
      addressFields.map((name) => set[name]),
      addressFields.map((name) => `${name} 1`),
    );
    const empty = Object.fromEntries(addressFields.map((name) => [name, '']));
    const cleared = done(await change(user, image, empty));
    assert.ok(addressFields.every((name) => cleared[name] === null));
  });

  check(
    'updateImage',
    '§6.22 is_shared and is_signed: True and False, not empty',
    async (world) => {
      const user = await world.user();
      const image = await user.upload();
      const on = done(await change(user, image, { is_shared: 'True', is_signed: 'TRUE' }));
      assert.deepEqual([on.is_shared, on.is_signed], [true, true]);
      const same = done(await change(user, image, { is_shared: 'None', is_signed: 'none' }));
      assert.deepEqual([same.is_shared, same.is_signed], [true, true]);
      const off = done(await change(user, image, { is_shared: 'false', is_signed: 'False' }));
      assert.deepEqual([off.is_shared, off.is_signed], [false, false]);
      for (const name of ['is_shared', 'is_signed', 'delete']) {
        refused(await change(user, image, { [name]: '' }), 400, 'invalid_field', name);
        refused(await change(user, image, { [name]: 'perhaps' }), 400, 'invalid_field', name);
      }
    },
  );

  check('updateImage', '§6.22 omitted fields stay unchanged', async (world) => {
    const user = await world.user();
    const image = await user.upload({ lat: '1', lng: '2', address_road: 'r', has_det: 'True' });
    const { address_det, ...after } = done(await change(user, image, { address_det: 'd' }));
    assert.equal(address_det, 'd');
    assert.deepEqual(
      [after.lat, after.lng, after.address_road, after.has_det, after.filename],
      [1, 2, 'r', true, image.filename],
    );
  });

  check('updateImage', '§6.22 several changes are atomic: all or nothing', async (world) => {
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

  check('updateImage', 'IF 34 returns the record, with the requested includes', async (world) => {
    const user = await world.user();
    const image = await user.upload({ message: 'hello' });
    const plain = done(await change(user, image, { address_det: 'x' }));
    assert.deepEqual([plain.memos, plain.customs, plain.filedatas], [null, null, null]);
    const query = { with_memo: 'True', with_custom: 'True', with_history: 'True' };
    const full = done(await user.put<Image>(`/images/${image.id}`, {}, query));
    assert.deepEqual([full.memos?.length, full.customs, full.filedatas], [1, [], []]);
  });

  check('updateImage', '§2.2 an unknown image, or one of another user', async (world) => {
    const [user, other] = [await world.user(), await world.user()];
    for (const id of [nobody, 'no-uuid', (await other.upload()).id]) {
      refused(await user.put(`/images/${id}`, { has_det: 'True' }), 400, 'image_not_found');
    }
  });
});
