import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ImageRecord } from '../../src/library/images/schemas.js';
import { assertAccounts } from '../../testkit/accounts.js';
import { Album } from '../../testkit/album.js';
import type { Call } from '../../testkit/client.js';
import { testService } from '../../testkit/service.js';

const service = await testService();
const album = await Album.of(service);

const share = (call: Call) => album.call<ImageRecord[]>('POST', '/share', call);
const several = (count: number) =>
  Promise.all(Array.from({ length: count }, () => album.upload())).then((images) =>
    images.map(({ id }) => id),
  );

describe('sharing images', () => {
  test('sharing again succeeds and changes nothing', async () => {
    const { id } = await album.upload({ is_shared: 'True', message: 'x' });
    const before = await album.updatedAt(id);
    assert.equal((await share({ form: { image_ids: id } })).status, 200);
    assert.equal(await album.updatedAt(id), before);
  });

  test('concurrent sharing and trashing never share an image in the trash', async () => {
    const ids = await several(6);
    const [shared] = await Promise.all([
      share({ form: { image_ids: ids } }),
      ...ids.map((id) => album.update(id, { delete: 'True' })),
    ]);
    const marks = await Promise.all(ids.map(async (id) => (await album.get(id)).is_shared));
    assert.deepEqual(
      marks,
      ids.map(() => shared.status === 200),
    );
    await assertAccounts(service);
  });
});
