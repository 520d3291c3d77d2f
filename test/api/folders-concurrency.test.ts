import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Answer } from '../../testkit/client.js';
import { seedSeries } from '../../testkit/image-rows.js';
import type { Folder, DeletedFolders } from '../../testkit/records.js';
import { testService } from '../../testkit/service.js';
import { all } from '../../testkit/world.js';

const service = await testService();

const times = <T>(n: number, make: (i: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: n }, (_, i) => make(i)));

/** The error codes of answers; empty for success. */
const codes = (answers: readonly { status: number; error?: { code: string } }[]): string[] =>
  answers.map(({ status, error }) => (status === 200 ? '' : (error?.code ?? `${status}`))).sort();

test('concurrent moves in a ring leave a tree', async () => {
  const tree = await service.user();
  const ring = await times(8, (i) => tree.folder(`${i}`));
  const answers = await times(8, (i) =>
    tree.put<Folder>(`/folders/${ring[i]?.id ?? ''}`, { parent_id: ring[(i + 1) % 8]?.id ?? '' }),
  );
  assert.deepEqual(codes(answers), [...Array<string>(7).fill(''), 'folder_cycle']);
  assert.equal(all(await tree.folders()).length, 8);
});

test('a folder created while its parent is being trashed is rejected or trashed as well', async () => {
  const tree = await service.user();
  const parent = await tree.folder('parent');
  const [trashing, ...creating] = await Promise.all([
    tree.put<Folder>(`/folders/${parent.id}`, { delete: 'true' }),
    ...Array.from({ length: 6 }, (_, i) =>
      tree.post<Folder>('/folders', { title: `${i}`, parent_id: parent.id }),
    ),
  ]);
  assert.equal(trashing.status, 200);
  for (const { status, error } of creating) {
    if (status !== 200) assert.equal(error?.code, 'folder_in_trash');
  }
  const folders = all(await tree.folders());
  assert.equal(folders.length, 1 + creating.filter(({ status }) => status === 200).length);
  assert.ok(folders.every(({ delete_at }) => delete_at !== null));
});

test('concurrent trash, restore, and deletion fail cleanly, and the accounting stays correct', async () => {
  const tree = await service.user();
  const parent = await tree.folder('parent');
  const child = await tree.folder('child', parent);
  await seedSeries(service, tree, { folderId: child.id, count: 20 });
  const answers = await times<Answer<unknown>>(12, (i) =>
    i === 7
      ? tree.delete<DeletedFolders>(`/folders/${child.id}`)
      : tree.put<Folder>(`/folders/${i % 2 ? parent.id : child.id}`, {
          delete: i % 3 ? 'true' : 'false',
        }),
  );
  assert.ok(codes(answers).every((code) => code === '' || code === 'folder_not_found'));
  const [user]: Record<string, number>[] = await service.db.query(
    `SELECT active_images, trashed_images, stored_bytes FROM users WHERE id = $1`,
    [tree.id],
  );
  assert.deepEqual(user, { active_images: 0, trashed_images: 0, stored_bytes: 0 });
});
