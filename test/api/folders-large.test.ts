import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { longForm } from '../../testkit/long-form.js';
import type { Folder } from '../../testkit/records.js';
import { testService } from '../../testkit/service.js';
import { type Member, all } from '../../testkit/world.js';

const service = await testService();
const { db } = service;

const folders = longForm ? 10_000 : 2_500;
/** Folders of the trunk, each inside the previous one, below the root of the tree. */
const trunk = 62;

/**
 * Creates the folders with SQL: a root, a trunk below it, and branches along the trunk, with an image in
 * each folder. Together with the folder that it is moved into, the tree is 64 levels deep.
 * @returns the ids of the root, the lowest of the trunk, and another root.
 */
async function plant(tree: Member): Promise<[root: string, lowest: string, other: string]> {
  const root = (await tree.folder('root')).id;
  const other = (await tree.folder('other')).id;
  let lowest = root;
  for (let level = 1; level <= trunk; level += 1) {
    const [row]: { id: string }[] = await db.query(
      `INSERT INTO folders (id, user_id, parent_id, title)
       VALUES (gen_random_uuid(), $1, $2, 'trunk') RETURNING id`,
      [tree.id, lowest],
    );
    lowest = row?.id ?? '';
  }
  await db.query(
    `WITH trunk AS (
       SELECT id, row_number() OVER (ORDER BY id) - 1 AS n FROM folders
       WHERE user_id = $1 AND id <> $2 AND id <> $3
     )
     INSERT INTO folders (id, user_id, parent_id, title)
     SELECT gen_random_uuid(), $1, trunk.id, 'branch ' || i
     FROM generate_series(1, $4::int) AS i JOIN trunk ON trunk.n = i % $5::int`,
    [tree.id, lowest, other, folders - trunk - 1, trunk],
  );
  await db.query(
    `INSERT INTO images (id, platform_id, user_id, folder_id, created_at, upload_type, version_id,
       filename, format, extension, thumb_extension, hash, bytes, width, height, thumbhash,
       original_extension, original_bytes)
     SELECT gen_random_uuid(), $1, user_id, id, now(), 'gallery', id, title, 'jpeg', 'jpg', 'jpg',
            '\\x00', 1, 1, 1, '\\x00', 'jpg', 1
     FROM folders WHERE user_id = $2 AND title LIKE 'branch%'`,
    [tree.platformId, tree.id],
  );
  await db.query('ANALYZE folders, images');
  return [root, lowest, other];
}

describe('a large tree of folders, 64 deep', () => {
  let tree: Member;
  let root: string;
  let lowest: string;
  let other: string;
  before(async () => {
    tree = await service.user();
    [root, lowest, other] = await plant(tree);
  });
  const active = async () => all(await tree.folders({ has_delete_at: 'False' })).length;
  const counts = async () => {
    const { id } = tree;
    const sql = `SELECT active_images AS a, trashed_images AS t FROM users WHERE id = $1`;
    const [user]: { a: number; t: number }[] = await db.query(sql, [id]);
    return [user?.a, user?.t];
  };
  const branches = folders - trunk - 1;

  test('is read', async () => {
    assert.equal(await active(), folders + 1);
  });

  test('is moved, but not into itself and not too deep', async () => {
    const moved = await tree.changeFolder(root, { parent_id: other });
    assert.equal(moved.parent_id, other);
    const { current_path } = await tree.contents(lowest);
    assert.equal(current_path, `/other/root${'/trunk'.repeat(trunk)}`);
    const cycle = await tree.put<Folder>(`/folders/${other}`, { parent_id: lowest });
    assert.equal(cycle.error?.code, 'folder_cycle');
    const above = (await tree.folder('above')).id;
    const deep = await tree.put<Folder>(`/folders/${other}`, { parent_id: above });
    assert.equal(deep.error?.code, 'folder_too_deep');
    await tree.deleteFolder(above);
  });

  test('is trashed and restored', async () => {
    await tree.trashFolder({ id: root });
    assert.deepEqual([await active(), await counts()], [1, [0, branches]]);
    assert.equal(all(await tree.folders({ has_delete_at: 'True' })).length, folders);
    await tree.restoreFolder({ id: root });
    assert.deepEqual([await active(), await counts()], [folders + 1, [branches, 0]]);
  });

  test('is deleted', async () => {
    const gone = await tree.deleteFolder(root);
    assert.equal(gone.deleted_folders.length, folders);
    assert.equal(gone.deleted_images.length, branches);
    assert.deepEqual([await active(), await counts()], [1, [0, 0]]);
  });
});
