import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { seedSeries, trashImage } from '../../testkit/image-rows.js';
import { testService } from '../../testkit/service.js';
import { type Member, all } from '../../testkit/world.js';

const service = await testService();
const { db } = service;

const imageIn = async (tree: Member, folderId: string): Promise<string> =>
  (await seedSeries(service, tree, { folderId }))[0] ?? '';

/** The user's counters, as the triggers keep them: active, then trashed. */
async function counts(tree: Member): Promise<number[]> {
  const [user]: { active: number; trashed: number }[] = await db.query(
    `SELECT active_images AS active, trashed_images AS trashed FROM users WHERE id = $1`,
    [tree.id],
  );
  return [user?.active ?? NaN, user?.trashed ?? NaN];
}

/** /a, /a/b, /a/b/c with an image in each. */
async function abc() {
  const tree = await service.user();
  const a = await tree.folder('a');
  const b = await tree.folder('b', a);
  const c = await tree.folder('c', b);
  const images = [
    await imageIn(tree, a.id),
    await imageIn(tree, b.id),
    await imageIn(tree, c.id),
  ] as const;
  return { tree, a, b, c, images };
}

describe('trashing', () => {
  test('trashes the whole subtree at one time, with true in any case', async () => {
    for (const word of ['true', 'True', 'TRUE']) {
      const { tree, a, images } = await abc();
      const { delete_at } = await tree.changeFolder(a.id, {}, { delete: word });
      assert.match(delete_at ?? '', /^\d{8}_\d{6}$/);
      const folders = all(await tree.folders());
      assert.deepEqual(new Set(folders.map((folder) => folder.delete_at)), new Set([delete_at]));
      for (const id of images) assert.equal((await tree.image(id)).delete_at, delete_at);
      assert.deepEqual(await counts(tree), [0, 3]);
      const times: unknown[] = await db.query(
        `SELECT deleted_at FROM folders WHERE user_id = $1
         UNION SELECT deleted_at FROM images WHERE user_id = $1`,
        [tree.id],
      );
      assert.equal(times.length, 1, 'the same instant to the microsecond');
    }
  });

  test('updates updated_at of all that goes along', async () => {
    const { tree, a, b, images } = await abc();
    await db.query(`UPDATE folders SET updated_at = '2024-01-01' WHERE user_id = $1`, [tree.id]);
    const folder = await tree.findFolder(b.id);
    const gone = await tree.trashFolder(a);
    assert.ok(folder && gone.updated_at > folder.updated_at);
    assert.equal((await tree.findFolder(b.id))?.updated_at, gone.updated_at);
    assert.equal((await tree.image(images[0])).updated_at, gone.updated_at);
    const back = await tree.restoreFolder(a);
    assert.equal((await tree.findFolder(b.id))?.updated_at, back.updated_at);
    assert.equal((await tree.image(images[0])).updated_at, back.updated_at);
  });
});

test('restoring counts exactly what was trashed with the folder', async () => {
  const { tree, a, b, c } = await abc();
  await trashImage(service, await imageIn(tree, b.id));
  await tree.trashFolder(c);
  await tree.trashFolder(a);
  assert.deepEqual(await counts(tree), [0, 4]);
  await tree.restoreFolder(a);
  assert.deepEqual(await counts(tree), [2, 2]);
  await tree.restoreFolder(c);
  assert.deepEqual(await counts(tree), [3, 1]);
});

test('the ledger counts each trashed image once', async () => {
  const { tree, a, c } = await abc();
  await tree.trashFolder(c);
  await tree.trashFolder(a);
  await tree.restoreFolder(a);
  await tree.deleteFolder(a.id);
  const [sum]: { deletions: number; active: number; stored: number }[] = await db.query(
    `SELECT sum(deletions)::int AS deletions, sum(active_images)::int AS active,
            sum(stored_bytes)::int AS stored
     FROM usage_events WHERE user_id = $1`,
    [tree.id],
  );
  // Three trashed, two of them restored and then deleted for good.
  assert.deepEqual(sum, { deletions: 5, active: 0, stored: 0 });
});
