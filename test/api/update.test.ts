import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { assertAccounts } from '../../testkit/accounts.js';
import { updatedAt } from '../../testkit/image-rows.js';
import { filePart, jpeg } from '../../testkit/pictures.js';
import type { Image } from '../../testkit/records.js';
import { testService } from '../../testkit/service.js';

const service = await testService();
const album = await service.user();

test('updated_at rises only with a change', async () => {
  const { id } = await album.upload();
  const first = await updatedAt(service.db, id);
  await album.put<Image>(`/images/${id}`, { address_det: 'a', latitude: '1', longitude: '2' });
  const second = await updatedAt(service.db, id);
  assert.ok(second > first);
  await album.put<Image>(`/images/${id}`, {
    address_det: 'a',
    latitude: '1',
    longitude: '2',
    has_det: 'None',
  });
  assert.equal(await updatedAt(service.db, id), second);
});

describe('concurrently', () => {
  test('two updates of different fields both take effect', async () => {
    const { id } = await album.upload();
    const fields = ['address_road', 'address_land', 'building_name', 'address_det'] as const;
    const answers = await Promise.all(
      fields.map((field, i) =>
        album.put<Image>(`/images/${id}`, { [field]: field, ...(i % 2 ? { delete: 'True' } : {}) }),
      ),
    );
    assert.deepEqual(
      answers.map(({ status }) => status),
      fields.map(() => 200),
    );
    const result = await album.image(id);
    assert.deepEqual(
      fields.map((field) => result[field]),
      fields,
    );
    assert.notEqual(result.delete_at, null);
  });

  test('an edit while the image is being trashed takes effect completely or not at all', async () => {
    const { id } = await album.upload();
    const edit = filePart(await jpeg({ width: 80, height: 60, seed: 1 }));
    const [edited, trashed] = await Promise.all([
      album.call<Image>('POST', `/images/${id}/filedata`, { form: { image_data: edit } }),
      album.put<Image>(`/images/${id}`, { delete: 'True' }),
    ]);
    assert.equal(trashed.status, 200);
    const image = await album.image(id);
    assert.notEqual(image.delete_at, null);
    if (edited.status === 200) assert.equal(image.filedata_total, 1);
    else {
      assert.deepEqual([edited.error?.code, image.filedata_total], ['image_in_trash', 0]);
    }
  });

  test('repeated trashing and restoring keeps the accounting correct', async () => {
    const images = await Promise.all([album.upload(), album.upload(), album.upload()]);
    await Promise.all(
      images.flatMap(({ id }) =>
        ['True', 'False', 'True'].map((word) =>
          album.put<Image>(`/images/${id}`, { delete: word }),
        ),
      ),
    );
  });

  test('the accounting is consistent in the end', () => assertAccounts(service));
});
