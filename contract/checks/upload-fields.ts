import assert from 'node:assert/strict';
import { done, near, nobody, refused } from '../../testkit/expect.js';
import { area } from '../harness.js';
import { filePart } from '../../testkit/pictures.js';
import { addressFields } from '../../testkit/records.js';
import type { Image } from '../../testkit/records.js';
import { picture } from '../../testkit/world.js';

export const uploadFields = area('upload: fields', (check) => {
  check('uploadImage', '§6.1 folder_id: a folder of the user', async (world) => {
    const [user, other] = [await world.user(), await world.user()];
    const folder = await user.folder('a');
    for (const folder_id of [folder.id, folder.id.toUpperCase()]) {
      assert.equal((await user.upload({ folder_id })).folder_id, folder.id);
    }
    for (const folder_id of ['', 'none', 'NULL', ' ']) {
      assert.equal((await user.upload({ folder_id })).folder_id, null);
    }
    const form = { image_data: filePart(await picture()) };
    const query = { folder_id: folder.id };
    const byQuery = await user.call<Image>('POST', '/images', { form, query });
    assert.equal(done(byQuery).folder_id, folder.id);
    const foreign = (await other.folder('b')).id;
    for (const folder_id of [nobody, 'no-uuid', 'x'.repeat(500), foreign]) {
      refused(await user.tryUpload({ folder_id }), 400, 'folder_not_found', 'folder_id');
    }
    await user.trashFolder(folder);
    const gone = await user.tryUpload({ folder_id: folder.id });
    refused(gone, 400, 'folder_in_trash', 'folder_id');
  });

  check(
    'uploadImage',
    '§1.4 an empty, blank or UNSET folder_id is the top level',
    async (world) => {
      const user = await world.user();
      for (const folder_id of ['', ' ', '+', '%20', 'UNSET']) {
        assert.equal((await user.upload({ folder_id })).folder_id, null);
      }
    },
  );

  check('uploadImage', '§6.1 latitude and longitude, or lat and lng; 0 is valid', async (world) => {
    const user = await world.user();
    const bytes = await picture({ place: { latitude: 1, longitude: 2 } });
    const long = await user.upload({ latitude: '-37.1234567', longitude: '180' }, bytes);
    assert.deepEqual([long.lat, long.lng], [-37.1234567, 180]);
    const short = await user.upload({ lat: '0', lng: '0' }, bytes);
    assert.deepEqual([short.lat, short.lng], [0, 0]);
  });

  check('uploadImage', '§6.1 without a given location, uses GPS from EXIF', async (world) => {
    const user = await world.user();
    const place = { latitude: -33.8567844, longitude: 151.2152967 };
    const image = await user.upload({}, await picture({ place }));
    near(image.lat, place.latitude, 1e-6);
    near(image.lng, place.longitude, 1e-6);
    const empty = { latitude: '', longitude: '' };
    const same = await user.upload(empty, await picture({ place }));
    assert.deepEqual([same.lat, same.lng], [image.lat, image.lng], 'empty ones are absent');
    const nowhere = await user.upload();
    assert.deepEqual([nowhere.lat, nowhere.lng], [null, null]);
  });

  const refusals: [string, Record<string, string>, string, string][] = [
    ['latitude without longitude', { latitude: '1' }, 'missing_field', 'longitude'],
    ['longitude without latitude', { longitude: '1' }, 'missing_field', 'latitude'],
    ['an empty half', { latitude: '1', longitude: '' }, 'missing_field', 'longitude'],
    [
      'an empty message for sharing',
      { message: '', is_shared: 'True' },
      'missing_field',
      'message',
    ],
    ['a message too long', { message: 'a'.repeat(10_001) }, 'invalid_field', 'message'],
    ['a latitude out of range', { latitude: '90.1', longitude: '0' }, 'invalid_field', 'latitude'],
    [
      'a longitude out of range',
      { latitude: '0', longitude: '-181' },
      'invalid_field',
      'longitude',
    ],
    ['a coordinate in words', { lat: 'north', lng: '1' }, 'invalid_field', 'lat'],
    ['a nonexistent day', { created_at: '20250231_000000' }, 'invalid_field', 'created_at'],
    ['a time in another format', { created_at: '2025-01-01' }, 'invalid_field', 'created_at'],
    ['an unknown upload_type', { upload_type: 'fax' }, 'invalid_field', 'upload_type'],
    ['has_det in words', { has_det: 'maybe' }, 'invalid_field', 'has_det'],
    ['is_signed without a value', { is_signed: 'x' }, 'invalid_field', 'is_signed'],
    ['sharing without a message', { is_shared: 'True' }, 'missing_field', 'message'],
    ['NUL in a text', { building_name: 'a\0b' }, 'invalid_field', 'building_name'],
  ];
  for (const [what, fields, code, field] of refusals) {
    check('uploadImage', `§6.1 rejects ${what}`, async (world) => {
      const user = await world.user();
      refused(await user.tryUpload(fields), 400, code, field);
      assert.equal((await user.list()).total_count, 0);
    });
  }

  check(
    'uploadImage',
    '§6.1 address fields are stored as given, empty ones as null',
    async (world) => {
      const user = await world.user();
      const fields = Object.fromEntries(addressFields.map((name) => [name, ` ${name} 가 `]));
      const image = await user.upload({ ...fields, address_det: '' });
      assert.equal(image.address_det, null);
      assert.equal(image.address_road, ' address_road 가 ');
      assert.equal((await user.image(image.id)).address_land_number, ' address_land_number 가 ');
    },
  );

  for (const [word, value] of [
    ['True', true],
    ['fAlSe', false],
    ['none', null],
    ['NULL', null],
  ] as const) {
    check('uploadImage', `§1.3 has_det ${word} is ${value}`, async (world) => {
      const image = await (await world.user()).upload({ has_det: word });
      assert.equal(image.has_det, value);
    });
  }

  check(
    'uploadImage',
    'IF 31 is_shared stores message as a memo of is_client False',
    async (world) => {
      const user = await world.user();
      const image = await user.upload({ is_shared: 'True', message: '첫 사진', is_signed: 'true' });
      assert.deepEqual([image.is_shared, image.is_signed], [true, true]);
      const memo = image.memos?.[0];
      assert.deepEqual([memo?.message, memo?.is_client], ['첫 사진', false]);
      const stored = await user.image(image.id, { with_memo: 'True' });
      assert.deepEqual(stored.memos, image.memos);
    },
  );

  check('uploadImage', '§6.1 message is stored as a memo even without is_shared', async (world) => {
    const user = await world.user();
    const image = await user.upload({ message: '안녕' });
    assert.deepEqual(
      [image.is_shared, image.memos?.map(({ message, is_client }) => [message, is_client])],
      [false, [['안녕', false]]],
    );
    assert.equal((await user.upload({ message: '' })).memos, null);
  });

  check('uploadImage', '§1.3 is_shared and is_signed None are False', async (world) => {
    const image = await (await world.user()).upload({ is_shared: 'None', is_signed: 'null' });
    assert.deepEqual([image.is_shared, image.is_signed, image.memos], [false, false, null]);
  });
});
