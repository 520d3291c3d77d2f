import assert from 'node:assert/strict';
import { done, hasFields, near, nobody, refused } from '../../testkit/expect.js';
import { readPages } from '../../testkit/read-pages.js';
import { area } from '../harness.js';
import type { Entry, Folder, Image } from '../../testkit/records.js';
import type { Member, World } from '../../testkit/world.js';

const ids = ({ items }: { items: readonly Entry[] }) => items.map(({ data }) => data.id);

/** A record without its signed URLs, which change from time to time. */
const withoutUrls = (record: object) =>
  Object.fromEntries(Object.entries(record).filter(([name]) => !name.endsWith('_url')));

interface FolderFixture {
  readonly user: Member;
  readonly folder: Folder;
  readonly inner: readonly Folder[];
  readonly images: readonly Image[];
}

/** A folder with two folders and three images, and content on a deeper level. */
async function folderFixture(world: World): Promise<FolderFixture> {
  const user = await world.user();
  const folder = await user.folder('선반');
  const inner = [await user.folder('사진 10', folder), await user.folder('사진 2', folder)];
  const images = [];
  for (const day of [3, 1, 2]) {
    images.push(await user.upload({ folder_id: folder.id, created_at: `2024030${day}_000000` }));
  }
  await user.upload({ folder_id: inner[0]?.id ?? '' });
  return { user, folder, inner, images };
}

export const folderContents = area('folder contents', (check) => {
  check('folderContents', 'IF 17 returns count, paging, path, and items', async (world) => {
    const { user, folder, inner, images } = await folderFixture(world);
    const contents = await user.contents(folder.id);
    hasFields(contents, ['count', 'total_count', 'last_index', 'page_size', 'items']);
    assert.deepEqual([contents.count, contents.total_count, contents.last_index], [5, 5, 5]);
    assert.equal(contents.page_size, 60);
    assert.deepEqual(
      ids(contents).sort(),
      [...inner, ...images].map(({ id }) => id).sort(),
      'only direct contents',
    );
    near(
      contents.total_filesize_mb,
      images.reduce((sum, i) => sum + i.filesize_mb, 0),
      5e-6,
    );
    const [first, , image] = contents.items;
    assert.deepEqual(first, { is_folder: true, data: inner[0] });
    const read = await user.image(image?.data.id ?? '');
    assert.deepEqual(withoutUrls(image?.data ?? {}), withoutUrls(read));
  });

  check('folderContents', '§5.7 current_path and current_path_id', async (world) => {
    const user = await world.user();
    const a = await user.folder('여행');
    const b = await user.folder('제주 2', a);
    const c = await user.folder('바다', b);
    const { current_path, current_path_id } = await user.contents(c.id.toUpperCase());
    assert.equal(current_path, '/여행/제주 2/바다');
    assert.equal(current_path_id, `/${a.id}/${b.id}/${c.id}`);
  });

  for (const word of ['%20', '+', 'root', '%20/']) {
    check('folderContents', `§1.4 the path "${word}" is the top level`, async (world) => {
      const user = await world.user();
      const folder = await user.folder('a');
      const image = await user.upload();
      await user.upload({ folder_id: folder.id });
      const contents = await user.contents(word);
      assert.deepEqual(ids(contents), [folder.id, image.id]);
      assert.deepEqual([contents.current_path, contents.current_path_id], ['/', '/']);
    });
  }

  check(
    'folderContents',
    '§5.7 folders come first, their data without child_folders',
    async (world) => {
      const { user, folder } = await folderFixture(world);
      for (const sort_order of ['asc', 'desc']) {
        const { items } = await user.contents(folder.id, { sort_order });
        assert.deepEqual(
          items.map(({ is_folder }) => is_folder),
          [true, true, false, false, false],
        );
        assert.ok(!('child_folders' in (items[0]?.data ?? {})));
        hasFields(items[0]?.data ?? {}, ['id', 'title', 'parent_id', 'delete_at']);
        hasFields(items[2]?.data ?? {}, ['filename', 'path_url', 'org_path_url']);
      }
    },
  );

  check('folderContents', 'IF 17 sorts by created_at, ascending by default', async (world) => {
    const { user, folder, images } = await folderFixture(world);
    const wanted = [images[1]?.id, images[2]?.id, images[0]?.id];
    const read = async (query: Record<string, string>) =>
      ids(await user.contents(folder.id, query)).slice(2);
    assert.deepEqual(await read({}), wanted);
    assert.deepEqual(await read({ sort_by: 'taken_at' }), wanted, 'none tells when it was taken');
    assert.deepEqual(await read({ sort_by: 'created_at', sort_order: 'desc' }), wanted.reverse());
  });

  check('folderContents', '§5.7 sorts by name: title and filename', async (world) => {
    const { user, folder, inner, images } = await folderFixture(world);
    const wanted = [inner[1]?.id, inner[0]?.id, ...images.map(({ id }) => id)];
    assert.deepEqual(ids(await user.contents(folder.id, { sort_by: 'name' })), wanted);
  });

  check('folderContents', 'IF 17 sorts by updated_at', async (world) => {
    const { user, folder, images } = await folderFixture(world);
    // Only updates at different instants have a defined order.
    for (const at of [1, 0, 2]) {
      done(await user.put(`/images/${images[at]?.id}`, { address_road: `road ${at}` }));
    }
    const found = ids(await user.contents(folder.id, { sort_by: 'updated_at' })).slice(2);
    assert.deepEqual(found, [images[1]?.id, images[0]?.id, images[2]?.id]);
  });

  check('folderContents', 'IF 17 get_image False omits images', async (world) => {
    const { user, folder } = await folderFixture(world);
    const contents = await user.contents(folder.id, { get_image: 'False' });
    assert.deepEqual([contents.count, contents.total_count], [2, 2]);
    assert.equal(contents.total_filesize_mb, 0);
    assert.ok(contents.items.every(({ is_folder }) => is_folder));
  });

  check('folderContents', '§1.9 last_index pages without gap or repetition', async (world) => {
    const { user, folder } = await folderFixture(world);
    const all = ids(await user.contents(folder.id));
    const paged = await readPages(async (at) => {
      const page = await user.contents(folder.id, { ...at, page_size: 2 });
      assert.deepEqual([page.total_count, page.page_size], [5, 2]);
      return page;
    });
    assert.deepEqual(
      paged.map(({ data }) => data.id),
      all,
    );
    for (const last_index of [5, 6, 1_000_000]) {
      const past = await user.contents(folder.id, { last_index });
      assert.deepEqual([past.count, past.items, past.total_count], [0, [], 5]);
      assert.equal(past.last_index, last_index);
    }
  });

  check('folderContents', 'IF 17 has_delete_at: all, only trash, only active', async (world) => {
    const { user, folder, inner, images } = await folderFixture(world);
    const [gone] = images;
    assert.ok(gone && inner[0]);
    await user.trash(gone);
    await user.trashFolder(inner[0]);
    const read = (has_delete_at?: string) =>
      user.contents(folder.id, has_delete_at === undefined ? {} : { has_delete_at });
    for (const word of [undefined, 'none', '']) assert.equal((await read(word)).total_count, 5);
    const trash = await read('True');
    assert.deepEqual(ids(trash), [inner[0].id, gone.id]);
    near(trash.total_filesize_mb, gone.filesize_mb);
    const active = await read('False');
    assert.equal(active.total_count, 3);
    assert.ok(!ids(active).includes(gone.id));
    near(
      active.total_filesize_mb,
      (images[1]?.filesize_mb ?? 0) + (images[2]?.filesize_mb ?? 0),
      5e-6,
    );
    await user.trashFolder(folder);
    assert.equal((await read('False')).total_count, 0);
    assert.equal((await read('True')).total_count, 5);
  });

  check(
    'folderContents',
    'IF Versioning 3 a folder of images only omits trashed ones',
    async (world) => {
      const user = await world.user();
      const folder = await user.folder('only images');
      const kept = await user.upload({ folder_id: folder.id });
      await user.trash(await user.upload({ folder_id: folder.id }));
      assert.deepEqual(ids(await user.contents(folder.id, { has_delete_at: 'False' })), [kept.id]);
    },
  );

  check(
    'folderContents',
    'IF 17 with_history, with_memo, with_custom fill arrays',
    async (world) => {
      const user = await world.user();
      const folder = await user.folder('a');
      const image = await user.edit(await user.upload({ folder_id: folder.id }));
      done(await user.post(`/images/${image.id}/memos`, { message: 'm', is_client: 'True' }));
      done(await user.post(`/images/${image.id}/customs`, { key: 'k', value: 'v' }));
      const read = async (query: Record<string, string>) => {
        const [entry] = (await user.contents(folder.id, query)).items;
        assert.ok(entry && !entry.is_folder);
        const { memos, customs, filedatas } = entry.data;
        return [memos?.length, customs?.length, filedatas?.length];
      };
      assert.deepEqual(await read({}), [undefined, undefined, undefined]);
      const all = { with_history: 'True', with_memo: 'True', with_custom: 'True' };
      assert.deepEqual(await read(all), [1, 1, 1]);
      const none = { with_history: 'False', with_memo: 'False', with_custom: 'none' };
      assert.deepEqual(await read(none), [undefined, undefined, undefined]);
    },
  );

  for (const [name, value] of [
    ['sort_by', 'size'],
    ['sort_order', 'up'],
    ['get_image', 'maybe'],
    ['page_size', '0'],
    ['page_size', '1001'],
    ['last_index', '-1'],
    ['last_index', 'x'],
    ['with_memo', 'x'],
    ['with_custom', 'x'],
    ['with_history', 'x'],
    ['has_delete_at', '2'],
  ] as const) {
    check('folderContents', `IF 17 ${name}=${value} is rejected`, async (world) => {
      const user = await world.user();
      const answer = await user.get('/folders/root', { [name]: value });
      refused(answer, 400, ['invalid_field', 'invalid_cursor'], name);
    });
  }

  check('folderContents', '§2.2 an unknown folder', async (world) => {
    const [user, other] = [await world.user(), await world.user()];
    for (const id of [nobody, 'no-uuid', 'none', '-', (await other.folder('a')).id]) {
      refused(await user.get(`/folders/${id}`), 400, 'folder_not_found');
    }
  });
});
