import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { assertAccounts } from '../../testkit/accounts.js';
import type { Call } from '../../testkit/client.js';
import { updatedAt } from '../../testkit/image-rows.js';
import type { Image } from '../../testkit/records.js';
import { testService } from '../../testkit/service.js';

const service = await testService();
const album = await service.user();

const share = (call: Call) => album.call<Image[]>('POST', '/images/share', call);
const several = (count: number) =>
  Promise.all(Array.from({ length: count }, () => album.upload())).then((images) =>
    images.map(({ id }) => id),
  );

describe('sharing images', () => {
  test('sharing again succeeds and changes nothing', async () => {
    const { id } = await album.upload({ is_shared: 'True', message: 'x' });
    const before = await updatedAt(service.db, id);
    assert.equal((await share({ form: { image_ids: id } })).status, 200);
    assert.equal(await updatedAt(service.db, id), before);
  });

  test('concurrent sharing and trashing never share an image in the trash', async () => {
    const ids = await several(6);
    const [shared] = await Promise.all([
      share({ form: { image_ids: ids } }),
      ...ids.map((id) => album.put<Image>(`/images/${id}`, { delete: 'True' })),
    ]);
    const marks = await Promise.all(ids.map(async (id) => (await album.image(id)).is_shared));
    assert.deepEqual(
      marks,
      ids.map(() => shared.status === 200),
    );
    await assertAccounts(service);
  });
});
