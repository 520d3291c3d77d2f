import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { row, rows } from '../../src/database/sql.js';
import { deleteUser } from '../../src/library/tree/bulk-changes.js';
import { reclaimOnce } from '../../src/library/reclaim/reclaim.js';
import { emptyTrash } from '../../src/library/tree/trash.js';
import { Usage } from '../../src/library/quota/usage.js';
import { assertAccounts } from '../../testkit/accounts.js';
import { eventually } from '../../testkit/eventually.js';
import { done } from '../../testkit/expect.js';
import { removeUser } from '../../testkit/insert-user.js';
import { operate } from '../../testkit/operator.js';
import type { Image } from '../../testkit/records.js';
import { ownService } from '../../testkit/service.js';
import type { Member } from '../../testkit/world.js';

const service = await ownService({ after });
const { db } = service;

const expire = (album: Member, days = 30, batchSize?: number) =>
  emptyTrash({
    db,
    actor: 'system',
    scope: { userId: album.id },
    days,
    ...(batchSize && { batchSize }),
  });

/** Makes the items in a user's trash older. */
async function age(album: Member, days: number): Promise<void> {
  for (const table of ['images', 'folders']) {
    await rows(
      db,
      `UPDATE ${table} SET deleted_at = deleted_at - make_interval(days => $2) WHERE user_id = $1`,
      [album.id, days],
    );
  }
}

const left = async (album: Member, table: 'images' | 'folders'): Promise<string[]> =>
  (
    await rows<{ id: string }>(db, `SELECT id FROM ${table} WHERE user_id = $1 ORDER BY id`, [
      album.id,
    ])
  ).map(({ id }) => id);

async function trashed(album: Member, count = 1, folder_id = ''): Promise<string[]> {
  const ids: string[] = [];
  for (let i = 0; i < count; i += 1) {
    const { id } = await album.upload({ folder_id });
    await album.put<Image>(`/images/${id}`, { delete: 'True' });
    ids.push(id);
  }
  return ids;
}

/** A trashed folder with a subfolder, an image in each, and an image trashed by itself before. */
async function trashedTree(album: Member) {
  const outer = (await album.folder('outer')).id;
  const inner = (await album.folder('in', { id: outer })).id;
  const [alone] = await trashed(album, 1, inner);
  const images: string[] = [];
  for (const folder_id of [outer, inner]) images.push((await album.upload({ folder_id })).id);
  await album.trashFolder({ id: outer });
  return { outer, inner, images, alone };
}

describe('trash expiry', () => {
  test('permanently deletes only expired items', async () => {
    const album = await service.user();
    await trashed(album, 3);
    await age(album, 31);
    const [recent = ''] = await trashed(album);
    const { id: active } = await album.upload();
    assert.deepEqual(await expire(album, 30, 2), { images: 3, folders: 0, holds: [] });
    assert.deepEqual(await left(album, 'images'), [recent, active].sort());
    await reclaimOnce({ dataSource: db, store: service.service.store });
    await assertAccounts(service);
  });

  test('deletes a folder with everything trashed with it or before it', async () => {
    const album = await service.user();
    await trashedTree(album);
    await age(album, 31);
    assert.deepEqual(await expire(album), { images: 3, folders: 2, holds: [] });
    assert.deepEqual([await left(album, 'images'), await left(album, 'folders')], [[], []]);
  });

  test('keeps a folder with an image that is not due', async () => {
    const album = await service.user();
    const { images } = await trashedTree(album);
    await age(album, 31);
    await rows(db, 'UPDATE images SET deleted_at = NULL WHERE id = $1', [images[0]]);
    assert.deepEqual(await expire(album), { images: 1, folders: 0, holds: [] });
    assert.equal((await left(album, 'images')).length, 2); // the image trashed with the folder stays
  });

  test('skips an item whose restore came first', async () => {
    const album = await service.user();
    const { outer, images } = await trashedTree(album);
    await age(album, 31);
    const restoring = db.createQueryRunner();
    await restoring.startTransaction();
    await new Usage(db).lock(restoring.manager, album.id);
    const expiring = expire(album);
    await waiting();
    for (const table of ['images', 'folders']) {
      await restoring.query(
        `UPDATE ${table} SET deleted_at = NULL, trashed_with = NULL
         WHERE user_id = $1 AND (id::text = $2 OR trashed_with::text = $2)`,
        [album.id, outer],
      );
    }
    await restoring.commitTransaction();
    await restoring.release();
    assert.deepEqual(await expiring, { images: 1, folders: 0, holds: [] }); // the image trashed by itself
    assert.deepEqual(await left(album, 'images'), images.sort());
    assert.equal((await left(album, 'folders')).length, 2);
  });

  test('passes over a user who is deleted meanwhile', async () => {
    const album = await service.user();
    await trashedTree(album);
    await age(album, 31);
    const removing = db.createQueryRunner();
    await removing.startTransaction();
    await new Usage(db).lock(removing.manager, album.id);
    const expiring = expire(album);
    await waiting();
    await deleteUser(removing.manager, album.id);
    await removing.commitTransaction();
    await removing.release();
    assert.deepEqual(await expiring, { images: 0, folders: 0, holds: [] });
  });

  test('makes a later restore fail', async () => {
    const album = await service.user();
    const [id = ''] = await trashed(album);
    await age(album, 31);
    const hold = db.createQueryRunner();
    await hold.startTransaction();
    await new Usage(db).lock(hold.manager, album.id);
    const expiring = expire(album);
    await waiting();
    const restoring = album.put<Image>(`/images/${id}`, { delete: 'False' });
    await waiting(2);
    await hold.commitTransaction();
    await hold.release();
    assert.equal((await expiring).images, 1);
    const { status, error } = await restoring;
    assert.deepEqual([status, error?.code], [400, 'image_not_found']);
  });

  test('with concurrent restores, each image is either restored or deleted', async () => {
    const album = await service.user();
    const ids = await trashed(album, 8);
    await age(album, 31);
    const [emptied, ...answers] = await Promise.all([
      expire(album, 30, 1),
      ...ids.map((id) => album.put<Image>(`/images/${id}`, { delete: 'False' })),
    ]);
    const restored = ids.filter((_, i) => answers[i]?.status === 200);
    assert.deepEqual(await left(album, 'images'), restored.sort());
    assert.equal(emptied.images, ids.length - restored.length);
    await assertAccounts(service);
  });
});

/** Resolves once this many transactions wait for the user's lock. */
const waiting = (count = 1): Promise<void> =>
  eventually(`${count} wait for the lock`, async () => {
    const blocked = await row<{ count: number }>(
      db,
      `SELECT count(*)::int FROM pg_stat_activity
       WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%FROM users%'`,
    );
    return (blocked?.count ?? 0) >= count;
  });

describe('imgstore trash', () => {
  test('lists the trash of each user, and empties it', async () => {
    const [album, other] = [await service.user(), await service.user()];
    await trashedTree(album);
    await album.folder('not in the trash');
    await trashed(other);
    const scope = ['--user', album.id];
    const listed = await operate(service, ['trash', 'list', ...scope]);
    const [mine, ...rest] = listed.json<Record<string, unknown>[]>();
    assert.deepEqual([mine?.user_id, mine?.images, mine?.folders], [album.id, 3, 2]);
    assert.ok(Number(mine?.stored_mb) > 0 && typeof mine?.oldest === 'string');
    assert.deepEqual(rest, []);
    const both = await other.edit(await other.upload());
    await other.put(`/images/${both.id}`, { delete: 'True' });
    const [theirs] = (await operate(service, ['trash', 'list', '--user', other.id])).json<
      { stored_mb: number }[]
    >();
    const { used_storage_mb } = done(await other.get<{ used_storage_mb: number }>('/info'));
    assert.equal(theirs?.stored_mb, used_storage_mb, 'edits count, too');

    const unasked = await operate(service, ['trash', 'empty', ...scope]);
    assert.equal(unasked.code, 2);
    assert.equal((await left(album, 'images')).length, 3);

    const platform = ['--platform', album.platformId];
    const emptied = await operate(service, ['trash', 'empty', ...platform, '--yes']);
    assert.deepEqual(emptied.json(), { images: 3, folders: 2, holds: [] });
    assert.deepEqual((await operate(service, ['trash', 'list', ...scope])).json(), []);
    assert.equal((await left(other, 'images')).length, 2);
  });

  test('empties nothing unless a user or platform is given', async () => {
    const empty = ['trash', 'empty', '--yes'];
    assert.equal((await operate(service, empty)).code, 2);
    assert.equal((await operate(service, [...empty, '--user', 'me'])).code, 1);
  });
});

describe('the backlog of the reclaim job', () => {
  test('is shown in the status; the job deletes the objects of a deleted user', async () => {
    const album = await service.user();
    await album.upload();
    const { store } = service.service;
    const stored = async () => {
      let count = 0;
      for await (const { key } of store.list(`${album.platformId}/`)) count += key ? 1 : 0;
      return count;
    };
    assert.ok((await stored()) > 0);
    await removeUser(db, album.id);
    const status = await operate(service, ['status']);
    const { reclaim } = status.json<{ reclaim: { pending: number; due: number } }>();
    assert.ok(Number.isInteger(reclaim.pending) && reclaim.pending >= reclaim.due);
    await reclaimOnce({ dataSource: db, store });
    assert.equal(await stored(), 0);
  });
});

test('an error ends the run, and nothing of the folder is deleted', async () => {
  const album = await service.user();
  const folder = (await album.folder('kept')).id;
  await album.upload({ folder_id: folder });
  await album.trashFolder({ id: folder });
  await age(album, 40);
  await rows(
    db,
    `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
       $$ BEGIN RAISE EXCEPTION 'the disk is on fire' USING ERRCODE = '58030'; END $$`,
  );
  await rows(
    db,
    'CREATE TRIGGER refuse BEFORE DELETE ON folders FOR EACH ROW EXECUTE FUNCTION refuse()',
  );
  try {
    await assert.rejects(expire(album), /on fire/);
  } finally {
    await rows(db, 'DROP FUNCTION refuse() CASCADE');
  }
  assert.equal((await left(album, 'folders')).length, 1);
  assert.equal((await left(album, 'images')).length, 1);
  assert.deepEqual(await expire(album), { images: 1, folders: 1, holds: [] });
});
