import assert from 'node:assert/strict';
import { done, nobody, refused } from '../../testkit/expect.js';
import { area } from '../harness.js';
import type { Folder } from '../../testkit/records.js';
import type { Member } from '../../testkit/world.js';

const change = (user: Member, folder: Folder, form: Record<string, string>, query = {}) =>
  user.put<Folder>(`/folders/${folder.id}`, form, query);

/** Nested folders, each in the previous one. */
async function chain(user: Member, length: number, parent?: Folder): Promise<Folder[]> {
  const folders: Folder[] = [];
  for (let n = 1; n <= length; n += 1) {
    folders.push(await user.folder(`${n}`, folders.at(-1) ?? parent));
  }
  return folders;
}

export const folderChanges = area('folder changes', (check) => {
  check('updateFolder', 'IF 18 changes the title', async (world) => {
    const user = await world.user();
    const title = ' 한글 '.normalize('NFD');
    const folder = done(await change(user, await user.folder('a'), { title }));
    assert.equal(folder.title, '한글'.normalize('NFC'));
    assert.equal((await user.findFolder(folder.id))?.title, folder.title);
  });

  check(
    'updateFolder',
    'IF Move 4 moves into a folder, or with a blank to the top level',
    async (world) => {
      const user = await world.user();
      const [a, b] = [await user.folder('a'), await user.folder('b')];
      const inner = await user.folder('inner', b);
      for (const blank of [' ', '+', '%20']) {
        const moved = done(await change(user, b, { parent_id: a.id.toUpperCase() }));
        assert.equal(moved.parent_id, a.id);
        const back = done(await change(user, b, { parent_id: blank }));
        assert.equal(back.parent_id, null);
      }
      assert.equal((await user.findFolder(inner.id))?.parent_id, b.id);
    },
  );

  check(
    'updateFolder',
    'IF Move 6 an omitted, UNSET, or (§1.4) empty, none, or null parent_id does not move it',
    async (world) => {
      const user = await world.user();
      const inner = await user.folder('inner', await user.folder('a'));
      const forms: Record<string, string>[] = [
        { title: 'x' },
        { parent_id: 'UNSET' },
        { parent_id: '' },
        { parent_id: 'none' },
        { parent_id: 'Null' },
      ];
      for (const form of forms) {
        assert.equal(done(await change(user, inner, form)).parent_id, inner.parent_id);
      }
    },
  );

  check('updateFolder', '§5.3 without changes it returns the folder unchanged', async (world) => {
    const user = await world.user();
    const folder = await user.folder('a');
    assert.deepEqual(done(await change(user, folder, {})), folder);
  });

  check('updateFolder', '§5.3 moving below itself is folder_cycle', async (world) => {
    const user = await world.user();
    const a = await user.folder('a');
    const b = await user.folder('b', a);
    const c = await user.folder('c', b);
    for (const parent_id of [a.id, b.id, c.id]) {
      refused(await change(user, a, { parent_id }), 400, 'folder_cycle', 'parent_id');
    }
  });

  check('updateFolder', '§5.3 two concurrent moves cannot create a cycle', async (world) => {
    const user = await world.user();
    for (const round of [1, 2, 3, 4, 5]) {
      const [a, b] = [await user.folder(`a${round}`), await user.folder(`b${round}`)];
      const answers = await Promise.all([
        change(user, a, { parent_id: b.id }),
        change(user, b, { parent_id: a.id }),
      ]);
      const lost = answers.filter(({ status }) => status !== 200);
      assert.equal(lost.length, 1);
      for (const answer of lost) refused(answer, 400, 'folder_cycle');
      assert.equal(done(await user.get<Folder[]>('/folders')).length, round);
    }
  });

  check('updateFolder', '§5.1 a new title or parent must not collide', async (world) => {
    const user = await world.user();
    const [a, b] = [await user.folder('a'), await user.folder('b')];
    refused(await change(user, b, { title: 'a' }), 400, 'folder_exists');
    const inner = await user.folder('a', b);
    refused(await change(user, inner, { parent_id: ' ' }), 400, 'folder_exists', 'title');
    done(await change(user, a, { title: 'a' }));
    const out = done(await change(user, inner, { parent_id: ' ', title: 'c' }));
    assert.deepEqual([out.parent_id, out.title], [null, 'c']);
  });

  check('updateFolder', '§5.3 title and parent change together or not at all', async (world) => {
    const user = await world.user();
    const [a, b] = [await user.folder('a'), await user.folder('b')];
    refused(await change(user, b, { title: 'c', parent_id: nobody }), 400, 'folder_not_found');
    assert.equal((await user.findFolder(b.id))?.title, 'b');
    const moved = done(await change(user, b, { title: 'c', parent_id: a.id }));
    assert.deepEqual([moved.title, moved.parent_id], ['c', a.id]);
  });

  check('updateFolder', '§2.2 an unknown folder, or parent', async (world) => {
    const [user, other] = [await world.user(), await world.user()];
    const [folder, foreign] = [await user.folder('a'), await other.folder('b')];
    for (const id of [nobody, 'no-uuid', 'root', foreign.id]) {
      refused(await user.put(`/folders/${id}`, { title: 'x' }), 400, 'folder_not_found');
      const answer = await change(user, folder, { parent_id: id });
      refused(answer, 400, 'folder_not_found', 'parent_id');
    }
  });

  check('updateFolder', '§5.1 titles are validated as on creation', async (world) => {
    const user = await world.user();
    const folder = await user.folder('a');
    for (const title of ['', 'a/b', 'a\tb', ' ', '가'.repeat(256)]) {
      refused(await change(user, folder, { title }), 400, 'invalid_field', 'title');
    }
  });

  check('updateFolder', '§5.1 moves must stay within 64 levels, trash included', async (world) => {
    const user = await world.user();
    const [above, lowest] = (await chain(user, 62)).slice(-2);
    const top = await user.folder('top');
    const [second, third] = await chain(user, 2, top);
    assert.ok(second && third && above && lowest);
    const tooDeep = async () => {
      const answer = await change(user, top, { parent_id: lowest.id });
      refused(answer, 400, 'folder_too_deep', 'parent_id');
    };
    await tooDeep();
    await user.trashFolder(third);
    await tooDeep();
    done(await change(user, top, { parent_id: above.id }));
    assert.equal((await user.restoreFolder(third)).parent_id, second.id);
    assert.equal((await user.contents(third.id)).current_path.split('/').length - 1, 64);
  });
});
