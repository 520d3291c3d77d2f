import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { v7 as uuidv7 } from 'uuid';
import type { ImageRecord } from '../../src/images/schemas.js';
import { assertAccounts } from '../../testkit/accounts.js';
import { Album, refusal } from '../../testkit/album.js';
import { filePart, jpeg } from '../../testkit/pictures.js';
import { testService } from '../../testkit/service.js';

const service = await testService({ after });
const album = await Album.of(service);

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
    const first = await album.updatedAt(id);
    await album.update(id, { address_det: 'a', latitude: '1', longitude: '2' });
    const second = await album.updatedAt(id);
    assert.ok(second > first);
    await album.update(id, { address_det: 'a', latitude: '1', longitude: '2', has_det: 'None' });
    assert.equal(await album.updatedAt(id), second);
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
