import assert from 'node:assert/strict';
import { test } from 'node:test';
import { emptyTrash } from '../../src/library/tree/trash.js';
import { row } from '../../src/database/sql.js';
import { Usage } from '../../src/library/quota/usage.js';
import { done } from '../../testkit/expect.js';
import { filePart, jpeg } from '../../testkit/pictures.js';
import type { Image } from '../../testkit/records.js';
import { testService } from '../../testkit/service.js';
import { ChangeReader } from '../../testkit/change-reader.js';
import type { Member } from '../../testkit/world.js';

const service = await testService();
const { db } = service;
const changeReader = new ChangeReader(db);

/** A user whose creation entry has been read. */
async function album(): Promise<Member> {
  const made = await service.user();
  assert.deepEqual(await changeReader.next(made.id), ['user created by platform']);
  return made;
}

const is = async (user: Member, ...entries: string[]): Promise<void> =>
  assert.deepEqual(await changeReader.next(user.id), entries);

test('an upload is one entry, whatever fields it has', async () => {
  const one = await album();
  await one.upload();
  await is(one, 'image created');
  await one.upload({ message: 'a crack', is_shared: 'True' });
  await is(one, 'image created');
});

test('each change of an image is one entry; a request without effect has none', async () => {
  const one = await album();
  const folder = (await one.folder('a')).id;
  const { id } = await one.upload();
  await is(one, 'folder created', 'image created');
  const steps: [Record<string, string>, ...string[]][] = [
    [{ has_det: 'True' }, 'image updated'],
    [{ has_det: 'True' }],
    [{ address_road: 'a road' }, 'image updated'],
    [{ lat: '37.1', lng: '127.1' }, 'image updated'],
    [{ folder_id: folder }, 'image moved'],
    [{ folder_id: folder, has_det: 'False' }, 'image updated'],
    [{ folder_id: ' ', has_det: 'True' }, 'image moved'],
    [{ delete: 'True', has_det: 'False' }, 'image trashed'],
    [{ delete: 'True' }],
    [{ delete: 'False', folder_id: folder }, 'image restored'],
  ];
  for (const [fields, ...entries] of steps) {
    done(await one.put<Image>(`/images/${id}`, fields));
    await is(one, ...entries);
  }
});

test('memos, customs and versions have their own entries, with the image id', async () => {
  const one = await album();
  const { id } = await one.upload();
  await one.call('POST', `/images/${id}/memos`, { form: { message: 'a', is_client: 'True' } });
  const found = await row<{ id: string }>(db, 'SELECT id FROM memos WHERE image_id = $1', [id]);
  const memo = found?.id ?? '';
  await one.call('PUT', `/images/${id}/memos/${memo}`, { form: { message: 'b' } });
  await one.call('PUT', `/images/${id}/memos/${memo}`, { form: { message: 'b' } });
  await one.call('DELETE', `/images/${id}/memos/${memo}`);
  const custom = done(
    await one.call<{ id: string }>('POST', `/images/${id}/customs`, {
      form: { key: 'k', value: 'v' },
    }),
  ).id;
  await one.call('PUT', `/images/${id}/customs/${custom}`, { form: { value: 'w' } });
  await one.call('DELETE', `/images/${id}/customs/${custom}`);
  const file = filePart(await jpeg({ width: 60, height: 40 }));
  done(await one.call('POST', `/images/${id}/filedata`, { form: { image_data: file } }));
  const entries = await changeReader.entries(one.id);
  const image = id;
  assert.deepEqual(
    entries
      .map(({ type, action, id: thing, image_id }) => [type, action, thing, image_id])
      .slice(1, 7),
    [
      [4, 0, memo, image],
      [4, 1, memo, image],
      [4, 5, memo, image],
      [5, 0, custom, image],
      [5, 1, custom, image],
      [5, 5, custom, image],
    ],
  );
  assert.deepEqual(
    entries.slice(7).map(({ type, action, image_id }) => [type, action, image_id]),
    [[2, 0, image]],
  );
});

test('a folder has one entry for several changes, and one for each item trashed or restored with it', async () => {
  const one = await album();
  const tree = one;
  const [a, b] = [(await one.folder('a')).id, (await one.folder('b')).id];
  const inner = (await one.folder('inner', { id: a })).id;
  const { id } = await one.upload({ folder_id: inner });
  await is(one, ...Array<string>(3).fill('folder created'), 'image created');
  await tree.changeFolder(a, { title: 'A' });
  await is(one, 'folder updated');
  await tree.changeFolder(a, { title: 'A' });
  await is(one);
  await tree.changeFolder(inner, { title: 'within', parent_id: b });
  await is(one, 'folder moved');
  await tree.changeFolder(b, {}, { delete: 'true' });
  await is(one, 'folder trashed', 'folder trashed', 'image trashed');
  // The title changes first; then the folder is restored with its contents.
  await tree.changeFolder(b, { title: 'B' }, { delete: 'false' });
  await is(one, 'folder restored', 'folder restored', 'image restored');
  await tree.changeFolder(b, { title: 'BB' }, { delete: 'true' });
  await is(one, 'folder trashed', 'folder trashed', 'image trashed');
  await tree.deleteFolder(b);
  const gone = await changeReader.entries(one.id);
  assert.deepEqual(
    gone.map(({ action }) => action),
    [5, 5, 5],
  );
  assert.deepEqual(new Set(gone.map((entry) => entry.id)), new Set([b, inner, id]));
});

test('what is deleted with an image has no entry; sharing has one for each image', async () => {
  const one = await album();
  const ids = [await one.upload({ message: 'm' }), await one.upload(), await one.upload()].map(
    (image) => image.id,
  );
  await one.call('POST', `/images/${ids[0]}/customs`, { form: { key: 'k', value: 'v' } });
  await changeReader.next(one.id);
  done(await one.call('POST', '/images/share', { form: { image_ids: ids } }));
  await is(one, 'image updated', 'image updated', 'image updated');
  done(await one.call('POST', '/images/share', { form: { image_ids: ids } }));
  await is(one);
  await one.put<Image>(`/images/${ids[0] ?? ''}`, { delete: 'True' });
  const scope = { userId: one.id };
  await emptyTrash({ db, scope, actor: 'system', days: 0 });
  await is(one, 'image trashed', 'image deleted by system');
});

test('a quota has an entry when it changes', async () => {
  const one = await album();
  const path = `/api/v1/users/${one.id}`;
  const as = ['User', one.token] as const;
  done(await service.client.put(path, { as, form: { max_storage_mb: '123' } }));
  done(await service.client.put(path, { as, form: { max_storage_mb: '123' } }));
  await is(one, 'user updated');
});

test('deleting a user makes one last entry', async () => {
  const one = await album();
  await one.upload({ folder_id: (await one.folder('a')).id });
  await changeReader.next(one.id);
  const as = ['User', one.token] as const;
  done(await service.client.delete(`/api/v1/users/${one.id}`, { as }));
  await is(one, 'user deleted');
});

test('ten thousand rows of one statement are ten thousand entries, once in a transaction', async () => {
  const one = await album();
  await db.transaction(async (tx) => {
    await tx.query(
      `INSERT INTO folders (id, user_id, title)
         SELECT gen_random_uuid(), $1, n::text FROM generate_series(1, 10000) AS n`,
      [one.id],
    );
    await tx.query(`UPDATE folders SET title = title || '!' WHERE user_id = $1`, [one.id]);
  });
  const made = await changeReader.next(one.id);
  assert.deepEqual([made.length, new Set(made)], [10_000, new Set(['folder created'])]);
  const trash = `UPDATE folders SET deleted_at = now() WHERE user_id = $1`;
  await db.query(trash, [one.id]);
  const gone = await changeReader.next(one.id);
  assert.deepEqual([gone.length, new Set(gone)], [10_000, new Set(['folder trashed'])]);
});

test('neither rollbacks nor twenty concurrent writers leave gaps', async () => {
  const one = await album();
  const image = await one.upload();
  await assert.rejects(
    db.transaction(async (tx) => {
      await tx.query(`UPDATE images SET has_det = true WHERE id = $1`, [image.id]);
      throw new Error('no');
    }),
  );
  const writers = Array.from({ length: 20 }, async (_, n) => {
    const memo = await one.call('POST', `/images/${image.id}/memos`, {
      form: { message: `m ${n}`, is_client: 'True' },
    });
    done(memo);
    await one.folder(`folder ${n}`);
  });
  await Promise.all(writers);
  const made = await changeReader.next(one.id);
  assert.equal(made.length, 41);
  const head = await row<{ seq: number }>(db, 'SELECT change_seq AS seq FROM users WHERE id = $1', [
    one.id,
  ]);
  assert.equal(head?.seq, 42);
});

test('concurrent memos and deletions of one image lock in the same order', async () => {
  const one = await album();
  for (let round = 0; round < 5; round += 1) {
    const ids = await Promise.all([1, 2, 3].map(async () => (await one.upload()).id));
    const memos = ids.flatMap((id) => [
      one.call('POST', `/images/${id}/memos`, { form: { message: 'late', is_client: 'True' } }),
      one.put<Image>(`/images/${id}`, { is_signed: 'True', address_det: 'x' }),
    ]);
    const gone = db.transaction(async (tx) => {
      await new Usage(db).lock(tx, one.id);
      await tx.query('DELETE FROM images WHERE id = ANY ($1::uuid[])', [ids]);
    });
    const answers = await Promise.all(memos);
    await gone;
    for (const { status, error } of answers) {
      assert.ok(status === 200 || error?.code === 'image_not_found', JSON.stringify(error));
    }
  }
});
