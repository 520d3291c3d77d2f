import assert from 'node:assert/strict';
import { test } from 'node:test';
import { row } from '../../src/database/sql.js';
import { assertAccounts } from '../../testkit/accounts.js';
import { Album } from '../../testkit/album.js';
import { testService } from '../../testkit/service.js';

const service = await testService();
const album = await Album.of(service);

const trashedWith = async (imageId: string): Promise<unknown> => {
  const sql = 'SELECT trashed_with AS t FROM images WHERE id = $1';
  return (await row<{ t: unknown }>(service.db, sql, [imageId]))?.t;
};

test('an image is trashed by itself; repeating it changes nothing', async () => {
  const { id } = await album.upload();
  await album.update(id, { delete: 'True' });
  assert.equal(await trashedWith(id), null);
  const earlier = await album.updatedAt(id);
  assert.equal((await album.update(id, { delete: 'true' })).status, 200);
  assert.equal(await album.updatedAt(id), earlier);
});

test('an image trashed with its folder and then by itself is still restored with the folder', async () => {
  const folder = await album.folder('gone');
  const { id } = await album.upload({ folder_id: folder });
  await album.trashFolder(folder);
  await album.update(id, { delete: 'True' });
  assert.equal(await trashedWith(id), folder);
  const { result } = await album.update(id, { delete: 'False' });
  assert.deepEqual([result.delete_at, result.folder_id], [null, null]);
  assert.equal(await trashedWith(id), null);
});

test('the accounting is consistent in the end', () => assertAccounts(service));
