import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { DeletedUser } from '../../src/library/users/schemas.js';
import { reclaimOnce } from '../../src/library/reclaim/reclaim.js';
import { eventually } from '../../testkit/eventually.js';
import { insertImages } from '../../testkit/images.js';
import { filePart, jpeg } from '../../testkit/pictures.js';
import type { Image } from '../../testkit/records.js';
import { testService } from '../../testkit/service.js';
import type { Member } from '../../testkit/world.js';

const service = await testService();
const { client, db } = service;

const remove = (user: Member) =>
  client.delete<DeletedUser>(`/api/v1/users/${user.id}`, { as: ['User', user.token] });

const upload = async (user: Member, seed = 0, to = user.images) =>
  client.post<{ id: string; org_path_url: string }>(to, {
    as: ['User', user.token],
    form: { image_data: filePart(await jpeg({ seed })) },
  });

const tables = [
  'users',
  'images',
  'image_versions',
  'memos',
  'customs',
  'folders',
  'refresh_tokens',
];

/** The user's remaining rows, by table. */
async function rowsOf(user: Member): Promise<Record<string, number>> {
  const left: Record<string, number> = {};
  for (const table of tables) {
    const column = table === 'users' ? 'id' : 'user_id';
    const [row] = await db.query<{ count: number }[]>(
      `SELECT count(*) AS count FROM ${table} WHERE ${column} = $1`,
      [user.id],
    );
    if (row?.count) left[table] = row.count;
  }
  return left;
}

/** Objects of the user that neither a row nor the reclaim queue knows. */
async function orphansOf(user: Member): Promise<string[]> {
  const orphans: string[] = [];
  for await (const { key } of service.service.store.list(`${user.platformId}/${user.id}/`)) {
    const [known] = await db.query<unknown[]>(
      `SELECT FROM object_reclaim WHERE key = $1
       UNION ALL
       SELECT FROM image_versions WHERE id::text = split_part($1, '/', 4)`,
      [key],
    );
    if (!known) orphans.push(key);
  }
  return orphans;
}

describe('deleting a user', () => {
  test('removes all rows at once and all objects by the reclaim job', async () => {
    const platform = await service.platform();
    const [user, other] = [await service.user(platform), await service.user(platform)];
    const album = user;
    const below = (await album.folder('below', { id: (await album.folder('top')).id })).id;
    const [edited, trashed] = [await album.upload({ folder_id: below }), await album.upload()];
    await upload(user, 1);
    const kept = await upload(other, 4);
    await upload(user, 5, `${user.images}/${edited.id}/filedata`);
    await album.put<Image>(`/images/${trashed.id}`, { delete: 'True' });
    const memo = { message: 'note', is_client: 'False' };
    assert.equal(
      (await album.call('POST', `/images/${edited.id}/memos`, { form: memo })).status,
      200,
    );
    const custom = { key: 'k', value: 'v' };
    assert.equal(
      (await album.call('POST', `/images/${edited.id}/customs`, { form: custom })).status,
      200,
    );
    assert.deepEqual(Object.keys(await rowsOf(user)).sort(), tables.toSorted());

    const { status, message, result } = await remove(user);

    assert.deepEqual([status, message], [200, '성공']);
    assert.deepEqual(result, { user_id: user.id, deleted_folders: 2, deleted_images: 3 });
    assert.deepEqual(await rowsOf(user), {});
    assert.deepEqual(await orphansOf(user), []);
    await reclaimOnce({ dataSource: db, store: service.service.store });
    for await (const { key } of service.service.store.list(`${user.platformId}/${user.id}/`)) {
      assert.fail(`${key} is left`);
    }
    assert.equal((await fetch(kept.result.org_path_url)).status, 200);
    assert.deepEqual((await rowsOf(other)).images, 1);
  });

  test('requested several times concurrently happens once; no answer is a 5xx', async () => {
    const user = await service.user();
    await insertImages(db, user, 500);
    const answers = await Promise.all([1, 2, 3, 4, 5].map(() => remove(user)));
    assert.equal(answers.filter(({ status }) => status === 200).length, 1);
    for (const { status } of answers) assert.ok([200, 400, 401].includes(status), String(status));
  });

  test('of more images than fit into one statement balances the ledger', async () => {
    const user = await service.user();
    await insertImages(db, user, 6_000);
    const { result } = await remove(user);
    assert.equal(result.deleted_images, 6_000);
    assert.deepEqual(await rowsOf(user), {});
    const [sums] = await db.query<unknown[]>(
      `SELECT sum(active_images)::int AS active, sum(stored_bytes)::int AS stored,
              sum(deletions)::int AS deletions
       FROM usage_events WHERE platform_id = $1`,
      [user.platformId],
    );
    assert.deepEqual(sums, { active: 0, stored: 0, deletions: 5_400 });
    const [queued] = await db.query<{ count: number }[]>(
      `SELECT count(*) AS count FROM object_reclaim WHERE key LIKE $1`,
      [`${user.platformId}/${user.id}/%`],
    );
    assert.equal(queued?.count, 18_000);
  });
});

describe('uploads under way while their user is deleted', () => {
  test('are stored before the deletion or refused with a 4xx; neither leaves orphans', async () => {
    const user = await service.user();
    const { result: image } = await upload(user);
    const uploads = Array.from({ length: 16 }, (_, i) =>
      upload(user, i, i % 2 === 0 ? user.images : `${user.images}/${image.id}/filedata`),
    );
    await Promise.race(uploads);
    const { status } = await remove(user);
    assert.equal(status, 200);
    for (const { status, error } of await Promise.all(uploads)) {
      const code = error?.code ?? '';
      const known = ['user_not_found', 'image_not_found', 'token_revoked'].includes(code);
      assert.ok(status === 200 || known, `${status} ${code}`);
    }
    assert.deepEqual(await rowsOf(user), {});
    assert.deepEqual(await orphansOf(user), []);
  });

  test('do not wait for a long deletion but are refused at once', async () => {
    const user = await service.user();
    await insertImages(db, user, 100);
    const runner = db.createQueryRunner();
    await runner.startTransaction();
    // Blocks the deletion halfway: it cannot delete this image.
    await runner.query('SELECT FROM images WHERE user_id = $1 LIMIT 1 FOR KEY SHARE', [user.id]);
    const deletion = remove(user);
    await untilBlocked();
    const late = await upload(user);
    assert.deepEqual([late.status, late.error?.code], [401, 'token_revoked']);
    await runner.rollbackTransaction();
    await runner.release();
    assert.equal((await deletion).status, 200);
    assert.deepEqual(await rowsOf(user), {});
    assert.deepEqual(await orphansOf(user), []);
  });
});

/** Resolves when a statement of the deletion waits for a lock. */
const untilBlocked = (): Promise<void> =>
  eventually('the deletion waits', async () => {
    const [row] = await db.query<{ waiting: number }[]>(
      `SELECT count(*) AS waiting FROM pg_stat_activity
       WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE 'DELETE%'`,
    );
    return Boolean(row?.waiting);
  });
