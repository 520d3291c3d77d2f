import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { v7 as uuidv7 } from 'uuid';
import { Tree, done, refused } from '../../testkit/folders.js';
import { testService } from '../../testkit/service.js';

const service = await testService({ after });

/** A chain of folders, each in the one before. @returns their ids, top first. */
async function chain(tree: Tree, length: number, parent?: string): Promise<string[]> {
  const ids: string[] = [];
  for (let n = 1; n <= length; n += 1) {
    ids.push((await tree.create(`${n}`, ids.at(-1) ?? parent)).id);
  }
  return ids;
}

/** Sets the clock of a folder back, so that a change of updated_at shows. */
const age = (id: string) =>
  service.db.query(
    `UPDATE folders SET created_at = '2024-01-01', updated_at = '2024-01-01' WHERE id = $1`,
    [id],
  );

describe('renaming', () => {
  test('gives a free title, trimmed and in NFC, and moves updated_at', async () => {
    const tree = await Tree.of(service);
    const { id } = await tree.create('a');
    await age(id);
    const before = await tree.find(id);
    const renamed = await tree.change(id, { title: ' 한글 '.normalize('NFD') });
    assert.equal(renamed.title, '한글');
    assert.equal(renamed.created_at, before.created_at);
    assert.ok(renamed.updated_at > before.updated_at);
  });

  test('refuses a taken or malformed title', async () => {
    const tree = await Tree.of(service);
    const [a] = [await tree.create('a'), await tree.create('b')];
    refused(await tree.tryChange(a.id, { title: ' b' }), 'folder_exists', 'title');
    for (const title of ['', ' ', 'a/b', 'a\tb', '가'.repeat(256)]) {
      refused(await tree.tryChange(a.id, { title }), 'invalid_field', 'title');
    }
    assert.deepEqual(await tree.outline(), ['/a', '/b']);
  });

  test('of a folder in the trash collides with nothing', async () => {
    const tree = await Tree.of(service);
    const [a] = [await tree.create('a'), await tree.create('b')];
    await tree.trash(a.id);
    assert.equal((await tree.change(a.id, { title: 'b' })).title, 'b');
  });
});

test('nothing to change answers the folder unchanged', async () => {
  const tree = await Tree.of(service);
  const parent = await tree.create('parent');
  const { id } = await tree.create('a', parent.id);
  await age(id);
  const before = await tree.findRecord(id);
  const nothing: Record<string, string>[] = [
    {},
    { title: 'a' },
    { title: ' a ' },
    { parent_id: parent.id },
    { parent_id: parent.id.toUpperCase() },
    { parent_id: 'UNSET' },
    { parent_id: '' },
    { delete: 'false' },
    { delete: 'None' },
  ];
  for (const form of nothing) assert.deepEqual(await tree.change(id, form), before);
  const json = { title: null, parent_id: null, delete: null };
  const path = `${tree.path}/${id}`;
  assert.deepEqual(done(await service.client.put(path, tree.call({ json }))), before);
  assert.deepEqual(done(await service.client.put(path, tree.call())), before);
});

describe('moving', () => {
  test('under a folder, and to the top level by a blank', async () => {
    const tree = await Tree.of(service);
    const [a, b] = [await tree.create('a'), await tree.create('b')];
    await tree.create('c', b.id);
    await age(b.id);
    const moved = await tree.change(b.id, { parent_id: a.id.toUpperCase() });
    assert.equal(moved.parent_id, a.id);
    assert.notEqual(moved.updated_at, moved.created_at);
    assert.deepEqual(await tree.outline(), ['/a', '/a/b', '/a/b/c']);
    for (const blank of [' ', '+', '%20']) {
      assert.equal((await tree.change(b.id, { parent_id: blank })).parent_id, null);
      await tree.change(b.id, { parent_id: a.id });
    }
  });

  test('neither into itself nor below itself', async () => {
    const tree = await Tree.of(service);
    const ids = await chain(tree, 3);
    for (const parent_id of ids) {
      refused(await tree.tryChange(ids[0] ?? '', { parent_id }), 'folder_cycle', 'parent_id');
    }
  });

  test('not to where the title is taken', async () => {
    const tree = await Tree.of(service);
    const a = await tree.create('a');
    const inner = await tree.create('a', a.id);
    refused(await tree.tryChange(inner.id, { parent_id: ' ' }), 'folder_exists', 'title');
    assert.equal((await tree.change(inner.id, { parent_id: ' ', title: 'b' })).title, 'b');
  });

  test('neither into an unknown or foreign folder nor into the trash', async () => {
    const [tree, other] = [await Tree.of(service), await Tree.of(service)];
    const { id } = await tree.create('a');
    for (const parent_id of [uuidv7(), 'nowhere', 'root', (await other.create('b')).id]) {
      refused(await tree.tryChange(id, { parent_id }), 'folder_not_found', 'parent_id');
    }
    const gone = await tree.create('gone');
    await tree.trash(gone.id);
    refused(await tree.tryChange(id, { parent_id: gone.id }), 'folder_in_trash', 'parent_id');
  });

  test('keeps within 64 levels, the subtree and its trash included', async () => {
    const tree = await Tree.of(service);
    const deep = await chain(tree, 62);
    const top = await tree.create('top');
    const [second = '', third = ''] = await chain(tree, 2, top.id);
    const into = { parent_id: deep.at(-1) ?? '' };
    refused(await tree.tryChange(top.id, into), 'folder_too_deep', 'parent_id');
    await tree.trash(third);
    refused(await tree.tryChange(top.id, into), 'folder_too_deep', 'parent_id');
    await tree.change(top.id, { parent_id: deep.at(-2) ?? '' });
    assert.equal((await tree.restore(third)).parent_id, second);
    assert.equal((await tree.contents(third)).current_path.split('/').length - 1, 64);
  });
});

test('several changes are one: all of them or none', async () => {
  const tree = await Tree.of(service);
  const [a, b, c] = [await tree.create('a'), await tree.create('b'), await tree.create('c')];
  const changed = await tree.change(b.id, { title: 'x', parent_id: a.id }, { delete: 'True' });
  assert.deepEqual([changed.title, changed.parent_id], ['x', a.id]);
  assert.notEqual(changed.delete_at, null);
  const back = await tree.change(b.id, { title: 'y', parent_id: ' ', delete: 'FALSE' });
  assert.deepEqual([back.title, back.parent_id, back.delete_at], ['y', null, null]);
  const before = await tree.outline();
  refused(
    await tree.tryChange(c.id, { title: 'z', parent_id: uuidv7(), delete: 'true' }),
    'folder_not_found',
  );
  refused(
    await tree.tryChange(c.id, { title: 'a', parent_id: b.id, delete: 'x' }),
    'invalid_field',
  );
  refused(await tree.tryChange(b.id, { title: 'a', delete: 'none' }), 'folder_exists');
  assert.deepEqual(await tree.outline(), before);
});

test('an unknown folder is not changed', async () => {
  const tree = await Tree.of(service);
  for (const id of [uuidv7(), 'nowhere', 'root', '%20']) {
    refused(await tree.tryChange(id, { title: 'x' }), 'folder_not_found');
  }
});
