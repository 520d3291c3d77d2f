import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, describe, test } from 'node:test';
import type { DeletedUser } from '../../src/deletion/schemas.js';
import { reclaimOnce } from '../../src/reclaim/reclaim.js';
import { insertImages } from '../../testkit/images.js';
import { filePart, jpeg } from '../../testkit/pictures.js';
import { testService } from '../../testkit/service.js';
import type { TestUser } from '../../testkit/service.js';

const service = await testService({ after });
const { client, db } = service;

const remove = (user: TestUser) =>
  client.delete<DeletedUser>(`/api/v1/users/${user.id}`, { as: ['User', user.token] });

const upload = async (user: TestUser, seed = 0, to = user.images) =>
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

/** Rows that the user still has, by table. */
async function rowsOf(user: TestUser): Promise<Record<string, number>> {
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
async function orphansOf(user: TestUser): Promise<string[]> {
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
    const [, edited, trashed, kept] = [
      await upload(user, 1),
      await upload(user, 2),
      await upload(user, 3),
      await upload(other, 4),
    ];
    await upload(user, 5, `${user.images}/${edited.result.id}/filedata`);
    await db.query('UPDATE images SET deleted_at = now() WHERE id = $1', [trashed.result.id]);
    await db.query(
      `WITH top AS (INSERT INTO folders (id, user_id, title)
                    VALUES (gen_random_uuid(), $1, 'top') RETURNING id)
       INSERT INTO folders (id, user_id, parent_id, title)
       SELECT gen_random_uuid(), $1, id, 'below' FROM top`,
      [user.id],
    );
    await db.query(
      `UPDATE images SET folder_id = (SELECT id FROM folders WHERE user_id = $1 AND title = 'below')
       WHERE id = $2`,
      [user.id, edited.result.id],
    );
    await db.query(
      `INSERT INTO memos (id, user_id, image_id, message, is_client)
       VALUES (gen_random_uuid(), $1, $2, 'note', false)`,
      [user.id, edited.result.id],
    );

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

  test('of nothing answers zeros; afterwards neither user nor platform finds it', async () => {
    const platform = await service.platform();
    const user = await service.user(platform);
    assert.deepEqual((await remove(user)).result, {
      user_id: user.id,
      deleted_folders: 0,
      deleted_images: 0,
    });
    const again = await remove(user);
    assert.deepEqual([again.status, again.error?.code], [401, 'token_revoked']);
    const { status, error } = await client.get(
      `/api/v1/platforms/${platform.id}/users/${user.id}`,
      { as: ['Platform', platform.token] },
    );
    assert.deepEqual([status, error?.code], [400, 'user_not_found']);
  });

  test('asked for several times at once is done once; no answer is a 5xx', async () => {
    const user = await service.user();
    await insertImages(db, user, 500);
    const answers = await Promise.all([1, 2, 3, 4, 5].map(() => remove(user)));
    assert.equal(answers.filter(({ status }) => status === 200).length, 1);
    for (const { status } of answers) assert.ok([200, 400, 401].includes(status), String(status));
  });

  test('of more images than go into one statement balances the ledger', async () => {
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
  test('are stored before, or refused with a 4xx; no orphan is left either way', async () => {
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

  test('do not wait for a long deletion, but are refused at once', async () => {
    const user = await service.user();
    await insertImages(db, user, 100);
    const runner = db.createQueryRunner();
    await runner.startTransaction();
    // Holds up the deletion in the middle: it cannot delete this image.
    await runner.query('SELECT FROM images WHERE user_id = $1 LIMIT 1 FOR KEY SHARE', [user.id]);
    const deletion = remove(user);
    await untilBlocked();
    const late = await upload(user);
    assert.deepEqual([late.status, late.error?.code], [400, 'user_not_found']);
    await runner.rollbackTransaction();
    await runner.release();
    assert.equal((await deletion).status, 200);
    assert.deepEqual(await rowsOf(user), {});
    assert.deepEqual(await orphansOf(user), []);
  });
});

/** Until a statement of the deletion waits for a lock. */
async function untilBlocked(): Promise<void> {
  for (;;) {
    const [row] = await db.query<{ waiting: number }[]>(
      `SELECT count(*) AS waiting FROM pg_stat_activity
       WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE 'DELETE%'`,
    );
    if (row?.waiting) return;
    await once(AbortSignal.timeout(20), 'abort');
  }
}
