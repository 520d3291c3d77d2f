import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seedImages } from '../../testkit/image-rows.js';
import { refused } from '../../testkit/expect.js';
import { testService } from '../../testkit/service.js';
import { readPages, walkPages } from '../../testkit/read-pages.js';
import type { Member } from '../../testkit/world.js';

const service = await testService();

/** A folder with 5 folders and 7 images, in the same order by name and by time. */
async function folderFixture(): Promise<{ tree: Member; id: string; ids: string[] }> {
  const tree = await service.user();
  const { id } = await tree.folder('all');
  const folders: string[] = [];
  for (const n of [1, 2, 3, 10, 11]) folders.push((await tree.folder(`folder ${n}`, { id })).id);
  const images = await seedImages(
    service,
    tree,
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
      const { id: folder } = await tree.folder(`${name} folder ${pages}`, { id });
      await service.db.query('UPDATE folders SET created_at = $2, updated_at = $2 WHERE id = $1', [
        folder,
        date,
      ]);
      const image = { folder_id: id, created_at: date, filename: `${name} ${pages}` };
      await seedImages(service, tree, [image]);
    };
    const seen = await walkPages(
      (at) => tree.contents(id, { ...order, page_size: '2', ...at }),
      between,
    );
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
    if (pages === 1) await tree.deleteFolder(ids[0] ?? '');
    if (pages === 3) await service.db.query('DELETE FROM images WHERE id = $1', [ids[5]]);
  };
  const seen = await walkPages((at) => tree.contents(id, { page_size: '2', ...at }), between);
  assert.deepEqual(
    seen.map(({ data }) => data.id),
    ids,
  );
});

test('an index is a position, folders first', async () => {
  const { tree, id, ids } = await folderFixture();
  for (let index = 0; index <= 13; index += 1) {
    const query = { page_size: '4', last_index: String(index) };
    const { items, total_count } = await tree.contents(id, query);
    assert.deepEqual(
      items.map(({ data }) => data.id),
      ids.slice(index, index + 4),
    );
    assert.equal(total_count, 12);
  }
});

test('a cursor belongs to the folder, the order, and to whether images are listed', async () => {
  const { tree, id, ids } = await folderFixture();
  const first = await tree.contents(id, { page_size: '3', get_image: 'False' });
  const cursor = first.next_cursor ?? '';
  const rest = await tree.contents(id, { page_size: '9', cursor, get_image: 'False' });
  assert.deepEqual(
    rest.items.map(({ data }) => data.id),
    ids.slice(3, 5),
  );
  const as = ['User', tree.token] as const;
  const path = `/api/v1/users/${tree.id}/folders`;
  for (const [folder, query] of [
    [id, { cursor }],
    [id, { cursor, get_image: 'False', sort_order: 'desc' }],
    [ids[0], { cursor, get_image: 'False' }],
    ['root', { cursor, get_image: 'False' }],
  ] as const) {
    const answer = await service.client.get(`${path}/${folder}`, { as, query });
    refused(answer, 400, 'invalid_cursor', 'cursor');
  }
});

test('a page that ends with the last folder is followed by images', async () => {
  const { tree, id, ids } = await folderFixture();
  const query = { sort_by: 'name', sort_order: 'asc', page_size: '5' };
  const seen = await readPages((at) => tree.contents(id, { ...query, ...at }));
  assert.deepEqual(
    seen.map(({ data }) => data.id),
    ids,
  );
});
