import assert from 'node:assert/strict';
import { test } from 'node:test';
import { row } from '../../src/database/sql.js';
import { assertAccounts } from '../../testkit/accounts.js';
import { updatedAt } from '../../testkit/image-rows.js';
import type { Image } from '../../testkit/records.js';
import { testService } from '../../testkit/service.js';

const service = await testService();
const album = await service.user();

const trashedWith = async (imageId: string): Promise<unknown> => {
  const sql = 'SELECT trashed_with AS t FROM images WHERE id = $1';
  return (await row<{ t: unknown }>(service.db, sql, [imageId]))?.t;
};

test('an image is trashed by itself; repeating it changes nothing', async () => {
  const { id } = await album.upload();
  await album.put<Image>(`/images/${id}`, { delete: 'True' });
  assert.equal(await trashedWith(id), null);
  const earlier = await updatedAt(service.db, id);
  assert.equal((await album.put<Image>(`/images/${id}`, { delete: 'true' })).status, 200);
  assert.equal(await updatedAt(service.db, id), earlier);
});

test('an image trashed with its folder and then by itself is still restored with the folder', async () => {
  const folder = (await album.folder('gone')).id;
  const { id } = await album.upload({ folder_id: folder });
  await album.trashFolder({ id: folder });
  await album.put<Image>(`/images/${id}`, { delete: 'True' });
  assert.equal(await trashedWith(id), folder);
  const { result } = await album.put<Image>(`/images/${id}`, { delete: 'False' });
  assert.deepEqual([result.delete_at, result.folder_id], [null, null]);
  assert.equal(await trashedWith(id), null);
});

test('the accounting is consistent in the end', () => assertAccounts(service));
