import assert from 'node:assert/strict';
import { done, nobody, refused, timePattern } from '../../testkit/expect.js';
import { area } from '../harness.js';
import type { Folder } from '../../testkit/records.js';
import type { Member } from '../../testkit/world.js';

const change = (user: Member, folder: Folder, form: Record<string, string>, query = {}) =>
  user.put<Folder>(`/folders/${folder.id}`, form, query);

/** Sorted paths of all folders, with a `*` if one is in the trash. */
async function outline(user: Member): Promise<string[]> {
  const lines = (folders: readonly Folder[] = [], path = ''): string[] =>
    folders.flatMap(({ title, delete_at, child_folders }) => {
      const own = `${path}/${title}`;
      return [own + (delete_at === null ? '' : '*'), ...lines(child_folders, own)];
    });
  return lines(done(await user.get<Folder[]>('/folders'))).sort();
}

/** /a, /a/b and /a/b/c. */
async function abc(user: Member) {
  const a = await user.folder('a');
  const b = await user.folder('b', a);
  return { a, b, c: await user.folder('c', b) };
}

export const folderTrash = area('folder trash', (check) => {
  check('updateFolder', 'IF State 4 delete=true in any case moves to the trash', async (world) => {
    const user = await world.user();
    for (const word of ['true', 'True', 'TRUE']) {
      const folder = await user.folder(word);
      const gone = done(await change(user, folder, {}, { delete: word }));
      assert.match(gone.delete_at ?? '', timePattern);
    }
  });

  check('updateFolder', '§1.2 delete is accepted in the body too', async (world) => {
    const user = await world.user();
    const gone = done(await change(user, await user.folder('a'), { delete: 'true' }));
    assert.notEqual(gone.delete_at, null);
  });

  check('updateFolder', '§1.3 delete accepts booleans only', async (world) => {
    const user = await world.user();
    const folder = await user.folder('a');
    refused(await change(user, folder, {}, { delete: 'yes' }), 400, 'invalid_field', 'delete');
  });

  check('updateFolder', '§5.2 trashing includes the whole subtree', async (world) => {
    const user = await world.user();
    const a = await user.folder('a');
    const b = await user.folder('b', a);
    const image = await user.upload({ folder_id: b.id });
    const { delete_at } = await user.trashFolder(a);
    assert.notEqual(delete_at, null);
    assert.equal((await user.findFolder(b.id))?.delete_at, delete_at);
    assert.equal((await user.image(image.id)).delete_at, delete_at);
  });

  check(
    'updateFolder',
    '§5.2 restoring a folder restores exactly what was trashed with it',
    async (world) => {
      const user = await world.user();
      const a = await user.folder('a');
      const b = await user.folder('b', a);
      const early = await user.folder('early', a);
      const [kept, alone] = [
        await user.upload({ folder_id: b.id }),
        await user.upload({ folder_id: b.id }),
      ];
      await user.trash(alone);
      await user.trashFolder(early);
      await user.trashFolder(a);
      assert.equal((await user.restoreFolder(a)).delete_at, null);
      assert.equal((await user.findFolder(b.id))?.delete_at, null);
      assert.equal((await user.image(kept.id)).delete_at, null);
      assert.notEqual((await user.image(alone.id)).delete_at, null);
      assert.notEqual((await user.findFolder(early.id))?.delete_at, null);
    },
  );

  check(
    'updateFolder',
    '§5.2 restored while its parent is in the trash, it moves to the top level',
    async (world) => {
      const user = await world.user();
      const a = await user.folder('a');
      const b = await user.folder('b', a);
      const image = await user.upload({ folder_id: b.id });
      await user.trashFolder(a);
      const restored = await user.restoreFolder(b);
      assert.deepEqual([restored.parent_id, restored.delete_at], [null, null]);
      const inside = await user.image(image.id);
      assert.deepEqual([inside.folder_id, inside.delete_at], [b.id, null]);
    },
  );

  check('updateFolder', '§5.2 a restore that would collide is folder_exists', async (world) => {
    const user = await world.user();
    const gone = await user.trashFolder(await user.folder('a'));
    await user.folder('a');
    refused(await change(user, gone, {}, { delete: 'false' }), 400, 'folder_exists', 'title');
    assert.notEqual((await user.findFolder(gone.id))?.delete_at, null);
  });

  check(
    'updateFolder',
    '§5.3 restoring an active folder, or trashing one twice, changes nothing',
    async (world) => {
      const user = await world.user();
      const folder = await user.folder('a');
      assert.deepEqual(await user.restoreFolder(folder), folder);
      const gone = await user.trashFolder(folder);
      assert.deepEqual(await user.trashFolder(folder), gone);
    },
  );

  check('updateFolder', '§5.2 nothing can move into a folder in the trash', async (world) => {
    const user = await world.user();
    const gone = await user.trashFolder(await user.folder('gone'));
    const folder = await user.folder('a');
    refused(await change(user, folder, { parent_id: gone.id }), 400, 'folder_in_trash');
  });

  check('updateFolder', '§5.2 trash and restore do not affect siblings', async (world) => {
    const user = await world.user();
    const { a, b } = await abc(user);
    await user.folder('beside', a);
    await user.trashFolder(b);
    assert.deepEqual(await outline(user), ['/a', '/a/b*', '/a/b/c*', '/a/beside']);
    await user.restoreFolder(b);
    assert.deepEqual(await outline(user), ['/a', '/a/b', '/a/b/c', '/a/beside']);
  });

  check('updateFolder', '§5.2 a subfolder trashed twice returns with its parent', async (world) => {
    const user = await world.user();
    const { a, c } = await abc(user);
    await user.trashFolder(a);
    await user.trashFolder(c);
    await user.restoreFolder(a);
    assert.deepEqual(await outline(user), ['/a', '/a/b', '/a/b/c']);
  });

  check('updateFolder', '§5.2 restores what was last trashed with a folder', async (world) => {
    const user = await world.user();
    const { a, b } = await abc(user);
    for (const folder of [b, a]) {
      await user.trashFolder(folder);
      await user.restoreFolder(folder);
    }
    assert.deepEqual(await outline(user), ['/a', '/a/b', '/a/b/c']);
  });

  check(
    'updateFolder',
    '§5.2 a folder restored by itself stays at the top when its parent is restored',
    async (world) => {
      const user = await world.user();
      const { a, b } = await abc(user);
      await user.trashFolder(a);
      await user.restoreFolder(b);
      assert.deepEqual(await outline(user), ['/a*', '/b', '/b/c']);
      await user.restoreFolder(a);
      assert.deepEqual(await outline(user), ['/a', '/b', '/b/c']);
    },
  );

  check(
    'updateFolder',
    '§5.2 restored and moved in one request, it goes to the new parent',
    async (world) => {
      const user = await world.user();
      const { a, b } = await abc(user);
      const other = await user.folder('other');
      await user.trashFolder(a);
      done(await change(user, b, { parent_id: other.id, delete: 'false' }));
      assert.deepEqual(await outline(user), ['/a*', '/other', '/other/b', '/other/b/c']);
    },
  );

  check(
    'updateFolder',
    '§5.2 what moved out while in the trash stays in the trash',
    async (world) => {
      const user = await world.user();
      const { a, b } = await abc(user);
      const other = await user.folder('other');
      await user.trashFolder(a);
      done(await change(user, b, { parent_id: other.id }));
      await user.restoreFolder(a);
      assert.deepEqual(await outline(user), ['/a', '/other', '/other/b*', '/other/b/c*']);
      await user.restoreFolder(b);
      assert.deepEqual(await outline(user), ['/a', '/other', '/other/b', '/other/b/c']);
    },
  );

  check('updateFolder', '§5.1 a title in the trash does not collide', async (world) => {
    const user = await world.user();
    const [a] = [await user.folder('a'), await user.folder('b')];
    await user.trashFolder(a);
    assert.equal(done(await change(user, a, { title: 'b' })).title, 'b');
    refused(await change(user, a, { delete: 'false' }), 400, 'folder_exists', 'title');
    const back = done(await change(user, a, { title: 'c', delete: 'false' }));
    assert.deepEqual([back.title, back.delete_at], ['c', null]);
  });

  check(
    'updateFolder',
    '§5.2 a collision at any level keeps everything in the trash',
    async (world) => {
      const user = await world.user();
      const { a, b } = await abc(user);
      await user.folder('b');
      const twin = await user.folder('twin', a);
      await user.trashFolder(a);
      const restoring = (folder: Folder) => change(user, folder, {}, { delete: 'false' });
      refused(await restoring(b), 400, 'folder_exists', 'title');
      done(await change(user, twin, { title: 'b' }));
      refused(await restoring(a), 400, 'folder_exists', 'title');
      assert.deepEqual(await outline(user), ['/a*', '/a/b*', '/a/b*', '/a/b/c*', '/b']);
      done(await change(user, twin, { title: 'twin' }));
      await user.restoreFolder(a);
      assert.deepEqual(await outline(user), ['/a', '/a/b', '/a/b/c', '/a/twin', '/b']);
    },
  );

  check(
    'updateFolder',
    '§5.3 title, parent and trash change together or not at all',
    async (world) => {
      const user = await world.user();
      const [a, b, c] = [await user.folder('a'), await user.folder('b'), await user.folder('c')];
      const gone = done(await change(user, b, { title: 'x', parent_id: a.id }, { delete: 'True' }));
      assert.deepEqual([gone.title, gone.parent_id], ['x', a.id]);
      assert.notEqual(gone.delete_at, null);
      const back = done(await change(user, b, { title: 'y', parent_id: ' ', delete: 'FALSE' }));
      assert.deepEqual([back.title, back.parent_id, back.delete_at], ['y', null, null]);
      const forms: [Record<string, string>, string][] = [
        [{ title: 'z', parent_id: nobody, delete: 'true' }, 'folder_not_found'],
        [{ title: 'z', parent_id: b.id, delete: 'x' }, 'invalid_field'],
        [{ title: 'a', delete: 'none' }, 'folder_exists'],
      ];
      for (const [form, code] of forms) refused(await change(user, c, form), 400, code);
      assert.deepEqual(await outline(user), ['/a', '/c', '/y']);
    },
  );
});
