import assert from 'node:assert/strict';
import { done, nobody, refused, timePattern } from '../../testkit/expect.js';
import { area } from '../harness.js';
import type { Folder } from '../../testkit/records.js';
import type { Member } from '../../testkit/world.js';

const change = (user: Member, folder: Folder, form: Record<string, string>, query = {}) =>
  user.put<Folder>(`/folders/${folder.id}`, form, query);

const restore = (user: Member, folder: Folder) => change(user, folder, {}, { delete: 'false' });

async function find(user: Member, id: string): Promise<Folder | undefined> {
  const search = (folders: readonly Folder[] = []): Folder | undefined =>
    folders.find((f) => f.id === id) ??
    folders.map((f) => search(f.child_folders)).find((found) => found !== undefined);
  return search(done(await user.get<Folder[]>('/folders')));
}

export const folderChanges = area('folder changes', (check) => {
  check('updateFolder', 'IF 18 changes the title', async (world) => {
    const user = await world.user();
    const folder = done(await change(user, await user.folder('a'), { title: ' b ' }));
    assert.equal(folder.title, 'b');
    assert.equal((await find(user, folder.id))?.title, 'b');
  });

  check(
    'updateFolder',
    'IF moves under a folder, and with a blank to the top level',
    async (world) => {
      const user = await world.user();
      const [a, b] = [await user.folder('a'), await user.folder('b')];
      assert.equal(done(await change(user, b, { parent_id: a.id })).parent_id, a.id);
      assert.equal(done(await change(user, b, { parent_id: ' ' })).parent_id, null);
    },
  );

  check(
    'updateFolder',
    'IF no parent_id, UNSET and (§1.4) an empty one: no move',
    async (world) => {
      const user = await world.user();
      const inner = await user.folder('inner', await user.folder('a'));
      const forms: Record<string, string>[] = [
        { title: 'x' },
        { parent_id: 'UNSET' },
        { parent_id: '' },
      ];
      for (const form of forms) {
        assert.equal(done(await change(user, inner, form)).parent_id, inner.parent_id);
      }
    },
  );

  check('updateFolder', '§5 with nothing to change answers the folder unchanged', async (world) => {
    const user = await world.user();
    const folder = await user.folder('a');
    assert.deepEqual(done(await change(user, folder, {})), folder);
  });

  check('updateFolder', '§5 moving below itself is folder_cycle', async (world) => {
    const user = await world.user();
    const a = await user.folder('a');
    const b = await user.folder('b', a);
    const c = await user.folder('c', b);
    for (const parent_id of [a.id, b.id, c.id]) {
      refused(await change(user, a, { parent_id }), 400, 'folder_cycle');
    }
  });

  check('updateFolder', '§5 two moves at once make no cycle', async (world) => {
    const user = await world.user();
    const [a, b] = [await user.folder('a'), await user.folder('b')];
    const answers = await Promise.all([
      change(user, a, { parent_id: b.id }),
      change(user, b, { parent_id: a.id }),
    ]);
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 400]);
    assert.equal(done(await user.get<Folder[]>('/folders')).length, 1);
  });

  check('updateFolder', '§5 a new title or place must be free', async (world) => {
    const user = await world.user();
    const [a, b] = [await user.folder('a'), await user.folder('b')];
    refused(await change(user, b, { title: 'a' }), 400, 'folder_exists');
    const inner = await user.folder('a', b);
    refused(await change(user, inner, { parent_id: ' ' }), 400, 'folder_exists');
    done(await change(user, a, { title: 'a' }));
  });

  check('updateFolder', '§5 title and place change together or not at all', async (world) => {
    const user = await world.user();
    const [a, b] = [await user.folder('a'), await user.folder('b')];
    refused(await change(user, b, { title: 'c', parent_id: nobody }), 400, 'folder_not_found');
    assert.equal((await find(user, b.id))?.title, 'b');
    const moved = done(await change(user, b, { title: 'c', parent_id: a.id }));
    assert.deepEqual([moved.title, moved.parent_id], ['c', a.id]);
  });

  check('updateFolder', '§2 an unknown folder, or parent', async (world) => {
    const [user, other] = [await world.user(), await world.user()];
    const [folder, foreign] = [await user.folder('a'), await other.folder('b')];
    for (const id of [nobody, 'no-uuid', foreign.id]) {
      refused(await user.put(`/folders/${id}`, { title: 'x' }), 400, 'folder_not_found');
      refused(await change(user, folder, { parent_id: id }), 400, 'folder_not_found');
    }
  });

  check('updateFolder', '§5 titles are checked here too', async (world) => {
    const user = await world.user();
    const folder = await user.folder('a');
    for (const title of ['a/b', ' ', '가'.repeat(256)]) {
      refused(await change(user, folder, { title }), 400, 'invalid_field', 'title');
    }
  });

  check('updateFolder', 'IF delete=true in any case moves to the trash', async (world) => {
    const user = await world.user();
    for (const word of ['true', 'True', 'TRUE']) {
      const folder = await user.folder(word);
      const gone = done(await change(user, folder, {}, { delete: word }));
      assert.match(gone.delete_at ?? '', timePattern);
    }
  });

  check('updateFolder', '§1.2 delete is taken from the body too', async (world) => {
    const user = await world.user();
    const gone = done(await change(user, await user.folder('a'), { delete: 'true' }));
    assert.notEqual(gone.delete_at, null);
  });

  check('updateFolder', '§1.3 delete takes booleans only', async (world) => {
    const user = await world.user();
    const folder = await user.folder('a');
    refused(await change(user, folder, {}, { delete: 'yes' }), 400, 'invalid_field', 'delete');
  });

  check('updateFolder', '§5 trash takes the whole subtree', async (world) => {
    const user = await world.user();
    const a = await user.folder('a');
    const b = await user.folder('b', a);
    const image = await user.upload({ folder_id: b.id });
    const { delete_at } = await user.trashFolder(a);
    assert.notEqual(delete_at, null);
    assert.equal((await find(user, b.id))?.delete_at, delete_at);
    assert.equal((await user.image(image.id)).delete_at, delete_at);
  });

  check('updateFolder', '§5 restore brings back exactly what went with it', async (world) => {
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
    assert.equal(done(await restore(user, a)).delete_at, null);
    assert.equal((await find(user, b.id))?.delete_at, null);
    assert.equal((await user.image(kept.id)).delete_at, null);
    assert.notEqual((await user.image(alone.id)).delete_at, null);
    assert.notEqual((await find(user, early.id))?.delete_at, null);
  });

  check(
    'updateFolder',
    '§5 restored with its parent in the trash, it goes to the top',
    async (world) => {
      const user = await world.user();
      const a = await user.folder('a');
      const b = await user.folder('b', a);
      const image = await user.upload({ folder_id: b.id });
      await user.trashFolder(a);
      const restored = done(await restore(user, b));
      assert.deepEqual([restored.parent_id, restored.delete_at], [null, null]);
      const inside = await user.image(image.id);
      assert.deepEqual([inside.folder_id, inside.delete_at], [b.id, null]);
    },
  );

  check('updateFolder', '§5 a restore that would collide is folder_exists', async (world) => {
    const user = await world.user();
    const gone = await user.trashFolder(await user.folder('a'));
    await user.folder('a');
    refused(await restore(user, gone), 400, 'folder_exists');
    assert.notEqual((await find(user, gone.id))?.delete_at, null);
  });

  check(
    'updateFolder',
    'IF restoring what is active, or trashing twice, changes nothing',
    async (world) => {
      const user = await world.user();
      const folder = await user.folder('a');
      assert.deepEqual(done(await restore(user, folder)), folder);
      const gone = await user.trashFolder(folder);
      assert.deepEqual(await user.trashFolder(folder), gone);
    },
  );

  check('updateFolder', '§2 nothing moves into a folder in the trash', async (world) => {
    const user = await world.user();
    const gone = await user.trashFolder(await user.folder('gone'));
    const folder = await user.folder('a');
    refused(await change(user, folder, { parent_id: gone.id }), 400, 'folder_in_trash');
  });
});
