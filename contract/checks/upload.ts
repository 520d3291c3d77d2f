import assert from 'node:assert/strict';
import { done, hasFields, megabytes, near, nobody, refused, uuidV7 } from '../expect.js';
import { bytesOf, sha256 } from '../fetch.js';
import { area } from '../harness.js';
import { canvas, hugePng } from '../pictures.js';
import { picture } from '../world.js';

const text = (words: string): Uint8Array => new TextEncoder().encode(words);

const addresses = [
  'address_road',
  'address_land',
  'address_land_number',
  'building_name',
  'address_sort',
  'address_det',
] as const;

export const upload = area('upload', (check) => {
  check('uploadImage', '§6 answers the whole image record', async (world) => {
    const user = await world.user();
    const bytes = await picture({ width: 80, height: 60 });
    const image = await user.upload({}, bytes);
    assert.match(image.id, uuidV7);
    assert.deepEqual([image.user_id, image.folder_id, image.delete_at], [user.id, null, null]);
    assert.deepEqual([image.filedata_total, image.filedatas], [0, []]);
    assert.deepEqual([image.is_shared, image.is_signed, image.has_det], [false, false, null]);
    assert.deepEqual([image.image_resource_type, image.resolution], ['jpeg', '80x60']);
    assert.deepEqual(
      [image.filesize_mb, image.image_filesize_mb],
      [megabytes(bytes.length), megabytes(bytes.length)],
    );
    hasFields(image, [...addresses, 'lat', 'lng', 'memos', 'customs', 'thumb_url', 'thumbhash']);
    assert.deepEqual(
      addresses.map((name) => image[name]),
      addresses.map(() => null),
    );
  });

  check(
    'uploadImage',
    'IF filename: server time, created_at, hash, version, type',
    async (world) => {
      const bytes = await picture();
      const fields = { created_at: '20240229_235958' };
      const image = await (await world.user()).upload(fields, bytes);
      const hash = sha256(bytes);
      const pattern = new RegExp(`^\\d{8}_\\d{6}_\\d{3}_20240229_235958_${hash}_0\\.jpg$`);
      assert.match(image.filename, pattern);
      assert.deepEqual([image.hashdata, image.created_at], [hash, '20240229_235958']);
    },
  );

  check('uploadImage', '§6 org_path_url gives the bytes back bit for bit', async (world) => {
    const bytes = await picture({ width: 1500, height: 1100 });
    const image = await (await world.user()).upload({}, bytes);
    assert.deepEqual(await bytesOf(image.org_path_url), bytes);
  });

  check('uploadImage', '§6 image_data is required', async (world) => {
    const answer = await (await world.user()).post('/images', { has_det: 'True' });
    refused(answer, 400, 'missing_field', 'image_data');
  });

  for (const [format, extension] of [
    ['jpeg', 'jpg'],
    ['png', 'png'],
    ['webp', 'webp'],
    ['gif', 'gif'],
    ['tiff', 'tif'],
    ['avif', 'avif'],
  ] as const) {
    check('uploadImage', `§6 takes ${format}, recognised by its content`, async (world) => {
      const bytes = await canvas(40, 30).toFormat(format).toBuffer();
      const image = await (await world.user()).upload({}, bytes);
      assert.deepEqual([image.image_resource_type, image.resolution], [format, '40x30']);
      assert.ok(image.filename.endsWith(`_0.${extension}`), image.filename);
    });
  }

  for (const [what, bytes] of [
    ['SVG', text('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')],
    ['PDF', text('%PDF-1.7\n%%EOF')],
    ['text', text('no picture at all')],
    ['nothing', text('')],
  ] as const) {
    check('uploadImage', `§6 ${what} is unsupported_image`, async (world) => {
      const user = await world.user();
      refused(await user.tryUpload({}, bytes), 400, 'unsupported_image');
      assert.equal((await user.images()).total_count, 0);
    });
  }

  check('uploadImage', '§6 a damaged picture is corrupt_image', async (world) => {
    const bytes = await canvas(800, 600).jpeg().toBuffer();
    const half = bytes.subarray(0, bytes.length / 2);
    refused(await (await world.user()).tryUpload({}, half), 400, 'corrupt_image');
  });

  check('uploadImage', '§6 a picture of too many pixels is image_too_large', async (world) => {
    const answer = await (await world.user()).tryUpload({}, hugePng(60_000, 20_000));
    refused(answer, 400, 'image_too_large');
  });

  check('uploadImage', '§6 folder_id: a folder of the user', async (world) => {
    const [user, other] = [await world.user(), await world.user()];
    const folder = await user.folder('a');
    assert.equal((await user.upload({ folder_id: folder.id })).folder_id, folder.id);
    for (const folder_id of [nobody, 'no-uuid', (await other.folder('b')).id]) {
      refused(await user.tryUpload({ folder_id }), 400, 'folder_not_found');
    }
    await user.trashFolder(folder);
    refused(await user.tryUpload({ folder_id: folder.id }), 400, 'folder_in_trash');
  });

  check('uploadImage', '§1.4 an empty or blank folder_id is the top level', async (world) => {
    const user = await world.user();
    for (const folder_id of ['', ' ']) {
      assert.equal((await user.upload({ folder_id })).folder_id, null);
    }
  });

  check('uploadImage', '§6 latitude and longitude, or lat and lng; 0 is a place', async (world) => {
    const user = await world.user();
    const bytes = await picture({ place: { latitude: 1, longitude: 2 } });
    const long = await user.upload({ latitude: '-37.1234567', longitude: '180' }, bytes);
    assert.deepEqual([long.lat, long.lng], [-37.1234567, 180]);
    const short = await user.upload({ lat: '0', lng: '0' }, bytes);
    assert.deepEqual([short.lat, short.lng], [0, 0]);
  });

  check('uploadImage', '§6 without a place given, GPS from EXIF', async (world) => {
    const user = await world.user();
    const place = { latitude: -33.8567844, longitude: 151.2152967 };
    const image = await user.upload({}, await picture({ place }));
    near(image.lat, place.latitude, 1e-6);
    near(image.lng, place.longitude, 1e-6);
    const nowhere = await user.upload();
    assert.deepEqual([nowhere.lat, nowhere.lng], [null, null]);
  });

  const refusals: [string, Record<string, string>, string, string][] = [
    ['half a place', { latitude: '1' }, 'missing_field', 'longitude'],
    ['the other half', { longitude: '1' }, 'missing_field', 'latitude'],
    ['a latitude off the globe', { latitude: '90.1', longitude: '0' }, 'invalid_field', 'latitude'],
    [
      'a longitude off the globe',
      { latitude: '0', longitude: '-181' },
      'invalid_field',
      'longitude',
    ],
    ['a place in words', { lat: 'north', lng: '1' }, 'invalid_field', 'lat'],
    ['a day that does not exist', { created_at: '20250231_000000' }, 'invalid_field', 'created_at'],
    ['a time in another format', { created_at: '2025-01-01' }, 'invalid_field', 'created_at'],
    ['an unknown way of upload', { upload_type: 'fax' }, 'invalid_field', 'upload_type'],
    ['has_det in words', { has_det: 'maybe' }, 'invalid_field', 'has_det'],
    ['is_signed without a value', { is_signed: 'x' }, 'invalid_field', 'is_signed'],
    ['sharing without a message', { is_shared: 'True' }, 'missing_field', 'message'],
    ['NUL in a text', { building_name: 'a\0b' }, 'invalid_field', 'building_name'],
  ];
  for (const [what, fields, code, field] of refusals) {
    check('uploadImage', `§6 refuses ${what}`, async (world) => {
      const user = await world.user();
      refused(await user.tryUpload(fields), 400, code, field);
      assert.equal((await user.images()).total_count, 0);
    });
  }

  check(
    'uploadImage',
    '§6 address fields are stored as given, empty ones as null',
    async (world) => {
      const user = await world.user();
      const fields = Object.fromEntries(addresses.map((name) => [name, ` ${name} 가 `]));
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
    'IF is_shared stores message as a memo of is_client False',
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

  check('uploadImage', '§2 a form that breaks off is refused', async (world) => {
    const user = await world.user();
    const address = new URL(`/api/v1/users/${user.id}/images`, world.client.base);
    const answer = await fetch(address, {
      method: 'POST',
      headers: {
        authorization: `User ${user.token}`,
        'content-type': 'multipart/form-data; boundary=b',
      },
      body: '--b\r\ncontent-disposition: form-data; name="image_data"; filename="a"\r\n\r\nxx',
    });
    assert.equal(answer.status, 400);
    const { error } = (await answer.json()) as { error: { code: string } };
    assert.equal(error.code, 'upload_interrupted');
  });

  check('getImage', '§6 answers the record, with filedatas only with_history', async (world) => {
    const user = await world.user();
    const image = await user.upload();
    const { path_url, org_path_url, thumb_url, ...read } = await user.image(image.id);
    hasFields({ path_url, org_path_url, thumb_url }, []);
    assert.deepEqual(read.filedatas, null);
    assert.deepEqual([read.id, read.filename], [image.id, image.filename]);
    assert.deepEqual((await user.image(image.id, { with_history: 'True' })).filedatas, []);
  });

  check('getImage', 'IF with_memo and with_custom fill arrays', async (world) => {
    const user = await world.user();
    const image = await user.upload();
    done(await user.post(`/images/${image.id}/customs`, { key: 'k', value: 'v' }));
    const bare = await user.image(image.id);
    assert.deepEqual([bare.memos, bare.customs], [null, null]);
    const full = await user.image(image.id, { with_memo: 'true', with_custom: 'TRUE' });
    assert.deepEqual([full.memos, full.customs?.length], [[], 1]);
  });

  check('getImage', '§2 an unknown image, or one of another user', async (world) => {
    const [user, other] = [await world.user(), await world.user()];
    for (const id of [nobody, 'no-uuid', (await other.upload()).id]) {
      refused(await user.get(`/images/${id}`), 400, 'image_not_found');
    }
  });

  check('countImages', '§6 counts images outside the trash; takes has_delete_at', async (world) => {
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
  });
});
