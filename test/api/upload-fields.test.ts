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
const placed = { latitude: 10.5, longitude: -20.25 };

const upload = async (form: Record<string, string>, query: Record<string, string> = {}) =>
  album.call<ImageRecord>('POST', '', {
    query,
    form: { ...form, image_data: filePart(await jpeg({ place: placed })) },
  });

describe('fields of an upload', () => {
  for (const folder_id of ['', ' ', '+', '%20', 'UNSET']) {
    test(`folder_id ${JSON.stringify(folder_id)} is the top level`, async () => {
      const { status, result } = await upload({ folder_id });
      assert.deepEqual([status, result.folder_id], [200, null]);
    });
  }

  test('folder_id names a folder, in any case, in body or query', async () => {
    const folder = await album.folder('target');
    const byBody = await upload({ folder_id: folder.toUpperCase() });
    const byQuery = await upload({}, { folder_id: folder });
    assert.deepEqual([byBody.result.folder_id, byQuery.result.folder_id], [folder, folder]);
  });

  test('folder_id refuses a folder that is unknown, another user’s, or in the trash', async () => {
    const other = await Album.of(service);
    for (const [folder_id, code] of [
      ['none', 'folder_not_found'],
      ['x'.repeat(500), 'folder_not_found'],
      [uuidv7(), 'folder_not_found'],
      [await other.folder('theirs'), 'folder_not_found'],
      [await album.folder('trashed', true), 'folder_in_trash'],
    ] as const) {
      assert.deepEqual(refusal(await upload({ folder_id })), [400, code, 'folder_id']);
    }
  });

  test('empty coordinates are absent ones: the place comes from EXIF', async () => {
    const { result } = await upload({ latitude: '', longitude: '' });
    assert.deepEqual([result.lat, result.lng], [placed.latitude, placed.longitude]);
    const half = await upload({ latitude: '1', longitude: '' });
    assert.deepEqual(refusal(half), [400, 'missing_field', 'longitude']);
  });

  test('has_det takes all three states', async () => {
    const said: [Record<string, string>, boolean | null][] = [
      [{ has_det: 'True' }, true],
      [{ has_det: 'FALSE' }, false],
      [{ has_det: 'none' }, null],
      [{}, null],
    ];
    for (const [form, value] of said) {
      assert.equal((await upload(form)).result.has_det, value);
    }
  });

  test('is_shared and is_signed: None and absent are false', async () => {
    const forms: Record<string, string>[] = [{ is_shared: 'None', is_signed: 'null' }, {}];
    for (const form of forms) {
      const { is_shared, is_signed, memos } = (await upload(form)).result;
      assert.deepEqual([is_shared, is_signed, memos], [false, false, null]);
    }
  });

  test('a message is kept as a memo whether the image is shared or not', async () => {
    const forms: Record<string, string>[] = [
      { message: '안녕' },
      { message: '안녕', is_shared: 'True' },
    ];
    for (const form of forms) {
      const { result } = await upload(form);
      assert.deepEqual(
        result.memos?.map(({ message, is_client }) => [message, is_client]),
        [['안녕', false]],
      );
      assert.equal(result.is_shared, 'is_shared' in form);
    }
  });

  test('an empty message is none: fine alone, not enough for sharing', async () => {
    const alone = await upload({ message: '' });
    assert.deepEqual([alone.status, alone.result.memos], [200, null]);
    const shared = await upload({ message: '', is_shared: 'True' });
    assert.deepEqual(refusal(shared), [400, 'missing_field', 'message']);
    const long = await upload({ message: 'a'.repeat(10_001) });
    assert.deepEqual(refusal(long), [400, 'invalid_field', 'message']);
  });

  test('an empty text is stored as null, others as given', async () => {
    const { result } = await upload({ address_road: ' 길 ', building_name: '' });
    assert.deepEqual([result.address_road, result.building_name], [' 길 ', null]);
  });

  test('a body without the file is refused in every media type', async () => {
    for (const call of [{ json: { has_det: true } }, { urlencoded: { has_det: 'True' } }, {}]) {
      const answer = await album.call('POST', '', call);
      assert.deepEqual(refusal(answer), [400, 'missing_field', 'image_data']);
    }
  });

  test('all accounts agree in the end', () => assertAccounts(service));
});
