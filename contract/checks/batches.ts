import assert from 'node:assert/strict';
import { done, nobody, refused } from '../../testkit/expect.js';
import type { Image } from '../../testkit/records.js';
import type { Member } from '../../testkit/world.js';
import { area } from '../harness.js';

interface BatchResult {
  readonly count: number;
  readonly changed: readonly string[];
  readonly unchanged: readonly string[];
  readonly images?: readonly Image[];
}

const batch = (user: Member, json: Readonly<Record<string, unknown>>) =>
  user.call<BatchResult>('POST', '/images/batch', { json });

export const batches = area('batches', (check) => {
  check('changeImages', 'X11.1 the same fields for all, or its own for each', async (world) => {
    const user = await world.user();
    const folder = await user.folder('batch');
    const [a, b] = [await user.upload(), await user.upload()];
    const image_ids = [a.id, b.id];
    const all = { image_ids, folder_id: folder.id, message: 'm', customs: { floor: '3' } };
    assert.deepEqual(done(await batch(user, all)).changed, image_ids);
    for (const id of image_ids) {
      const image = await user.image(id, { with_memo: 'True', with_custom: 'True' });
      assert.equal(image.folder_id, folder.id);
      assert.deepEqual(
        [image.memos?.map(({ message }) => message), image.customs?.map(({ value }) => value)],
        [['m'], ['3']],
      );
    }
    const changes = [
      { image_id: a.id, has_det: true, customs: { floor: null } },
      { image_id: b.id, delete: 'True' },
    ];
    assert.deepEqual(done(await batch(user, { changes })).changed, image_ids);
    const [first, second] = [
      await user.image(a.id, { with_custom: 'True' }),
      await user.image(b.id),
    ];
    assert.deepEqual([first.has_det, first.customs], [true, []]);
    assert.notEqual(second.delete_at, null);
    assert.deepEqual(done(await batch(user, { image_ids: [b.id], purge: true })).changed, [b.id]);
    refused(await user.get(`/images/${b.id}`), 400, 'image_not_found');
  });

  check('changeImages', 'X11.2 what changed, records, and all or none', async (world) => {
    const user = await world.user();
    const [a, b] = [await user.upload(), await user.upload({ has_det: 'True' })];
    const asked = { image_ids: [b.id, a.id], has_det: true, with_records: true };
    const made = done(await batch(user, asked));
    assert.deepEqual([made.count, made.changed, made.unchanged], [2, [a.id], [b.id]]);
    assert.deepEqual(
      made.images?.map(({ id }) => id),
      [b.id, a.id],
    );
    const answer = await batch(user, { image_ids: [a.id, nobody], has_det: false });
    refused(answer, 400, 'image_not_found');
    const offenders = [{ image_id: nobody, code: 'image_not_found' }];
    assert.deepEqual(answer.error?.details, { offenders });
    assert.equal((await user.image(a.id)).has_det, true);
  });

  check('changeImages', 'X11.3 what is no batch is 400', async (world) => {
    const user = await world.user();
    const { id: image_id } = await user.upload();
    const changes = [{ image_id }];
    refused(await batch(user, {}), 400, 'invalid_field');
    refused(await batch(user, { image_ids: [image_id], changes }), 400, 'invalid_field');
    refused(await batch(user, { changes: [...changes, ...changes] }), 400, 'invalid_field');
    const twice = done(await batch(user, { image_ids: [image_id, image_id] }));
    assert.deepEqual([twice.count, twice.unchanged], [1, [image_id]]);
    refused(await batch(user, { image_ids: [image_id], purge: true }), 400, 'image_not_in_trash');
    const records = { image_ids: [image_id], purge: true, with_records: true };
    refused(await batch(user, records), 400, 'invalid_field');
    const other = { changes: [{ image_id, folder_id: nobody }] };
    refused(await batch(user, other), 400, 'folder_not_found', 'changes');
    const shared = { image_ids: [image_id], folder_id: nobody };
    refused(await batch(user, shared), 400, 'folder_not_found', 'folder_id');
  });
});
