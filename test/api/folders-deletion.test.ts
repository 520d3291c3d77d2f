import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { seedSeries, trashImage } from '../../testkit/image-rows.js';
import { testService } from '../../testkit/service.js';

const service = await testService();

describe('permanently deleting a folder', () => {
  test('deletes the subtree with its images, in the trash or not, and returns the ids', async () => {
    const tree = await service.user();
    const a = await tree.folder('a');
    const [b, c] = [await tree.folder('b', a), await tree.folder('c', a)];
    const d = await tree.folder('d', b);
    const [inA = ''] = await seedSeries(service, tree, { folderId: a.id });
    const [inD = ''] = await seedSeries(service, tree, { folderId: d.id });
    const [alone = ''] = await seedSeries(service, tree, { folderId: c.id });
    const [outside = ''] = await seedSeries(service, tree);
    await trashImage(service, alone);
    await tree.trashFolder(b);

    const gone = await tree.deleteFolder(a.id);

    assert.deepEqual(gone.deleted_folders.sort(), [a.id, b.id, c.id, d.id].sort());
    assert.deepEqual(gone.deleted_images.sort(), [inA, inD, alone].sort());
    assert.deepEqual(await tree.folders(), []);
    assert.equal((await tree.image(outside)).id, outside);
    const [left]: { images: number; versions: number; counted: number; stored: number }[] =
      await service.db.query(
        `SELECT (SELECT count(*)::int FROM images WHERE user_id = u.id) AS images,
                (SELECT count(*)::int FROM image_versions WHERE user_id = u.id) AS versions,
                active_images + trashed_images AS counted, stored_bytes AS stored
         FROM users u WHERE id = $1`,
        [tree.id],
      );
    assert.deepEqual(left, { images: 1, versions: 1, counted: 1, stored: 1024 });
    const [queue]: { keys: number }[] = await service.db.query(
      `SELECT count(*)::int AS keys FROM object_reclaim WHERE key LIKE '%/' || $1 || '/%'`,
      [inD],
    );
    assert.equal(queue?.keys, 2);
  });
});
