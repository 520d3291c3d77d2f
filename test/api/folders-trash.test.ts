import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { Tree, all, refused } from '../../testkit/folders.js';
import { seedSeries, trashImage } from '../../testkit/image-rows.js';
import { testService } from '../../testkit/service.js';

const service = await testService({ after });
const { db } = service;

const imageIn = async (tree: Tree, folderId: string): Promise<string> =>
  (await seedSeries(service, tree.user, { folderId }))[0] ?? '';

/** The user's counters, as the triggers keep them: active, then trashed. */
async function counts(tree: Tree): Promise<number[]> {
  const [user]: { active: number; trashed: number }[] = await db.query(
    `SELECT active_images AS active, trashed_images AS trashed FROM users WHERE id = $1`,
    [tree.user.id],
  );
  return [user?.active ?? NaN, user?.trashed ?? NaN];
}

/** /a, /a/b, /a/b/c with an image in each. */
async function abc() {
  const tree = await Tree.of(service);
  const a = await tree.create('a');
  const b = await tree.create('b', a.id);
  const c = await tree.create('c', b.id);
  const images = [
    await imageIn(tree, a.id),
    await imageIn(tree, b.id),
    await imageIn(tree, c.id),
  ] as const;
  return { tree, a, b, c, images };
}

describe('trashing', () => {
  test('takes the whole subtree with one time, whatever the case of true', async () => {
    for (const word of ['true', 'True', 'TRUE']) {
      const { tree, a, images } = await abc();
      const { delete_at } = await tree.change(a.id, {}, { delete: word });
      assert.match(delete_at ?? '', /^\d{8}_\d{6}$/);
      const folders = all(await tree.read());
      assert.deepEqual(new Set(folders.map((folder) => folder.delete_at)), new Set([delete_at]));
      for (const id of images) assert.equal((await tree.image(id)).delete_at, delete_at);
      assert.deepEqual(await counts(tree), [0, 3]);
      const times: unknown[] = await db.query(
        `SELECT deleted_at FROM folders WHERE user_id = $1
         UNION SELECT deleted_at FROM images WHERE user_id = $1`,
        [tree.user.id],
      );
      assert.equal(times.length, 1, 'the same instant to the microsecond');
    }
  });

  test('moves updated_at of the folder itself, not of what goes along', async () => {
    const { tree, a, b, images } = await abc();
    await db.query(`UPDATE folders SET updated_at = '2024-01-01' WHERE user_id = $1`, [
      tree.user.id,
    ]);
    const [folder, image] = [await tree.find(b.id), await tree.image(images[0])];
    const gone = await tree.trash(a.id);
    assert.ok(gone.updated_at > folder.updated_at);
    assert.equal((await tree.find(b.id)).updated_at, folder.updated_at);
    assert.equal((await tree.image(images[0])).updated_at, image.updated_at);
  });

  test('twice changes nothing, also of what went along', async () => {
    const { tree, a, c } = await abc();
    const gone = await tree.trash(a.id);
    assert.deepEqual(await tree.trash(a.id), gone);
    await tree.trash(c.id);
    await tree.restore(a.id);
    assert.deepEqual(await tree.outline(), ['/a', '/a/b', '/a/b/c']);
  });

  test('leaves what is beside it alone', async () => {
    const { tree, b } = await abc();
    await tree.create('beside', b.parent_id ?? '');
    await tree.trash(b.id);
    assert.deepEqual(await tree.outline(), ['/a', '/a/b*', '/a/b/c*', '/a/beside']);
    assert.deepEqual(await counts(tree), [1, 2]);
  });
});

describe('restoring', () => {
  test('brings back exactly what went along', async () => {
    const { tree, a, b, c, images } = await abc();
    const alone = await imageIn(tree, b.id);
    await trashImage(service, alone);
    await tree.trash(c.id);
    await tree.trash(a.id);
    const back = await tree.restore(a.id);
    assert.deepEqual([back.parent_id, back.delete_at], [null, null]);
    assert.deepEqual(await tree.outline(), ['/a', '/a/b', '/a/b/c*']);
    assert.equal((await tree.image(images[0])).delete_at, null);
    assert.equal((await tree.image(images[1])).delete_at, null);
    assert.notEqual((await tree.image(images[2])).delete_at, null);
    assert.notEqual((await tree.image(alone)).delete_at, null);
    assert.deepEqual(await counts(tree), [2, 2]);
    assert.equal((await tree.restore(c.id)).parent_id, b.id);
    assert.equal((await tree.image(images[2])).delete_at, null);
  });

  test('what is restored while its parent is in the trash goes to the top level', async () => {
    const { tree, a, b, c, images } = await abc();
    await tree.trash(a.id);
    const back = await tree.restore(b.id);
    assert.deepEqual([back.parent_id, back.delete_at], [null, null]);
    assert.deepEqual(await tree.outline(), ['/a*', '/b', '/b/c']);
    assert.equal((await tree.find(c.id)).parent_id, b.id);
    const inside = await tree.image(images[1]);
    assert.deepEqual([inside.folder_id, inside.delete_at], [b.id, null]);
    await tree.restore(a.id);
    assert.deepEqual(await tree.outline(), ['/a', '/b', '/b/c']);
    assert.deepEqual(await counts(tree), [3, 0]);
  });

  test('unless it is moved elsewhere in the same request', async () => {
    const { tree, a, b, c } = await abc();
    const other = await tree.create('other');
    await tree.trash(a.id);
    await tree.change(b.id, { parent_id: other.id, delete: 'false' });
    assert.deepEqual(await tree.outline(), ['/a*', '/other', '/other/b', '/other/b/c']);
    assert.equal((await tree.find(c.id)).delete_at, null);
  });

  test('what went along twice belongs to the last time', async () => {
    const { tree, a, b } = await abc();
    await tree.trash(b.id);
    await tree.restore(b.id);
    await tree.trash(a.id);
    await tree.restore(a.id);
    assert.deepEqual(await tree.outline(), ['/a', '/a/b', '/a/b/c']);
  });

  test('what was moved out of the trash with its title collides with nothing', async () => {
    const { tree, a, b } = await abc();
    const other = await tree.create('other');
    await tree.trash(a.id);
    await tree.change(b.id, { parent_id: other.id });
    await tree.restore(a.id);
    assert.deepEqual(await tree.outline(), ['/a', '/other', '/other/b*', '/other/b/c*']);
    await tree.restore(b.id);
    assert.deepEqual(await tree.outline(), ['/a', '/other', '/other/b', '/other/b/c']);
  });

  test('a collision by title is folder_exists, and nothing comes back', async () => {
    const { tree, a, images } = await abc();
    await tree.trash(a.id);
    await tree.create('a');
    refused(await tree.tryChange(a.id, {}, { delete: 'false' }), 'folder_exists', 'title');
    assert.deepEqual(await tree.outline(), ['/a', '/a*', '/a/b*', '/a/b/c*']);
    assert.notEqual((await tree.image(images[1])).delete_at, null);
    const back = await tree.change(a.id, { title: 'a again', delete: 'false' });
    assert.equal(back.delete_at, null);
    assert.deepEqual(await tree.outline(), ['/a', '/a again', '/a again/b', '/a again/b/c']);
  });

  test('so is one at the top level, and one deeper inside', async () => {
    const { tree, a, b } = await abc();
    await tree.create('b');
    const twin = await tree.create('twin', a.id);
    await tree.trash(a.id);
    refused(await tree.tryChange(b.id, {}, { delete: 'false' }), 'folder_exists', 'title');
    await tree.change(twin.id, { title: 'b' });
    refused(await tree.tryChange(a.id, {}, { delete: 'false' }), 'folder_exists', 'title');
    await tree.change(twin.id, { title: 'twin' });
    await tree.restore(a.id);
    assert.deepEqual(await tree.outline(), ['/a', '/a/b', '/a/b/c', '/a/twin', '/b']);
  });

  test('what is active already stays as it is', async () => {
    const { tree, a } = await abc();
    const before = await tree.findRecord(a.id);
    assert.deepEqual(await tree.restore(a.id), before);
  });
});

test('the ledger counts each image that went to the trash once', async () => {
  const { tree, a, c } = await abc();
  await tree.trash(c.id);
  await tree.trash(a.id);
  await tree.restore(a.id);
  await tree.remove(a.id);
  const [sum]: { deletions: number; active: number; stored: number }[] = await db.query(
    `SELECT sum(deletions)::int AS deletions, sum(active_images)::int AS active,
            sum(stored_bytes)::int AS stored
     FROM usage_events WHERE user_id = $1`,
    [tree.user.id],
  );
  // Three trashed, two of them restored and then deleted for good.
  assert.deepEqual(sum, { deletions: 5, active: 0, stored: 0 });
});
