import assert from 'node:assert/strict';
import { test } from 'node:test';
import { done } from '../../testkit/expect.js';
import type { Folder } from '../../testkit/records.js';
import { testService } from '../../testkit/service.js';

const service = await testService();

/** Sets a folder's timestamps back, so that a change of updated_at shows. */
const age = (id: string) =>
  service.db.query(
    `UPDATE folders SET created_at = '2024-01-01', updated_at = '2024-01-01' WHERE id = $1`,
    [id],
  );

test('a new title or parent updates updated_at', async () => {
  const tree = await service.user();
  const [a, b] = [await tree.folder('a'), await tree.folder('b')];
  for (const form of [{ title: 'c' }, { parent_id: a.id }] as Record<string, string>[]) {
    await age(b.id);
    const before = (await tree.findFolder(b.id)) as Folder;
    const changed = await tree.changeFolder(b.id, form);
    assert.equal(changed.created_at, before.created_at);
    assert.ok(changed.updated_at > before.updated_at);
  }
});

test('a request without changes returns the folder unchanged', async () => {
  const tree = await service.user();
  const parent = await tree.folder('parent');
  const { id } = await tree.folder('a', parent);
  await age(id);
  const { child_folders, ...before } = (await tree.findFolder(id)) as Folder;
  assert.deepEqual(child_folders, []);
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
  for (const form of nothing) assert.deepEqual(await tree.changeFolder(id, form), before);
  const json = { title: null, parent_id: '', delete: null }; // a null parent is the top level
  assert.deepEqual(done(await tree.call('PUT', `/folders/${id}`, { json })), before);
  assert.deepEqual(done(await tree.put(`/folders/${id}`)), before);
});
