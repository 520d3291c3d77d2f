import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import type { FolderContents } from '../../src/folders/schemas.js';
import { Tree } from '../../testkit/folders.js';
import { filePart, jpeg } from '../../testkit/pictures.js';
import { seedSeries, trashImage } from '../../testkit/image-rows.js';
import { testService } from '../../testkit/service.js';

const service = await testService({ after });
const { db, client } = service;

const ids = ({ items }: FolderContents): string[] => items.map(({ data }) => data.id);

/** A folder with two folders and four images in it, and something deeper. */
async function shelf() {
  const tree = await Tree.of(service);
  const folder = await tree.create('선반');
  const ten = await tree.create('사진 10', folder.id);
  const two = await tree.create('사진 2', folder.id);
  const images = await seedSeries(service, tree.user, { folderId: folder.id, count: 12 });
  await seedSeries(service, tree.user, { folderId: ten.id });
  await tree.create('deeper', ten.id);
  return { tree, folder, ten, two, images };
}

test('what lies directly in a folder: folders first, then images, with the totals', async () => {
  const { tree, folder, ten, two, images } = await shelf();
  const contents = await tree.contents(folder.id);
  const { items, ...rest } = contents;
  assert.deepEqual(rest, {
    count: 14,
    total_count: 14,
    last_index: 14,
    page_size: 60,
    total_filesize_mb: 0.011719,
    current_path: '/선반',
    current_path_id: `/${folder.id}`,
  });
  assert.deepEqual(ids(contents), [ten.id, two.id, ...images]);
  assert.deepEqual(items[0], { is_folder: true, data: ten });
  assert.deepEqual(items[2], { is_folder: false, data: await tree.image(images[0] ?? '') });
});

test('the path leads from the top level down', async () => {
  const tree = await Tree.of(service);
  const a = await tree.create('여행');
  const b = await tree.create('제주 2', a.id);
  const c = await tree.create('바다', b.id);
  const contents = await tree.contents(c.id.toUpperCase());
  assert.equal(contents.current_path, '/여행/제주 2/바다');
  assert.equal(contents.current_path_id, `/${a.id}/${b.id}/${c.id}`);
});

test('root and a blank are the top level', async () => {
  const { tree, folder } = await shelf();
  const [image = ''] = await seedSeries(service, tree.user);
  for (const word of ['root', '%20', '+', '%20/']) {
    const contents = await tree.contents(word);
    assert.deepEqual(ids(contents), [folder.id, image]);
    assert.deepEqual([contents.current_path, contents.current_path_id], ['/', '/']);
    assert.deepEqual([contents.total_count, contents.total_filesize_mb], [2, 0.000977]);
  }
});

describe('the order', () => {
  const sorted = async (sort_by: string) => {
    const { tree, folder, ten, two, images } = await shelf();
    await db.query(`UPDATE folders SET updated_at = '2024-01-01' WHERE id = $1`, [two.id]);
    await db.query(`UPDATE images SET updated_at = '2024-01-01' WHERE id = $1`, [images[5]]);
    const up = ids(await tree.contents(folder.id, { sort_by }));
    const down = ids(await tree.contents(folder.id, { sort_by, sort_order: 'desc' }));
    // Both halves turn round, and folders stay first.
    assert.deepEqual(down, [...up.slice(0, 2).reverse(), ...up.slice(2).reverse()]);
    return { up, ten: ten.id, two: two.id, images };
  };

  test('by created_at', async () => {
    const { up, ten, two, images } = await sorted('created_at');
    assert.deepEqual(up, [ten, two, ...images]);
  });

  test('by updated_at', async () => {
    const { up, ten, two, images } = await sorted('updated_at');
    assert.deepEqual(up, [two, ten, images[5], ...images.filter((_, n) => n !== 5)]);
  });

  test('by name: Korean, numbers by value', async () => {
    const { up, ten, two, images } = await sorted('name');
    // The filenames of the images run from "picture 12" down to "picture 1".
    assert.deepEqual(up, [two, ten, ...images.toReversed()]);
  });

  test('of equals is by id, so that pages neither overlap nor skip', async () => {
    const { tree, folder } = await shelf();
    await db.query(`UPDATE images SET created_at = now() WHERE user_id = $1`, [tree.user.id]);
    await db.query(`UPDATE folders SET created_at = now() WHERE user_id = $1`, [tree.user.id]);
    const whole = ids(await tree.contents(folder.id));
    assert.equal(new Set(whole).size, 14);
    for (const size of [1, 3, 14]) {
      const walked: string[] = [];
      for (let index = 0; index < 14;) {
        const query = { last_index: `${index}`, page_size: `${size}` };
        const page = await tree.contents(folder.id, query);
        assert.deepEqual([page.count, page.total_count], [page.items.length, 14]);
        assert.deepEqual([page.last_index, page.page_size], [index + page.count, size]);
        walked.push(...ids(page));
        index = page.last_index;
      }
      assert.deepEqual(walked, whole);
    }
  });
});

test('a page past the end is empty', async () => {
  const { tree, folder } = await shelf();
  for (const index of [14, 15, 1_000_000]) {
    const page = await tree.contents(folder.id, { last_index: `${index}` });
    assert.deepEqual([page.count, page.total_count, page.last_index], [0, 14, index]);
    assert.deepEqual(page.items, []);
  }
});

test('get_image False leaves images out, of the totals too', async () => {
  const { tree, folder, ten, two } = await shelf();
  const contents = await tree.contents(folder.id, { get_image: 'False' });
  assert.deepEqual(ids(contents), [ten.id, two.id]);
  assert.deepEqual([contents.total_count, contents.total_filesize_mb], [2, 0]);
});

test('has_delete_at: omitted all, True only trash, False only what is not', async () => {
  const { tree, folder, ten, two, images } = await shelf();
  const [gone = '', ...kept] = images;
  await trashImage(service, gone);
  await tree.trash(two.id);
  const read = (has_delete_at: string) => tree.contents(folder.id, { has_delete_at });
  for (const word of ['none', '']) assert.equal((await read(word)).total_count, 14);
  const trash = await read('True');
  assert.deepEqual(ids(trash), [two.id, gone]);
  assert.deepEqual([trash.total_count, trash.total_filesize_mb], [2, 0.000977]);
  const active = await read('false');
  assert.deepEqual(ids(active), [ten.id, ...kept]);
  assert.deepEqual([active.total_count, active.total_filesize_mb], [12, 0.010742]);
  // A folder of images only, and the contents of a folder that is in the trash itself.
  await tree.trash(folder.id);
  assert.equal((await read('False')).total_count, 0);
  assert.equal((await read('True')).total_count, 14);
});

test('a folder of images only leaves trashed ones out when asked for active ones', async () => {
  const tree = await Tree.of(service);
  const folder = await tree.create('images');
  const [gone = '', kept] = await seedSeries(service, tree.user, { folderId: folder.id, count: 2 });
  await trashImage(service, gone);
  assert.deepEqual(ids(await tree.contents(folder.id, { has_delete_at: 'False' })), [kept]);
});

test('with_history, with_memo and with_custom fill the arrays of images', async () => {
  const tree = await Tree.of(service);
  const folder = await tree.create('a');
  const as = ['User', tree.user.token] as const;
  const upload = (path: string, form: Record<string, string>, picture: Buffer) =>
    client.post<{ id: string }>(path, { as, form: { ...form, image_data: filePart(picture) } });
  const memo = { is_shared: 'true', message: 'hello' };
  const { result } = await upload(
    tree.user.images,
    { folder_id: folder.id, ...memo },
    await jpeg(),
  );
  await upload(`${tree.user.images}/${result.id}/filedata`, {}, await jpeg({ seed: 2 }));
  const read = async (query: Record<string, string>) => {
    const [item] = (await tree.contents(folder.id, query)).items;
    assert.ok(item && !item.is_folder);
    const { memos, customs, filedatas } = item.data;
    return [memos?.length, customs?.length, filedatas?.length];
  };
  assert.deepEqual(await read({}), [undefined, undefined, undefined]);
  const every = { with_memo: 'True', with_custom: 'true', with_history: 'TRUE' };
  assert.deepEqual(await read(every), [1, 0, 1]);
  const none = { with_memo: 'None', with_custom: 'False', with_history: 'false' };
  assert.deepEqual(await read(none), [undefined, undefined, undefined]);
});
