import assert from 'node:assert/strict';
import { done, nobody, refused, timePattern } from '../../testkit/expect.js';
import { sha256 } from '../../testkit/fetch.js';
import type { Page, UploadSet } from '../../testkit/records.js';
import { openSet, progressOf, readSet, shots } from '../../testkit/upload-sets.js';
import type { Shot } from '../../testkit/upload-sets.js';
import { area } from '../harness.js';

const path = '/upload-sets';
const unknown = (i: number): string => sha256(Buffer.from(String(i)));

export const uploadSets = area('upload sets', (check) => {
  check(
    'createUploadSet',
    'X3.3 a set is complete with its last file, and never reopens',
    async (world) => {
      const user = await world.user();
      const files = await shots(3);
      const hashes = files.map(({ hash }) => hash);
      const set = await openSet(user, files, { title: '지하 2층' });
      const { id, created_at, ...rest } = set;
      assert.match(created_at, timePattern);
      const [title, folder_id] = ['지하 2층', null];
      const [state, expected, arrived, completed_at] = ['open', 3, 0, null];
      assert.deepEqual(rest, { title, folder_id, state, expected, arrived, completed_at });
      assert.deepEqual(await readSet(user, set), { ...set, missing: hashes });
      for (const [i, file] of files.toReversed().entries()) {
        const image = await user.upload({ upload_set_id: id.toUpperCase() }, file.bytes);
        assert.equal(image.upload_set_id, id);
        const all = i === 2;
        assert.deepEqual(await progressOf(user, set), [
          all ? 'complete' : 'open',
          i + 1,
          hashes.slice(0, 2 - i),
        ]);
      }
      const [image] = (await user.list()).items;
      assert.equal(image?.upload_set_id, id);
      done(await user.put(`/images/${image.id}`, { delete: 'True' }));
      assert.deepEqual(await progressOf(user, set), ['complete', 3, []]);
      await user.upload({ upload_set_id: id }, files[0]?.bytes);
      assert.deepEqual(await progressOf(user, set), ['complete', 3, []]);
    },
  );

  check(
    'createUploadSet',
    'X3.3 files that the user already has count at once, duplicate hashes once',
    async (world) => {
      const [user, other] = [await world.user(), await world.user()];
      const [upload, edit, trashed, missing] = (await shots(4)) as [Shot, Shot, Shot, Shot];
      const image = await user.upload({}, upload.bytes);
      await user.edit(image, edit.bytes);
      await user.trash(await user.upload({}, trashed.bytes));
      await other.upload({}, missing.bytes);
      const all = await openSet(user, [trashed, upload, edit, upload]);
      assert.deepEqual([all.state, all.expected, all.arrived], ['complete', 3, 3]);
      assert.match(all.completed_at ?? '', timePattern);
      const some = await openSet(user, [missing, upload, missing]);
      assert.deepEqual([some.state, some.expected, some.arrived], ['open', 2, 1]);
      assert.deepEqual(await progressOf(user, some), ['open', 1, [missing.hash]]);
    },
  );

  check(
    'addFiledata',
    'X3.3 every upload and edit counts for all sets that expect it',
    async (world) => {
      const user = await world.user();
      const [a, b] = (await shots(2)) as [Shot, Shot];
      const [both, one] = [await openSet(user, [a, b]), await openSet(user, [b])];
      const image = await user.upload({}, a.bytes);
      assert.equal(image.upload_set_id, null);
      assert.deepEqual(await progressOf(user, both), ['open', 1, [b.hash]]);
      await user.edit(image, b.bytes);
      assert.deepEqual(await progressOf(user, both), ['complete', 2, []]);
      assert.deepEqual(await progressOf(user, one), ['complete', 1, []]);
    },
  );

  check('uploadImage', 'X3.4 files that a set does not expect are not_expected', async (world) => {
    const user = await world.user();
    const { id } = await openSet(user, await shots(1));
    // The file is not inspected, so its content does not matter.
    for (const bytes of [undefined, Buffer.from('no picture')]) {
      const answer = await user.tryUpload({ upload_set_id: id }, bytes);
      refused(answer, 400, 'not_expected', 'upload_set_id');
    }
    assert.deepEqual((await user.list()).items, []);
  });

  check(
    'uploadImage',
    'X3.1 unknown sets and those of other users are not found',
    async (world) => {
      const [user, other] = [await world.user(), await world.user()];
      const [file] = (await shots(1)) as [Shot];
      const set = await openSet(user, [file]);
      for (const id of [nobody, 'x', ' ', set.id]) {
        const answer = await other.tryUpload({ upload_set_id: id }, file.bytes);
        refused(answer, 400, 'upload_set_not_found', 'upload_set_id');
      }
      for (const id of [nobody, 'x', set.id]) {
        refused(await other.get(`${path}/${id}`), 400, 'upload_set_not_found');
        refused(await other.delete(`${path}/${id}`), 400, 'upload_set_not_found');
      }
      assert.equal((await other.upload({ upload_set_id: '' }, file.bytes)).upload_set_id, null);
      assert.deepEqual(await progressOf(user, set), ['open', 0, [file.hash]]);
    },
  );

  check(
    'uploadImage',
    'X3.4 an omitted folder is that of the set, a blank the top level',
    async (world) => {
      const user = await world.user();
      const [folder, other] = [await user.folder('set'), await user.folder('other')];
      const files = await shots(4);
      const { id, folder_id } = await openSet(user, files, { folder_id: folder.id });
      assert.equal(folder_id, folder.id);
      const into = async (form: Record<string, string>, i: number) =>
        (await user.upload({ upload_set_id: id, ...form }, files[i]?.bytes)).folder_id;
      assert.equal(await into({}, 0), folder.id);
      assert.equal(await into({ folder_id: '' }, 1), folder.id);
      assert.equal(await into({ folder_id: ' ' }, 2), null);
      assert.equal(await into({ folder_id: other.id }, 3), other.id);
    },
  );

  check('createUploadSet', 'X3.1 the folder must exist and not be in the trash', async (world) => {
    const user = await world.user();
    const hashes = [unknown(1)];
    const foreign = await (await world.user()).folder('foreign');
    for (const folder_id of [nobody, foreign.id]) {
      refused(await user.post(path, { hashes, folder_id }), 400, 'folder_not_found', 'folder_id');
    }
    const folder = await user.folder('in the trash');
    const set = done(await user.post<UploadSet>(path, { hashes, folder_id: folder.id }));
    await user.trashFolder(folder);
    const answer = await user.post(path, { hashes, folder_id: folder.id });
    refused(answer, 400, 'folder_in_trash', 'folder_id');
    done(await user.delete(`/folders/${folder.id}`));
    assert.equal((await readSet(user, set)).folder_id, null);
  });

  check('createUploadSet', 'X3.1 accepts up to 10,000 hashes in any order', async (world) => {
    const user = await world.user();
    const hashes = Array.from({ length: 10_000 }, (_, i) => unknown(i));
    for (const call of [{ urlencoded: { hashes: hashes.join(',') } }, { json: { hashes } }]) {
      const set = done(await user.call<UploadSet>('POST', path, call));
      assert.equal(set.expected, 10_000);
      assert.deepEqual((await readSet(user, set)).missing, hashes);
    }
    const more = { json: { hashes: [...hashes, unknown(10_000)] } };
    refused(await user.call('POST', path, more), 400, 'invalid_field', 'hashes');
  });

  check('createUploadSet', 'X3.1 malformed fields are refused', async (world) => {
    const user = await world.user();
    refused(await user.post(path), 400, 'missing_field', 'hashes');
    const hash = unknown(1);
    for (const wrong of ['', ',', 'x', `${hash}0`, hash.slice(1), `g${hash.slice(1)}`]) {
      refused(await user.post(path, { hashes: wrong }), 400, 'invalid_field', 'hashes');
    }
    const title = 'x'.repeat(256);
    refused(await user.post(path, { hashes: hash, title }), 400, 'invalid_field', 'title');
  });

  check('listUploadSets', 'X3.1 lists sets newest first, in pages', async (world) => {
    const user = await world.user();
    const sets: UploadSet[] = [];
    for (let i = 0; i < 5; i += 1) {
      sets.unshift(done(await user.post<UploadSet>(path, { hashes: unknown(i), title: `${i}` })));
    }
    const listed: UploadSet[] = [];
    for (let index = 0; listed.length < 5;) {
      const query = { last_index: index, page_size: 2 };
      const page = done(await user.get<Page<UploadSet>>(path, query));
      assert.deepEqual([page.total_count, page.page_size, page.count], [5, 2, page.items.length]);
      listed.push(...page.items);
      index = page.last_index ?? 0;
    }
    assert.deepEqual(listed, sets);
    refused(await user.get(path, { page_size: 0 }), 400, 'invalid_field', 'page_size');
  });

  check('deleteUploadSet', 'X3.1 deletes the set but never images', async (world) => {
    const user = await world.user();
    const files = (await shots(2)) as [Shot, Shot];
    const set = await openSet(user, files);
    const image = await user.upload({ upload_set_id: set.id }, files[0]?.bytes);
    const forgotten = done(await user.delete<UploadSet>(`${path}/${set.id}`));
    assert.deepEqual(forgotten, { ...set, arrived: 1 });
    refused(await user.get(`${path}/${set.id}`), 400, 'upload_set_not_found');
    const again = await user.tryUpload({ upload_set_id: set.id }, files[1].bytes);
    refused(again, 400, 'upload_set_not_found', 'upload_set_id');
    assert.equal((await user.image(image.id)).upload_set_id, set.id);
  });
});
