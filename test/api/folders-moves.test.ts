import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Tree, done } from '../../testkit/folders.js';
import { testService } from '../../testkit/service.js';

const service = await testService();

/** Sets a folder's timestamps back, so that a change of updated_at shows. */
const age = (id: string) =>
  service.db.query(
    `UPDATE folders SET created_at = '2024-01-01', updated_at = '2024-01-01' WHERE id = $1`,
    [id],
  );

test('a new title or parent updates updated_at', async () => {
  const tree = await Tree.of(service);
  const [a, b] = [await tree.create('a'), await tree.create('b')];
  for (const form of [{ title: 'c' }, { parent_id: a.id }] as Record<string, string>[]) {
    await age(b.id);
    const before = await tree.find(b.id);
    const changed = await tree.change(b.id, form);
    assert.equal(changed.created_at, before.created_at);
    assert.ok(changed.updated_at > before.updated_at);
  }
});

test('a request without changes returns the folder unchanged', async () => {
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
  const json = { title: null, parent_id: '', delete: null }; // a null parent is the top level
  const path = `${tree.path}/${id}`;
  assert.deepEqual(done(await service.client.put(path, tree.call({ json }))), before);
  assert.deepEqual(done(await service.client.put(path, tree.call())), before);
});
