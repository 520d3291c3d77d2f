import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { v7 as uuidv7 } from 'uuid';
import { row } from '../../src/database/sql.js';
import type { ImageRecord } from '../../src/images/schemas.js';
import { assertAccounts } from '../../testkit/accounts.js';
import { Album, refusal } from '../../testkit/album.js';
import { testService } from '../../testkit/service.js';

const service = await testService({ after });
const album = await Album.of(service);

/** What an answer says beside the addresses, which are signed anew now and then. */
const facts = (record: ImageRecord) =>
  Object.fromEntries(Object.entries(record).filter(([name]) => !name.endsWith('_url')));

const trashedWith = async (imageId: string): Promise<unknown> => {
  const sql = 'SELECT trashed_with AS t FROM images WHERE id = $1';
  return (await row<{ t: unknown }>(service.db, sql, [imageId]))?.t;
};

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
    const earlier = await album.updatedAt(image.id);
    const { status, result } = await album.update(image.id, { delete: 'true' });
    assert.deepEqual([status, facts(result)], [200, facts(await album.get(image.id))]);
    assert.equal(await album.updatedAt(image.id), earlier);
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

test('all accounts agree in the end', () => assertAccounts(service));
