import assert from 'node:assert/strict';
import type { Contents } from '../../testkit/records.js';
import { describe, test } from 'node:test';
import { seedSeries } from '../../testkit/image-rows.js';
import { testService } from '../../testkit/service.js';
import { readPages } from '../../testkit/read-pages.js';

const service = await testService();
const { db } = service;

const ids = ({ items }: Contents): string[] => items.map(({ data }) => data.id);

/** A folder with two folders, four images, and content on a deeper level. */
async function folderFixture() {
  const tree = await service.user();
  const folder = await tree.folder('선반');
  const ten = await tree.folder('사진 10', folder);
  const two = await tree.folder('사진 2', folder);
  const images = await seedSeries(service, tree, { folderId: folder.id, count: 12 });
  await seedSeries(service, tree, { folderId: ten.id });
  await tree.folder('deeper', ten);
  return { tree, folder, ten, two, images };
}

describe('the order of folder contents', () => {
  test('by name: Korean, numbers by value', async () => {
    const { tree, folder, ten, two, images } = await folderFixture();
    const up = ids(await tree.contents(folder.id, { sort_by: 'name' }));
    // The filenames of the images run from "picture 12" down to "picture 1".
    assert.deepEqual(up, [two.id, ten.id, ...images.toReversed()]);
    const down = ids(await tree.contents(folder.id, { sort_by: 'name', sort_order: 'desc' }));
    assert.deepEqual(down, [ten.id, two.id, ...images], 'folders stay first');
  });

  test('by updated_at', async () => {
    const { tree, folder, ten, two, images } = await folderFixture();
    await db.query(`UPDATE folders SET updated_at = '2024-01-01' WHERE id = $1`, [two.id]);
    await db.query(`UPDATE images SET updated_at = '2024-01-01' WHERE id = $1`, [images[5]]);
    const up = ids(await tree.contents(folder.id, { sort_by: 'updated_at' }));
    assert.deepEqual(up, [two.id, ten.id, images[5], ...images.filter((_, n) => n !== 5)]);
  });

  test('ties are ordered by id, so that pages neither overlap nor skip', async () => {
    const { tree, folder } = await folderFixture();
    await db.query(`UPDATE images SET created_at = now() WHERE user_id = $1`, [tree.id]);
    await db.query(`UPDATE folders SET created_at = now() WHERE user_id = $1`, [tree.id]);
    const whole = ids(await tree.contents(folder.id));
    assert.equal(new Set(whole).size, 14);
    for (const size of [1, 3, 14]) {
      const paged = await readPages((at) =>
        tree.contents(folder.id, { page_size: `${size}`, ...at }),
      );
      assert.deepEqual(
        paged.map(({ data }) => data.id),
        whole,
      );
    }
  });
});
