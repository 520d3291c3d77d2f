import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { v7 as uuidv7 } from 'uuid';
import { rows } from '../../src/database/sql.js';
import type { ImageRecord } from '../../src/images/schemas.js';
import { assertAccounts } from '../support/accounts.js';
import { Album, refusal } from '../support/album.js';
import { filePart, jpeg } from '../support/pictures.js';
import { testService } from '../support/service.js';

const service = await testService({ after });
const album = await Album.of(service);

/** What an answer says beside the addresses, which are signed anew now and then. */
const facts = (record: ImageRecord) =>
  Object.fromEntries(Object.entries(record).filter(([name]) => !name.endsWith('_url')));

const trashedWith = async (imageId: string): Promise<unknown> =>
  (
    await rows<{ t: unknown }>(service.db, 'SELECT trashed_with AS t FROM images WHERE id = $1', [
      imageId,
    ])
  )[0]?.t;

const updatedAt = async (imageId: string): Promise<number> =>
  (
    await rows<{ at: Date }>(service.db, 'SELECT updated_at AS at FROM images WHERE id = $1', [
      imageId,
    ])
  )[0]?.at.getTime() ?? NaN;

describe('trash and restore', () => {
  let image: ImageRecord;
  before(async () => {
    image = await album.upload();
  });

  test('delete True moves to the trash, by itself', async () => {
    const { status, result } = await album.update(image.id, { delete: 'True' });
    assert.equal(status, 200);
    assert.match(result.delete_at ?? '', /^\d{8}_\d{6}$/);
    assert.equal(await trashedWith(image.id), null);
  });

  test('delete True again answers the same and changes nothing', async () => {
    const earlier = await updatedAt(image.id);
    const { status, result } = await album.update(image.id, { delete: 'true' });
    assert.deepEqual([status, facts(result)], [200, facts(await album.get(image.id))]);
    assert.equal(await updatedAt(image.id), earlier);
  });

  test('delete None, and none at all, leave it as it is', async () => {
    const forms: Record<string, string>[] = [{ delete: 'None' }, { delete: 'none' }, { x: 'y' }];
    for (const form of forms) {
      const { status, result } = await album.update(image.id, form);
      assert.equal(status, 200);
      assert.notEqual(result.delete_at, null);
    }
  });

  test('delete False restores; again is no error', async () => {
    for (const word of ['False', 'FALSE']) {
      const { status, result } = await album.update(image.id, { delete: word });
      assert.deepEqual([status, result.delete_at], [200, null]);
    }
  });

  test('a JSON boolean and a query parameter do as well; an empty query means omitted', async () => {
    const json = await album.call<ImageRecord>('PUT', `/${image.id}`, { json: { delete: true } });
    assert.notEqual(json.result.delete_at, null);
    const query = await album.call<ImageRecord>('PUT', `/${image.id}`, {
      query: { delete: 'false', has_det: '' },
    });
    assert.deepEqual([query.status, query.result.delete_at], [200, null]);
  });

  test('an image that went with its folder goes to the top level when restored alone', async () => {
    const folder = await album.folder('gone');
    const inside = await album.upload({ folder_id: folder });
    await album.trashFolder(folder);
    await album.update(inside.id, { delete: 'True' });
    assert.equal(await trashedWith(inside.id), folder, 'it still went with the folder');
    const { result } = await album.update(inside.id, { delete: 'False' });
    assert.deepEqual([result.delete_at, result.folder_id], [null, null]);
    assert.equal(await trashedWith(inside.id), null);
  });

  test('restored into a folder that is open, it stays there', async () => {
    const folder = await album.folder('open');
    const inside = await album.upload({ folder_id: folder });
    await album.update(inside.id, { delete: 'True' });
    const { result } = await album.update(inside.id, { delete: 'False' });
    assert.equal(result.folder_id, folder);
  });

  test('restore and move in one request', async () => {
    const [from, to] = [await album.folder('from'), await album.folder('to')];
    const inside = await album.upload({ folder_id: from });
    await album.trashFolder(from);
    const { result } = await album.update(inside.id, { delete: 'False', folder_id: to });
    assert.deepEqual([result.delete_at, result.folder_id], [null, to]);
  });
});

describe('moving', () => {
  test('into a folder, by an id in any case; empty, UNSET and nothing leave it there', async () => {
    const folder = await album.folder('target');
    const { id } = await album.upload();
    const moved = await album.update(id, { folder_id: folder.toUpperCase() });
    assert.equal(moved.result.folder_id, folder);
    for (const folder_id of ['', 'UNSET']) {
      assert.equal((await album.update(id, { folder_id })).result.folder_id, folder);
    }
    const json = await album.call<ImageRecord>('PUT', `/${id}`, { json: { folder_id: null } });
    assert.equal(json.result.folder_id, folder);
  });

  const blanks: [string, Parameters<Album['call']>[2]][] = [
    ['in a multipart form', { form: { folder_id: ' ' } }],
    ['in an urlencoded form', { urlencoded: { folder_id: ' ' } }],
    ['in JSON', { json: { folder_id: ' ' } }],
    ['in the query', { query: { folder_id: ' ' } }],
    ['as +', { form: { folder_id: '+' } }],
    ['as %20', { form: { folder_id: '%20' } }],
  ];
  for (const [how, call] of blanks) {
    test(`a blank ${how} moves to the top level`, async () => {
      const { id } = await album.upload({ folder_id: await album.folder(`blank ${how}`) });
      const { status, result } = await album.call<ImageRecord>('PUT', `/${id}`, call);
      assert.deepEqual([status, result.folder_id], [200, null]);
    });
  }

  test('an image in the trash moves, too, and stays in the trash', async () => {
    const folder = await album.folder('for the trashed');
    const { id } = await album.upload();
    await album.update(id, { delete: 'True' });
    const { result } = await album.update(id, { folder_id: folder, address_det: '3층' });
    assert.equal(result.folder_id, folder);
    assert.equal(result.address_det, '3층');
    assert.notEqual(result.delete_at, null);
  });

  test('refuses a folder that is not there, another user’s, or in the trash', async () => {
    const other = await Album.of(service);
    const { id } = await album.upload();
    const targets: [string, string][] = [
      ['nowhere', 'folder_not_found'],
      [uuidv7(), 'folder_not_found'],
      [await other.folder('theirs'), 'folder_not_found'],
      [await album.folder('trashed', true), 'folder_in_trash'],
    ];
    for (const [folder_id, code] of targets) {
      const answer = await album.update(id, { folder_id, address_det: 'not this' });
      assert.deepEqual(refusal(answer), [400, code, 'folder_id']);
    }
    assert.equal((await album.get(id)).address_det, null, 'one transaction: nothing was changed');
  });
});

describe('correcting', () => {
  test('has_det takes True, False and None; empty clears it', async () => {
    const { id } = await album.upload();
    const said: [string, boolean | null][] = [
      ['True', true],
      ['None', null],
      ['false', false],
      ['', null],
    ];
    for (const [has_det, value] of said) {
      assert.equal((await album.update(id, { has_det })).result.has_det, value);
    }
    await album.update(id, { has_det: 'True' });
    const { result } = await album.call<ImageRecord>('PUT', `/${id}`, {
      query: { has_det: 'none' },
    });
    assert.equal(result.has_det, null);
  });

  test('a place is set, 0 is one, both empty clear it', async () => {
    const { id } = await album.upload();
    const set = async (latitude: string, longitude: string) => {
      const { result } = await album.update(id, { latitude, longitude });
      return [result.lat, result.lng];
    };
    assert.deepEqual(await set('37.12345678', '-127.5'), [37.1234568, -127.5]);
    assert.deepEqual(await set('0', '0'), [0, 0]);
    assert.deepEqual(await set('-90', '180'), [-90, 180]);
    assert.deepEqual(await set('1e-7', '-0.00000001'), [1e-7, 0]);
    assert.deepEqual(await set('', ''), [null, null]);
    const json = { latitude: 0, longitude: 0.5 };
    const { result } = await album.call<ImageRecord>('PUT', `/${id}`, { json });
    assert.deepEqual([result.lat, result.lng], [0, 0.5]);
  });

  test('refuses half a place and places off the globe', async () => {
    const { id } = await album.upload();
    const halves: [Record<string, string>, string, string][] = [
      [{ latitude: '1' }, 'missing_field', 'longitude'],
      [{ longitude: '1' }, 'missing_field', 'latitude'],
      [{ latitude: '1', longitude: '' }, 'missing_field', 'longitude'],
      [{ latitude: '' }, 'missing_field', 'latitude'],
      [{ latitude: '90.1', longitude: '1' }, 'invalid_field', 'latitude'],
      [{ latitude: '1', longitude: 'NaN' }, 'invalid_field', 'longitude'],
    ];
    for (const [form, code, field] of halves) {
      assert.deepEqual(refusal(await album.update(id, form)), [400, code, field]);
    }
  });

  test('all address fields are set, kept and emptied at once', async () => {
    const { id } = await album.upload();
    const full = {
      address_road: '세종대로 110',
      address_land: '태평로1가 31',
      address_land_number: '31',
      building_name: '시청',
      address_sort: 'road',
      address_det: '1층',
    };
    const names = Object.keys(full) as (keyof typeof full)[];
    assert.deepEqual(pick((await album.update(id, full)).result), Object.values(full));
    const one = await album.update(id, { building_name: '서울시청' });
    assert.deepEqual(pick(one.result), Object.values({ ...full, building_name: '서울시청' }));
    const empty = Object.fromEntries(names.map((name) => [name, '']));
    assert.deepEqual(
      pick((await album.update(id, empty)).result),
      names.map(() => null),
    );
    function pick(record: ImageRecord) {
      return names.map((name) => record[name]);
    }
  });

  test('is_shared and is_signed are set; None leaves them, empty is refused', async () => {
    const { id } = await album.upload();
    const on = await album.update(id, { is_shared: 'True', is_signed: 'true' });
    assert.deepEqual([on.result.is_shared, on.result.is_signed], [true, true]);
    const same = await album.update(id, { is_shared: 'None', is_signed: 'none' });
    assert.deepEqual([same.result.is_shared, same.result.is_signed], [true, true]);
    const off = await album.update(id, { is_shared: 'False' });
    assert.deepEqual([off.result.is_shared, off.result.is_signed], [false, true]);
    for (const field of ['is_shared', 'is_signed', 'delete']) {
      const answer = await album.update(id, { [field]: '' });
      assert.deepEqual(refusal(answer), [400, 'invalid_field', field]);
    }
  });

  test('updated_at rises with a change and with nothing else', async () => {
    const { id } = await album.upload();
    const first = await updatedAt(id);
    await album.update(id, { address_det: 'a', latitude: '1', longitude: '2' });
    const second = await updatedAt(id);
    assert.ok(second > first);
    await album.update(id, { address_det: 'a', latitude: '1', longitude: '2', has_det: 'None' });
    assert.equal(await updatedAt(id), second);
  });

  test('answers the whole record; extras where asked', async () => {
    const { id } = await album.upload({ message: 'hello' });
    const plain = await album.update(id, { address_det: 'x' });
    const { memos, customs, filedatas } = plain.result;
    assert.deepEqual([memos, customs, filedatas], [null, null, null]);
    const { result } = await album.call<ImageRecord>('PUT', `/${id}`, {
      query: { with_memo: 'True', with_custom: 'True', with_history: 'True' },
    });
    assert.equal(result.memos?.length, 1);
    assert.deepEqual([result.customs, result.filedatas], [[], []]);
  });

  test('is unknown to whoever does not own it', async () => {
    const other = await Album.of(service);
    const { id } = await album.upload();
    for (const imageId of [id, uuidv7(), 'no-uuid']) {
      const answer = await other.update(imageId, { delete: 'True' });
      assert.deepEqual([answer.status, answer.error?.code], [400, 'image_not_found']);
    }
    const foreign = await service.client.put(`${album.user.images}/${id}`, {
      as: ['User', other.user.token],
      form: { delete: 'True' },
    });
    assert.equal(foreign.status, 403);
    assert.equal((await album.get(id)).delete_at, null);
  });
});

describe('at the same time', () => {
  test('two updates of different fields both last', async () => {
    const { id } = await album.upload();
    const fields = ['address_road', 'address_land', 'building_name', 'address_det'] as const;
    const answers = await Promise.all(
      fields.map((field, i) =>
        album.update(id, { [field]: field, ...(i % 2 ? { delete: 'True' } : {}) }),
      ),
    );
    assert.deepEqual(
      answers.map(({ status }) => status),
      fields.map(() => 200),
    );
    const result = await album.get(id);
    assert.deepEqual(
      fields.map((field) => result[field]),
      fields,
    );
    assert.notEqual(result.delete_at, null);
  });

  test('an edit that arrives while the image is trashed counts in full or not at all', async () => {
    const { id } = await album.upload();
    const edit = filePart(await jpeg({ width: 80, height: 60, seed: 1 }));
    const [edited, trashed] = await Promise.all([
      album.call<ImageRecord>('POST', `/${id}/filedata`, { form: { image_data: edit } }),
      album.update(id, { delete: 'True' }),
    ]);
    assert.equal(trashed.status, 200);
    const image = await album.get(id);
    assert.notEqual(image.delete_at, null);
    if (edited.status === 200) assert.equal(image.filedata_total, 1);
    else {
      assert.deepEqual([edited.error?.code, image.filedata_total], ['image_in_trash', 0]);
    }
  });

  test('trashing and restoring over and over keeps the accounts', async () => {
    const images = await Promise.all([album.upload(), album.upload(), album.upload()]);
    await Promise.all(
      images.flatMap(({ id }) =>
        ['True', 'False', 'True'].map((word) => album.update(id, { delete: word })),
      ),
    );
  });

  test('all accounts agree in the end', () => assertAccounts(service));
});
