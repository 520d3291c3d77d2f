import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seedImages } from '../../testkit/image-rows.js';
import { Tree } from '../../testkit/folders.js';
import { testService } from '../../testkit/service.js';
import { readPages } from '../../testkit/read-pages.js';

const service = await testService();

/** A folder with 5 folders and 7 images, in the same order by name and by time. */
async function folderFixture(): Promise<{ tree: Tree; id: string; ids: string[] }> {
  const tree = await Tree.of(service);
  const { id } = await tree.create('all');
  const folders: string[] = [];
  for (const n of [1, 2, 3, 10, 11]) folders.push((await tree.create(`folder ${n}`, id)).id);
  const images = await seedImages(
    service,
    tree.user,
    [1, 2, 3, 9, 10, 11, 20].map((n) => ({
      folder_id: id,
      filename: `picture ${n}.jpg`,
      created_at: `2025-01-${String(n).padStart(2, '0')}T00:00:00.00000${n % 10}Z`,
      ...(n % 2 > 0 && { taken_at: `2025-01-${String(n).padStart(2, '0')}T00:00:00.00001Z` }),
    })),
  );
  return { tree, id, ids: [...folders, ...images] };
}

const orders = ['created_at', 'updated_at', 'taken_at', 'name'].flatMap((sort_by) =>
  ['asc', 'desc'].map((sort_order) => ({ sort_by, sort_order })),
);

for (const order of orders) {
  const what = `${order.sort_by} ${order.sort_order}`;
  const wanted = ({ ids }: { ids: string[] }) =>
    order.sort_order === 'asc' ? ids : [...ids.slice(0, 5).reverse(), ...ids.slice(5).reverse()];

  test(`folders and images created on earlier pages shift nothing (${what})`, async () => {
    const all = await folderFixture();
    const { tree, id } = all;
    const [date, name] = order.sort_order === 'asc' ? ['1990-01-01', '0'] : ['2099-01-01', 'zzz'];
    const between = async (pages: number) => {
      const { id: folder } = await tree.create(`${name} folder ${pages}`, id);
      await service.db.query('UPDATE folders SET created_at = $2, updated_at = $2 WHERE id = $1', [
        folder,
        date,
      ]);
      const image = { folder_id: id, created_at: date, filename: `${name} ${pages}` };
      await seedImages(service, tree.user, [image]);
    };
    const seen = await readPages((last_index) => {
      const query = { ...order, page_size: '2', last_index: String(last_index) };
      return tree.contents(id, query);
    }, between);
    const ids = seen.map(({ data }) => data.id);
    assert.deepEqual(
      ids.filter((one) => all.ids.includes(one)),
      wanted(all),
    );
    assert.equal(new Set(ids).size, ids.length);
    assert.deepEqual(
      seen.map(({ is_folder }) => is_folder),
      seen.map((_, i) => i < 5),
    );
  });
}

test('deletions on earlier pages do not cause skipping', async () => {
  const { tree, id, ids } = await folderFixture();
  const between = async (pages: number) => {
    if (pages === 1) await tree.remove(ids[0] ?? '');
    if (pages === 3) await service.db.query('DELETE FROM images WHERE id = $1', [ids[5]]);
  };
  const seen = await readPages(
    (index) => tree.contents(id, { page_size: '2', last_index: String(index) }),
    between,
  );
  assert.deepEqual(
    seen.map(({ data }) => data.id),
    ids,
  );
});

test('an index without a cursor is located by counting, folders first', async () => {
  const { tree, id, ids } = await folderFixture();
  for (let index = 0; index <= 13; index += 1) {
    const query = { page_size: '4', last_index: String(index) };
    const { items, total_count } = await tree.contents(id, query);
    assert.deepEqual(
      items.map(({ data }) => data.id),
      ids.slice(index, index + 4),
    );
    assert.equal(total_count, 12);
    await service.db.query('TRUNCATE walks');
  }
});

test('lists with and without images have separate cursors', async () => {
  const { tree, id, ids } = await folderFixture();
  await tree.contents(id, { page_size: '3', get_image: 'False' });
  const first = await tree.create('folder 0', id);
  await service.db.query(`UPDATE folders SET created_at = '1990-01-01' WHERE id = $1`, [first.id]);
  const rest = await tree.contents(id, { page_size: '9', last_index: '3', get_image: 'False' });
  assert.deepEqual(
    rest.items.map(({ data }) => data.id),
    ids.slice(3, 5),
  );
  const both = await tree.contents(id, { page_size: '2', last_index: '3' });
  assert.deepEqual(
    both.items.map(({ data }) => data.id),
    ids.slice(2, 4),
    'counted off the list as it is now',
  );
});

test('a page that ends with the last folder is followed by images', async () => {
  const { tree, id, ids } = await folderFixture();
  const seen = await readPages((last_index) =>
    tree.contents(id, {
      sort_by: 'name',
      sort_order: 'asc',
      page_size: '5',
      last_index: `${last_index}`,
    }),
  );
  assert.deepEqual(
    seen.map(({ data }) => data.id),
    ids,
  );
});
