import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { Tree, refused } from '../../testkit/folders.js';
import { seedSeries, trashImage } from '../../testkit/image-rows.js';
import { testService } from '../../testkit/service.js';

const service = await testService({ after });
const { client } = service;

describe('deleting a folder for good', () => {
  test('takes the subtree with its images, in the trash or not, and answers the ids', async () => {
    const tree = await Tree.of(service);
    const a = await tree.create('a');
    const [b, c] = [await tree.create('b', a.id), await tree.create('c', a.id)];
    const d = await tree.create('d', b.id);
    const [inA = ''] = await seedSeries(service, tree.user, { folderId: a.id });
    const [inD = ''] = await seedSeries(service, tree.user, { folderId: d.id });
    const [alone = ''] = await seedSeries(service, tree.user, { folderId: c.id });
    const [outside = ''] = await seedSeries(service, tree.user);
    await trashImage(service, alone);
    await tree.trash(b.id);

    const gone = await tree.remove(a.id);

    assert.deepEqual(gone.deleted_folders.sort(), [a.id, b.id, c.id, d.id].sort());
    assert.deepEqual(gone.deleted_images.sort(), [inA, inD, alone].sort());
    assert.deepEqual(await tree.read(), []);
    assert.equal((await tree.image(outside)).id, outside);
    const [left]: { images: number; versions: number; counted: number; stored: number }[] =
      await service.db.query(
        `SELECT (SELECT count(*)::int FROM images WHERE user_id = u.id) AS images,
                (SELECT count(*)::int FROM image_versions WHERE user_id = u.id) AS versions,
                active_images + trashed_images AS counted, stored_bytes AS stored
         FROM users u WHERE id = $1`,
        [tree.user.id],
      );
    assert.deepEqual(left, { images: 1, versions: 1, counted: 1, stored: 1024 });
    const [queue]: { keys: number }[] = await service.db.query(
      `SELECT count(*)::int AS keys FROM object_reclaim WHERE key LIKE '%/' || $1 || '/%'`,
      [inD],
    );
    assert.equal(queue?.keys, 2);
  });

  test('an empty one, and only once', async () => {
    const tree = await Tree.of(service);
    const { id } = await tree.create('a');
    assert.deepEqual(await tree.remove(id), { deleted_folders: [id], deleted_images: [] });
    for (const unknown of [id, 'root', '%20', 'nowhere']) {
      refused(await tree.tryRemove(unknown), 'folder_not_found');
    }
  });
});

test('folders are closed to foreign tokens, and foreign folders to own tokens', async () => {
  const [tree, other] = [await Tree.of(service), await Tree.of(service)];
  const folder = await tree.create('mine');
  const as = ['User', other.user.token] as const;
  for (const [method, path] of [
    ['GET', ''],
    ['POST', ''],
    ['GET', `/${folder.id}`],
    ['PUT', `/${folder.id}`],
    ['DELETE', `/${folder.id}`],
  ] as const) {
    const answer = await client.request(method, tree.path + path, { as });
    assert.deepEqual([answer.status, answer.error?.code], [403, 'forbidden']);
    assert.equal((await client.request(method, tree.path + path)).status, 401);
  }
  refused(await other.tryContents(folder.id), 'folder_not_found');
  refused(await other.tryChange(folder.id, { title: 'x' }), 'folder_not_found');
  refused(await other.tryRemove(folder.id), 'folder_not_found');
  assert.deepEqual(await tree.outline(), ['/mine']);
});
