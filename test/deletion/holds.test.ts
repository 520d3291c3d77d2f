import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { column, onlyValue, rows } from '../../src/database/sql.js';
import { deleteTree, finishAllChanges } from '../../src/library/tree/bulk-changes.js';
import { reclaimOnce } from '../../src/library/reclaim/reclaim.js';
import { emptyTrash } from '../../src/library/tree/trash.js';
import { v7 as uuidv7 } from 'uuid';
import { assertCounts } from '../../testkit/accounts.js';
import { refusal } from '../../testkit/expect.js';
import type { Answer } from '../../testkit/client.js';
import type { Ran } from '../../testkit/command.js';
import { eventually } from '../../testkit/eventually.js';
import { done, nobody, refused } from '../../testkit/expect.js';
import { seedImages, seedSeries } from '../../testkit/image-rows.js';
import { filePart, jpeg } from '../../testkit/pictures.js';
import { operate } from '../../testkit/operator.js';
import type { Image } from '../../testkit/records.js';
import { ownService } from '../../testkit/service.js';
import type { Tenant } from '../../testkit/world.js';
import { keysOf, strayFile } from '../integrity/checking.js';

const service = await ownService({ after });
const { db, client } = service;
const admin = await service.adminToken();

interface Hold {
  readonly id: string;
  readonly until: string | null;
  readonly released_at: string | null;
  readonly created_by: string;
}

type Target = Readonly<Record<string, string | readonly string[]>>;

/** A user of a platform whose token is known. */
async function tenant() {
  const platform = await service.platform();
  const album = await service.user(platform);
  return { platform, album, user: album };
}
type Owned = Awaited<ReturnType<typeof tenant>>;

const holdsOf = (platform: Pick<Tenant, 'id' | 'token'>): string =>
  `/api/v1/platforms/${platform.id}/holds`;

const tryHold = (platform: Pick<Tenant, 'id' | 'token'>, target: Target, as?: ['Admin', string]) =>
  client.post<Hold>(holdsOf(platform), {
    as: as ?? ['Platform', platform.token],
    form: { reason: 'claim 7', ...target },
  });

const hold = async (platform: Pick<Tenant, 'id' | 'token'>, target: Target): Promise<string> =>
  done(await tryHold(platform, target)).id;

const release = (platform: Pick<Tenant, 'id' | 'token'>, id: string) =>
  client.delete<Hold>(`${holdsOf(platform)}/${id}`, { as: ['Platform', platform.token] });

const exists = async (imageId: string): Promise<boolean> =>
  (await rows(db, 'SELECT FROM images WHERE id = $1', [imageId])).length > 0;

const expire = ({ user }: Owned, days: number) =>
  emptyTrash({
    db,
    actor: 'system',
    scope: { userId: user.id },
    days,
  });

/** One image in a folder in a folder, with a memo and a custom, all of them in the trash if so wanted. */
async function kept(of: Owned, isTrashed: boolean) {
  const { album, user } = of;
  const outer = (await album.folder('outer')).id;
  const inner = (await album.folder('inner', { id: outer })).id;
  const { id } = await album.upload({ folder_id: inner });
  const memo = { message: 'a crack', is_client: 'False' };
  const image = done(
    await album.call<{ memos: { id: string }[] }>('POST', `/images/${id}/memos`, { form: memo }),
  );
  const custom = done(
    await album.call<{ id: string }>('POST', `/images/${id}/customs`, {
      form: { key: 'k', value: 'v' },
    }),
  );
  if (isTrashed) {
    await album.put<Image>(`/images/${id}`, { delete: 'True' });
    await album.trashFolder({ id: outer });
  }
  return { user, outer, inner, id, memo: image.memos[0]?.id ?? '', custom: custom.id };
}
type Kept = Awaited<ReturnType<typeof kept>>;

const targets: readonly [name: string, of: (image: Kept) => Target][] = [
  ['its image', ({ id }) => ({ image_ids: [id] })],
  ['its folder', ({ inner }) => ({ folder_id: inner })],
  ['a folder above', ({ outer }) => ({ folder_id: outer })],
  ['its user', ({ user }) => ({ user_id: user.id })],
];

const holdIn = (answer: Answer<unknown>) => (answer.error?.details as { hold_id: string }).hold_id;

/** What a statement by hand is refused with. */
const byHand = (sql: string, parameters: unknown[] = []) =>
  assert.rejects(rows(db, sql, parameters), { code: 'held' }, sql);

describe('nothing held is deleted for good', () => {
  for (const [name, targetOf] of targets) {
    test(`with a hold on ${name}`, async () => {
      const of = await tenant();
      const { platform, album, user } = of;
      const image = await kept(of, true);
      const id = await hold(platform, targetOf(image));
      const asUser = { as: ['User', user.token] as ['User', string] };
      const asPlatform = { as: ['Platform', platform.token] as ['Platform', string] };
      const base = `/api/v1/users/${user.id}`;
      const stays = async (answer: Answer<unknown>) => {
        refused(answer, 409, 'held');
        assert.equal(holdIn(answer), id);
        assert.ok(await exists(image.id));
      };

      for (const as of [asUser, asPlatform]) {
        await stays(await client.delete(`${base}/trash/${image.id}`, as));
        const emptied = done(await client.delete<{ hold_ids: string[] }>(`${base}/trash`, as));
        assert.deepEqual(emptied.hold_ids, [id]);
        assert.ok(await exists(image.id));
      }
      await stays(await client.delete(`${base}/folders/${image.outer}`, asUser));
      await stays(await client.delete(base, asUser));
      await stays(await album.call('DELETE', `/images/${image.id}/memos/${image.memo}`));
      const said = { form: { message: 'no crack' } };
      await stays(await album.call('PUT', `/images/${image.id}/memos/${image.memo}`, said));
      await stays(await album.call('DELETE', `/images/${image.id}/customs/${image.custom}`));
      const other = { form: { value: 'w' } };
      await stays(await album.call('PUT', `/images/${image.id}/customs/${image.custom}`, other));
      assert.deepEqual((await expire(of, 0)).holds, [id]);

      const failed = (ran: Ran) => {
        assert.equal(ran.code, 1, ran.stdout);
        assert.equal(ran.json<{ error: { code: string } }>().error.code, 'held');
      };
      failed(await operate(service, ['user', 'delete', user.id, '--yes']));
      const named = await onlyValue<string>(db, 'SELECT name FROM platforms WHERE id = $1', [
        platform.id,
      ]);
      failed(await operate(service, ['platform', 'delete', platform.id, '--confirm', named]));
      const emptied = await operate(service, ['trash', 'empty', '--user', user.id, '--yes']);
      assert.equal(emptied.code, 3);
      assert.deepEqual(emptied.json<{ holds: string[] }>().holds, [id]);

      await byHand('DELETE FROM images WHERE id = $1', [image.id]);
      await byHand('DELETE FROM image_versions WHERE image_id = $1', [image.id]);
      await byHand('DELETE FROM memos WHERE id = $1', [image.memo]);
      await byHand('UPDATE customs SET value = $2 WHERE id = $1', [image.custom, 'w']);
      await byHand('DELETE FROM users WHERE id = $1', [user.id]);
      await byHand('DELETE FROM platforms WHERE id = $1', [platform.id]);
      await byHand('UPDATE platforms SET deleting_at = now() WHERE id = $1', [platform.id]);
      await byHand('UPDATE folders SET deleting_at = now() WHERE id = $1', [image.outer]);
      for (const table of ['images', 'image_versions', 'memos', 'customs', 'folders', 'users']) {
        await byHand(`TRUNCATE ${table} CASCADE`);
      }
      assert.ok(await exists(image.id));

      // Again with what it is not in the way of: memos are added, and it comes back from the trash.
      assert.equal(
        (await album.put(`/folders/${image.outer}`, {}, { delete: 'false' })).status,
        200,
      );
      const restored = done(await album.put<Image>(`/images/${image.id}`, { delete: 'False' }));
      assert.equal(restored.delete_at, null);
      const more = { message: 'another', is_client: 'True' };
      assert.equal(
        (await album.call('POST', `/images/${image.id}/memos`, { form: more })).status,
        200,
      );
      const same = { form: { message: 'a crack' } };
      done(await album.call('PUT', `/images/${image.id}/memos/${image.memo}`, same));
      const { address_road } = done(
        await album.put<Image>(`/images/${image.id}`, { address_road: 'Main 1' }),
      );
      assert.equal(address_road, 'Main 1');

      assert.notEqual(done(await release(platform, id)).released_at, null);
      done(await album.call('DELETE', `/images/${image.id}/memos/${image.memo}`));
      done(await client.delete(base, asUser));
      assert.ok(!(await exists(image.id)));
      assert.deepEqual(
        await rows(db, 'SELECT FROM held k JOIN holds h ON h.id = k.hold_id WHERE h.id = $1', [id]),
        [],
      );
      assert.deepEqual(await rows(db, 'SELECT FROM holds WHERE id = $1', [id]), []);
      await assertCounts(service);
    });
  }

  test('commands on the store, and the job that deletes objects, leave its files', async () => {
    const { platform, album, user } = await tenant();
    const { id } = await album.upload();
    done(
      await album.call('POST', `/images/${id}/filedata`, {
        form: { image_data: filePart(await jpeg({ width: 40, height: 30 })) },
      }),
    );
    await hold(platform, { user_id: user.id });
    await album.put<Image>(`/images/${id}`, { delete: 'True' });
    const keys = await keysOf(service, id);
    assert.equal(keys.length, 4);
    await strayFile(service, keys[0]?.replace('original', 'stray') ?? '');
    for (const args of [
      ['trash', 'empty', '--user', user.id],
      ['verify', '--repair'],
    ]) {
      await operate(service, [...args, '--yes']);
    }
    await operate(service, ['quarantine', 'purge', '--older-than', '1h', '--yes']);
    await operate(service, ['store', 'clear', '--from', 'local', '--yes']);
    const { store } = service.service;
    await reclaimOnce({ dataSource: db, store });
    for (const key of keys) assert.ok(await store.stat(key), key);
  });

  test('an empty folder is kept, too', async () => {
    const { platform, album } = await tenant();
    const folder = (await album.folder('empty')).id;
    await hold(platform, { folder_id: folder });
    await byHand('DELETE FROM folders WHERE id = $1', [folder]);
    await byHand('UPDATE folders SET deleting_at = now() WHERE id = $1', [folder]);
    const inner = (await album.folder('below it', { id: folder })).id;
    await byHand('DELETE FROM folders WHERE id = $1', [inner]);
    await byHand('DELETE FROM folders WHERE id = ANY ($1)', [[folder, inner]]);
  });

  test('stays on images that one statement moves out of a held folder', async () => {
    const { platform, album } = await tenant();
    const folder_id = (await album.folder('held')).id;
    const ids = [(await album.upload({ folder_id })).id, (await album.upload({ folder_id })).id];
    await hold(platform, { folder_id });
    await rows(db, 'UPDATE images SET folder_id = NULL WHERE id = ANY ($1)', [ids]);
    for (const id of ids) await byHand('DELETE FROM images WHERE id = $1', [id]);
  });

  test('of a folder in the trash, what is free goes; a hold on something else is in nobody’s way', async () => {
    const of = await tenant();
    const { platform, album } = of;
    const [folder, free] = [(await album.folder('both')).id, (await album.folder('free')).id];
    const inside = await seedSeries(service, of.user, { folderId: folder, count: 3 });
    await seedSeries(service, of.user, { folderId: free, count: 2 });
    const [one = ''] = inside;
    await album.trashFolder({ id: folder });
    await album.trashFolder({ id: free });
    const id = await hold(platform, { image_ids: [one] });
    assert.deepEqual(await expire(of, 0), { images: 4, folders: 1, holds: [id] });
    const left = await column(db, 'SELECT id FROM images WHERE user_id = $1', [of.user.id]);
    assert.deepEqual(left, [one]);
    assert.deepEqual(await expire(of, 0), { images: 0, folders: 0, holds: [id] });
    done(await release(platform, id));
    assert.deepEqual(await expire(of, 0), { images: 1, folders: 1, holds: [] });
  });

  test('together with what is free, nothing of a request is done', async () => {
    const { platform, album, user } = await tenant();
    const folder = (await album.folder('both')).id;
    const ids = await seedSeries(service, user, { folderId: folder, count: 1_200 });
    await hold(platform, { image_ids: [ids.at(-1) ?? ''] });
    const path = `/api/v1/users/${user.id}/folders/${folder}`;
    refused(await client.delete(path, { as: ['User', user.token] }), 409, 'held');
    const left = 'SELECT count(*)::int FROM images WHERE user_id = $1';
    assert.equal(await onlyValue(db, left, [user.id]), 1_200);
  });
});

describe('what a hold is on', () => {
  test('comes below a folder later, and stays held when it leaves it', async () => {
    const of = await tenant();
    const { platform, album, user } = of;
    const [there, away] = [(await album.folder('there')).id, (await album.folder('away')).id];
    const { id: stranger } = await album.upload();
    const id = await hold(platform, { folder_id: there });
    const inner = (await album.folder('inner', { id: there })).id;
    const { id: uploaded } = await album.upload({ folder_id: inner });
    const { id: left } = await album.upload({ folder_id: there });
    done(await album.put<Image>(`/images/${stranger}`, { folder_id: there }));
    for (const image of [left, stranger])
      done(await album.put<Image>(`/images/${image}`, { folder_id: away }));
    done(await album.put<Image>(`/images/${left}`, { folder_id: inner }));
    const moved = `/api/v1/users/${user.id}/folders/${inner}`;
    done(await client.put(moved, { as: ['User', user.token], query: { folder_id: away } }));
    const { id: late } = await album.upload({ folder_id: inner });
    for (const image of [uploaded, left, stranger, late]) {
      await album.put<Image>(`/images/${image}`, { delete: 'True' });
      const path = `/api/v1/users/${user.id}/trash/${image}`;
      const answer = await client.delete(path, { as: ['User', user.token] });
      refused(answer, 409, 'held');
      assert.equal(holdIn(answer), id);
    }
  });

  test('in the trash gets its days anew when the hold ends', async () => {
    const of = await tenant();
    const { platform, album, user } = of;
    const folder = (await album.folder('old')).id;
    const inside = await seedSeries(service, user, { folderId: folder, count: 2 });
    const { id: alone } = await album.upload();
    await album.put<Image>(`/images/${alone}`, { delete: 'True' });
    await album.trashFolder({ id: folder });
    for (const table of ['images', 'folders']) {
      const older = `UPDATE ${table} SET deleted_at = deleted_at - interval '40 days' WHERE user_id = $1`;
      await rows(db, older, [user.id]);
    }
    const ids = [
      await hold(platform, { image_ids: [alone] }),
      await hold(platform, { folder_id: folder }),
    ].sort();
    for (const id of ids) done(await release(platform, id));
    assert.deepEqual(await expire(of, 30), { images: 0, folders: 0, holds: ids });
    const longAgo = `UPDATE holds SET created_at = created_at - interval '31 days',
      released_at = released_at - interval '31 days' WHERE id = ANY ($1::uuid[])`;
    await rows(db, longAgo, [ids]);
    assert.deepEqual(await expire(of, 30), {
      images: inside.length + 1,
      folders: 1,
      holds: [],
    });
  });

  test('is free after the last day', async () => {
    const { platform, album, user } = await tenant();
    const { id } = await album.upload();
    await album.put<Image>(`/images/${id}`, { delete: 'True' });
    const made = done(await tryHold(platform, { image_ids: [id], until: '20991231' }));
    assert.equal(made.until, '20991231_235959');
    const path = `/api/v1/users/${user.id}/trash/${id}`;
    refused(await client.delete(path, { as: ['User', user.token] }), 409, 'held');
    await rows(db, `UPDATE holds SET until = now() - interval '1 second' WHERE id = $1`, [made.id]);
    done(await client.delete(path, { as: ['User', user.token] }));
  });

  test('was not answered as deleted before', async () => {
    const { platform, album, user } = await tenant();
    const [outer, other] = [(await album.folder('outer')).id, (await album.folder('other')).id];
    const inner = (await album.folder('inner', { id: outer })).id;
    await seedSeries(service, user, { folderId: outer, count: 600 });
    const [deep = ''] = await seedSeries(service, user, { folderId: inner });
    const [free = ''] = await seedSeries(service, user, { folderId: other });
    await db.transaction((tx) => deleteTree(tx, { userId: user.id, folderId: outer }));
    // As if there were more folders than the first transaction marks.
    await rows(db, 'UPDATE folders SET deleting_at = NULL WHERE id = $1', [inner]);
    const going: Target[] = [
      { image_ids: [deep, free] },
      { folder_id: inner },
      { folder_id: outer },
    ];
    for (const target of going) {
      const answer = await tryHold(platform, target);
      refused(answer, 400, 'image_ids' in target ? 'image_not_found' : 'folder_not_found');
      if ('image_ids' in target) assert.deepEqual(answer.error?.details, { image_ids: [deep] });
    }
    await hold(platform, { user_id: user.id });
    // It says false while the service's own job is at it.
    await eventually('it ends', () => finishAllChanges(db, new AbortController().signal));
    const left = await column(db, 'SELECT id FROM images WHERE user_id = $1', [user.id]);
    assert.deepEqual(left, [free]);
    await assertCounts(service);
  });

  test('is named exactly, and exists in the platform', async () => {
    const [one, other] = [await tenant(), await tenant()];
    const { id } = await one.album.upload();
    const folder_id = (await one.album.folder('a')).id;
    const wrong: [Target, code: string, field: string][] = [
      [{}, 'invalid_field', 'image_ids'],
      [{ image_ids: [id], folder_id }, 'invalid_field', 'folder_id'],
      [{ folder_id, user_id: one.user.id }, 'invalid_field', 'user_id'],
      [{ image_ids: [id, nobody] }, 'image_not_found', 'image_ids'],
      [{ image_ids: ['x'] }, 'image_not_found', 'image_ids'],
      [{ folder_id: nobody }, 'folder_not_found', 'folder_id'],
      [{ user_id: nobody }, 'user_not_found', 'user_id'],
      [{ user_id: 'x' }, 'user_not_found', 'user_id'],
      [{ image_ids: [id], reason: '' }, 'invalid_field', 'reason'],
      [{ image_ids: [id], reason: 'x'.repeat(1_001) }, 'invalid_field', 'reason'],
      [{ image_ids: [id], until: '20200101' }, 'invalid_field', 'until'],
      [{ image_ids: [id], until: 'tomorrow' }, 'invalid_field', 'until'],
    ];
    for (const [target, code, field] of wrong) {
      assert.deepEqual(refusal(await tryHold(one.platform, target)), [400, code, field]);
    }
    const without = await tryHold(one.platform, {});
    assert.match(without.error?.message ?? '', /^image_ids must be given, or another target: /);
    const foreign: Target[] = [{ image_ids: [id] }, { folder_id }, { user_id: one.user.id }];
    for (const target of foreign) {
      assert.match(refusal(await tryHold(other.platform, target))[1] as string, /_not_found$/);
    }
    const made = await hold(one.platform, { user_id: one.user.id });
    refused(await release(other.platform, made), 400, 'hold_not_found');
    const asOther = { as: ['Platform', other.platform.token] as ['Platform', string] };
    refused(await client.delete(`${holdsOf(one.platform)}/${made}`, asOther), 403, 'forbidden');
    const asUser = { as: ['User', one.user.token] as ['User', string] };
    assert.equal((await client.get(holdsOf(one.platform), asUser)).status, 401);
    const nowhere = { id: nobody, token: '' };
    refused(await tryHold(nowhere, { user_id: one.user.id }, ['Admin', admin]), 400, [
      'platform_not_found',
      'user_not_found',
    ]);
    const lists = await client.get<{ items: Hold[] }>(holdsOf(one.platform), {
      as: ['Admin', admin],
    });
    assert.deepEqual(
      done(lists).items.map(({ id }) => id),
      [made],
    );
  });

  test('by an administrator is released by an administrator', async () => {
    const { platform, user } = await tenant();
    const target = ['--platform', platform.id, '--user-id', user.id];
    const made = await operate(service, ['hold', 'create', ...target, '--reason', 'file 118']);
    assert.equal(made.code, 0, made.stdout);
    const { id, created_by: by } = made.json<Hold>();
    assert.equal(by, 'admin');
    refused(await release(platform, id), 403, 'forbidden');
    const listed = await operate(service, ['hold', 'list', '--platform', platform.id]);
    assert.deepEqual(
      listed.json<Hold[]>().map((one) => [one.id, one.released_at]),
      [[id, null]],
    );
    const released = await operate(service, ['hold', 'release', id]);
    const { released_at: at } = released.json<Hold>();
    assert.notEqual(at, null);
    const again = await operate(service, ['hold', 'release', id]);
    assert.equal(again.json<Hold>().released_at, at);
    assert.equal((await operate(service, ['hold', 'release', nobody])).code, 1);
    const acts = `SELECT act, actor FROM audit_acts WHERE platform_id = $1 AND act LIKE 'hold.%'
      ORDER BY id`;
    assert.deepEqual(
      (await rows<{ act: string }>(db, acts, [platform.id])).map(({ act }) => act),
      ['hold.create', 'hold.release', 'hold.release'],
    );
  });
});

describe('of a hold and a deletion at the same time, one comes first', () => {
  /** What is left of each of some images after a hold and a deletion of it raced. */
  async function race(
    target: (id: string) => Target,
    deletion: (id: string) => Promise<Answer<unknown>>,
    platform: Tenant,
    ids: readonly string[],
    survives: (id: string) => Promise<boolean>,
  ): Promise<void> {
    const outcomes: { id: string; held: Answer<Hold>; deleted: Answer<unknown> }[] = [];
    for (let at = 0; at < ids.length; at += 3) {
      const some = ids.slice(at, at + 3).map(async (id) => {
        const [held, deleted] = await Promise.all([tryHold(platform, target(id)), deletion(id)]);
        return { id, held, deleted };
      });
      outcomes.push(...(await Promise.all(some)));
    }
    for (const { id, held, deleted } of outcomes) {
      if (held.status === 200) refused(deleted, 409, 'held');
      else {
        assert.match(held.error?.code ?? '', /_not_found$/);
        done(deleted);
      }
      assert.equal(await survives(id), held.status === 200);
    }
  }

  test('on images', async () => {
    const { platform, user } = await tenant();
    const trashed = Array.from({ length: 30 }, () => ({ deleted_at: '2025-01-31' }));
    const ids = await seedImages(service, user, trashed);
    const remove = (id: string) =>
      client.delete(`/api/v1/users/${user.id}/trash/${id}`, { as: ['User', user.token] });
    await race((id) => ({ image_ids: [id] }), remove, platform, ids, exists);
  });

  test('on folders', async () => {
    const { platform, album, user } = await tenant();
    const folders: string[] = [];
    for (let n = 0; n < 20; n += 1) {
      const folder = (await album.folder(`folder ${n}`)).id;
      await seedSeries(service, user, { folderId: folder, count: 3 });
      folders.push(folder);
    }
    const remove = (id: string) =>
      client.delete(`/api/v1/users/${user.id}/folders/${id}`, { as: ['User', user.token] });
    const has = async (id: string) =>
      (await rows(db, 'SELECT FROM images WHERE folder_id = $1', [id])).length === 3;
    await race((folder_id) => ({ folder_id }), remove, platform, folders, has);
  });

  test('of statements by hand, which wait for a hold that is being made', async () => {
    const of = await tenant();
    const { platform, user } = of;
    const image = await kept(of, false);
    const statements: [string, string][] = [
      ['DELETE FROM images WHERE id = $1', image.id],
      ['DELETE FROM memos WHERE id = $1', image.memo],
      ['DELETE FROM customs WHERE id = $1', image.custom],
      ['DELETE FROM users WHERE id = $1', user.id],
      ['UPDATE platforms SET deleting_at = now() WHERE id = $1', platform.id],
    ];
    for (const [sql, subject] of statements) {
      const id = uuidv7();
      let deletion: Promise<unknown> = Promise.resolve();
      await db.transaction(async (tx) => {
        await rows(tx, 'SELECT FROM users WHERE id = $1 FOR NO KEY UPDATE', [user.id]);
        await rows(tx, 'SELECT FROM platforms WHERE id = $1 FOR SHARE', [platform.id]);
        await rows(
          tx,
          `INSERT INTO holds (id, platform_id, user_id, reason, created_by)
           VALUES ($1, $2, $3, 'file 118', 'admin')`,
          [id, platform.id, user.id],
        );
        const held = `INSERT INTO held (hold_id, kind, user_id, id) VALUES ($1, 'user', $2, $2)`;
        await rows(tx, held, [id, user.id]);
        deletion = byHand(sql, [subject]);
        await eventually('the statement waits', async () => {
          const waiting = `SELECT FROM pg_stat_activity
            WHERE datname = current_database() AND query = $1 AND wait_event_type = 'Lock'`;
          return (await rows(db, waiting, [sql])).length > 0;
        });
      });
      await deletion;
      await rows(db, 'UPDATE holds SET released_at = now() WHERE id = $1', [id]);
    }
  });

  test('on users', async () => {
    const platform = await service.platform();
    const users = new Map<string, string>();
    for (let n = 0; n < 15; n += 1) {
      const user = await service.user(platform);
      await seedSeries(service, user, { count: 3 });
      users.set(user.id, user.token);
    }
    const remove = (id: string) =>
      client.delete(`/api/v1/users/${id}`, { as: ['User', users.get(id) ?? ''] });
    const has = async (id: string) =>
      (await rows(db, 'SELECT FROM images WHERE user_id = $1', [id])).length === 3;
    await race((user_id) => ({ user_id }), remove, platform, [...users.keys()], has);
  });
});
