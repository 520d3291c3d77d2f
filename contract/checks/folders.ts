import assert from 'node:assert/strict';
import { done, nobody, refused, timePattern, uuidV7 } from '../../testkit/expect.js';
import { area } from '../harness.js';
import type { Folder } from '../../testkit/records.js';
import type { Member } from '../../testkit/world.js';

const tree = async (user: Member, query: Record<string, string> = {}) =>
  done(await user.get<Folder[]>('/folders', query));

const titles = (folders: readonly Folder[] = []) => folders.map(({ title }) => title);

export const folders = area('folders', (check) => {
  check('createFolder', 'IF 15 returns the folder record without child_folders', async (world) => {
    const user = await world.user();
    const folder = await user.folder('여행');
    assert.match(folder.id, uuidV7);
    assert.match(folder.created_at, timePattern);
    assert.match(folder.updated_at, timePattern);
    assert.deepEqual(
      [folder.user_id, folder.title, folder.parent_id, folder.delete_at],
      [user.id, '여행', null, null],
    );
    assert.ok(!('child_folders' in folder));
    const shouted = { ...folder, id: folder.id.toUpperCase() };
    assert.equal((await user.folder('in', shouted)).parent_id, folder.id);
  });

  for (const [what, parent] of [
    ['a blank', ' '],
    ['a +', '+'],
    ['a %20', '%20'],
    ['an empty', ''],
    ['a none', 'none'],
    ['a NULL', 'NULL'],
    ['a null of JSON', null],
  ] as const) {
    check('createFolder', `§1.4 ${what} parent_id means the top level`, async (world) => {
      const fields = { title: 'a', parent_id: parent };
      const call = parent === null ? { json: fields } : { form: { ...fields, parent_id: parent } };
      const answer = await (await world.user()).call<Folder>('POST', '/folders', call);
      assert.equal(done(answer).parent_id, null);
    });
  }

  check('createFolder', '§1.4 a + and %20 in a form are blanks', async (world) => {
    const user = await world.user();
    const as = ['User', user.token] as const;
    for (const blank of ['+', '%20']) {
      const answer = await fetch(new URL(`/api/v1/users/${user.id}/folders`, world.client.base), {
        method: 'POST',
        headers: {
          authorization: as.join(' '),
          'content-type': 'application/x-www-form-urlencoded',
        },
        body: `title=${encodeURIComponent(blank)}&parent_id=${blank}`,
      });
      assert.equal(answer.status, 200);
    }
    assert.equal((await tree(user)).length, 2);
  });

  check('createFolder', 'IF 15 a title is required', async (world) => {
    refused(await (await world.user()).post('/folders'), 400, 'missing_field', 'title');
  });

  for (const [what, title] of [
    ['a blank one', '   '],
    ['one with a slash', 'a/b'],
    ['an empty one', ''],
    ['one with a control character', 'a\u0007b'],
    ['one with a control character beyond ASCII', 'a\u0085b'],
    ['one with NUL', 'a\0b'],
    ['one of 256 characters', '가'.repeat(256)],
  ] as const) {
    check('createFolder', `§5.1 titles: ${what} is rejected`, async (world) => {
      const user = await world.user();
      refused(await user.post('/folders', { title }), 400, 'invalid_field', 'title');
    });
  }

  check('createFolder', '§5.1 titles are trimmed and have up to 255 characters', async (world) => {
    const user = await world.user();
    assert.equal((await user.folder('  a b  ')).title, 'a b');
    assert.equal((await user.folder('😀'.repeat(255))).title, '😀'.repeat(255));
  });

  check('createFolder', '§5.1 two active siblings may not share a title', async (world) => {
    const [user, other] = [await world.user(), await world.user()];
    const folder = await user.folder('a');
    refused(await user.post('/folders', { title: 'a' }), 400, 'folder_exists');
    refused(await user.post('/folders', { title: ' a ' }), 400, 'folder_exists');
    await user.folder('a', folder);
    const form = { title: 'a', parent_id: folder.id };
    refused(await user.post('/folders', form), 400, 'folder_exists', 'title');
    await user.folder('A');
    await other.folder('a');
    await user.trashFolder(folder);
    await user.folder('a');
  });

  check('createFolder', '§5.1 titles are stored and compared in NFC', async (world) => {
    const user = await world.user();
    const parent = await user.folder('한글'.normalize('NFC'));
    const inner = await user.folder('한글'.normalize('NFD'), parent);
    assert.equal(inner.title, '한글'.normalize('NFC'));
    const title = '한글'.normalize('NFD');
    refused(await user.post('/folders', { title }), 400, 'folder_exists');
  });

  check(
    'createFolder',
    '§5.1 of many concurrent requests with the same title, one succeeds',
    async (world) => {
      const user = await world.user();
      const parent = await user.folder('parent');
      for (const parent_id of [' ', parent.id]) {
        const create = () => user.post('/folders', { title: 'same', parent_id });
        const answers = await Promise.all(Array.from({ length: 6 }, create));
        const lost = answers.filter(({ status }) => status !== 200);
        assert.equal(lost.length, 5);
        for (const answer of lost) refused(answer, 400, 'folder_exists');
      }
    },
  );

  check('createFolder', '§5.1 the maximum depth is 64 levels', async (world) => {
    const user = await world.user();
    let folder = await user.folder('1');
    for (let depth = 2; depth <= 64; depth += 1) folder = await user.folder(`${depth}`, folder);
    const form = { title: 'too deep', parent_id: folder.id };
    refused(await user.post('/folders', form), 400, 'folder_too_deep');
    const bough = await user.folder('bough');
    const move = await user.put(`/folders/${bough.id}`, { parent_id: folder.id });
    refused(move, 400, 'folder_too_deep');
  });

  check('createFolder', '§2.2 the parent is the user’s own and not in the trash', async (world) => {
    const [user, other] = [await world.user(), await world.user()];
    const foreign = await other.folder('a');
    for (const parent_id of [nobody, 'no-uuid', 'UNSET', 'root', foreign.id]) {
      const answer = await user.post('/folders', { title: 'a', parent_id });
      refused(answer, 400, 'folder_not_found', 'parent_id');
    }
    const gone = await user.folder('gone');
    const below = await user.folder('below', gone);
    await user.trashFolder(gone);
    for (const { id } of [gone, below]) {
      const answer = await user.post('/folders', { title: 'a', parent_id: id });
      refused(answer, 400, 'folder_in_trash', 'parent_id');
    }
  });

  check('listFolders', 'IF 16 nests child_folders to full depth', async (world) => {
    const user = await world.user();
    assert.deepEqual(await tree(user), []);
    const a = await user.folder('a');
    const b = await user.folder('b', a);
    const c = await user.folder('c', b);
    assert.deepEqual(await tree(user), [
      { ...a, child_folders: [{ ...b, child_folders: [{ ...c, child_folders: [] }] }] },
    ]);
  });

  check('listFolders', '§1.10 sorted by title: Korean, numbers by value', async (world) => {
    const user = await world.user();
    const wanted = ['사진 1', '사진 2', '사진 10', '여행', '하늘'];
    const parent = await user.folder('가');
    for (const title of ['하늘', '사진 10', '사진 2', '여행', '사진 1']) {
      await user.folder(title);
      await user.folder(title, parent);
    }
    const [first, ...rest] = await tree(user);
    assert.deepEqual([first?.title, ...titles(rest)], ['가', ...wanted]);
    assert.deepEqual(titles(first?.child_folders), wanted);
  });

  check('listFolders', '§5.6 has_delete_at: all, only trash, only active', async (world) => {
    const user = await world.user();
    const kept = await user.folder('kept');
    const gone = await user.folder('gone', kept);
    await user.folder('below', gone);
    await user.trashFolder(gone);
    const [all] = await tree(user);
    assert.deepEqual(titles(all?.child_folders), ['gone']);
    for (const word of ['none', 'NULL']) {
      assert.deepEqual(await tree(user, { has_delete_at: word }), [all]);
    }
    const trash = await tree(user, { has_delete_at: 'True' });
    assert.deepEqual(titles(trash), ['gone'], 'a root, since its parent is not in the response');
    assert.equal(trash[0]?.parent_id, kept.id);
    assert.deepEqual(titles(trash[0]?.child_folders), ['below']);
    const active = await tree(user, { has_delete_at: 'false' });
    assert.deepEqual([titles(active), active[0]?.child_folders], [['kept'], []]);
  });

  check('listFolders', '§1.3 has_delete_at accepts booleans only', async (world) => {
    const answer = await (await world.user()).get('/folders', { has_delete_at: 'maybe' });
    refused(answer, 400, 'invalid_field', 'has_delete_at');
  });

  check('listFolders', '§1.3 an empty has_delete_at means omitted', async (world) => {
    const user = await world.user();
    await user.trashFolder(await user.folder('a'));
    assert.equal((await tree(user, { has_delete_at: '' })).length, 1);
  });

  check('deleteFolder', '§5.4 permanently deletes the whole subtree', async (world) => {
    const user = await world.user();
    const root = await user.folder('root');
    const inner = await user.folder('inner', root);
    const [a, b, outside] = [
      await user.upload({ folder_id: root.id }),
      await user.upload({ folder_id: inner.id }),
      await user.upload(),
    ];
    await user.trash(b);
    const gone = done(
      await user.delete<{ deleted_folders: string[]; deleted_images: string[] }>(
        `/folders/${root.id}`,
      ),
    );
    assert.deepEqual(gone.deleted_folders.sort(), [root.id, inner.id].sort());
    assert.deepEqual(gone.deleted_images.sort(), [a.id, b.id].sort());
    assert.deepEqual(await tree(user), []);
    refused(await user.get(`/images/${b.id}`), 400, 'image_not_found');
    assert.equal((await user.image(outside.id)).id, outside.id);
  });

  check('deleteFolder', '§5.4 deletes folders in the trash, but only once', async (world) => {
    const user = await world.user();
    const folder = await user.trashFolder(await user.folder('a'));
    const gone = { deleted_folders: [folder.id], deleted_images: [] };
    assert.deepEqual(done(await user.delete(`/folders/${folder.id}`)), gone);
    for (const id of [folder.id, 'no-uuid', 'root', '%20']) {
      refused(await user.delete(`/folders/${id}`), 400, 'folder_not_found');
    }
  });
});
