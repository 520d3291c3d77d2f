import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { rows } from '../../src/database/sql.js';
import { Trash } from '../../src/library/tree/trash.js';
import { Usage } from '../../src/library/quota/usage.js';
import { assertCounts } from '../../testkit/accounts.js';
import { done, refused } from '../../testkit/expect.js';
import { seedImages } from '../../testkit/image-rows.js';
import type { Image } from '../../testkit/records.js';
import { testService } from '../../testkit/service.js';
import type { Member } from '../../testkit/world.js';

const service = await testService();
const { db, client } = service;

interface Emptied {
  readonly deleted_images: number;
  readonly deleted_folders: number;
  readonly remaining_images: number;
  readonly remaining_folders: number;
  readonly hold_ids: readonly string[];
}

const numbersOf = ({ hold_ids: holds, ...numbers }: Emptied): number[] => {
  assert.deepEqual(holds, []);
  return Object.values(numbers);
};

const trashOf = (user: Member): string => `/api/v1/users/${user.id}/trash`;

const empty = (album: Member, headers: Record<string, string> = {}) =>
  client.delete<Emptied>(trashOf(album), { as: ['User', album.token], headers });

const left = async (user: Member): Promise<string[]> =>
  (
    await rows<{ id: string }>(db, 'SELECT id FROM images WHERE user_id = $1 ORDER BY id', [
      user.id,
    ])
  ).map(({ id }) => id);

const trashed = (album: Member, count: number, folder_id?: string): Promise<string[]> =>
  seedImages(
    service,
    album,
    Array.from({ length: count }, () => ({
      deleted_at: '2025-01-31',
      ...(folder_id && { folder_id }),
    })),
  );

describe('emptying the trash by the API', () => {
  test('takes several requests for much of it, and one for a folder with what was trashed along', async () => {
    const album = await service.user();
    await trashed(album, 2_300);
    const folder = (await album.folder('whole')).id;
    const inner = (await album.folder('inner', { id: folder })).id;
    await seedImages(
      service,
      album,
      Array.from({ length: 30 }, () => ({ folder_id: inner })),
    );
    await album.trashFolder({ id: folder });
    const { id: active } = await album.upload();
    assert.deepEqual(numbersOf(done(await empty(album))), [2_000, 0, 330, 2]);
    assert.deepEqual(numbersOf(done(await empty(album))), [330, 2, 0, 0]);
    assert.deepEqual(numbersOf(done(await empty(album))), [0, 0, 0, 0]);
    assert.deepEqual(await left(album), [active]);
    await assertCounts(service);
  });

  test('is attributed to whoever asks, in the feed', async () => {
    const album = await service.user();
    const platform = await service.platform();
    const own = await service.user(platform);
    await trashed(album, 1);
    await trashed(own, 1);
    done(await empty(album));
    const as = ['Platform', platform.token] as const;
    assert.equal(done(await client.delete<Emptied>(trashOf(own), { as })).deleted_images, 1);
    for (const [user, actor] of [
      [album, 'user'],
      [own, 'platform'],
    ] as const) {
      const { changes } = done(
        await client.get<{ changes: { action: string; actor: string }[] }>(
          `/api/v1/users/${user.id}/changes`,
          { as: ['User', user.token] },
        ),
      );
      assert.deepEqual([changes.at(-1)?.action, changes.at(-1)?.actor], ['deleted', actor]);
    }
    await trashed(album, 1);
    refused(await client.delete(trashOf(album), { as }), 400, 'user_not_found');
    const [id = ''] = await left(album);
    refused(await client.delete(`${trashOf(album)}/${id}`, { as }), 400, 'user_not_found');
    assert.deepEqual(await left(album), [id]);
  });

  test('beside restores and another request, each image is restored or deleted', async () => {
    const album = await service.user();
    const ids = await trashed(album, 24);
    const folder = (await album.folder('restored or not')).id;
    await seedImages(service, album, [{ folder_id: folder }, { folder_id: folder }]);
    await album.trashFolder({ id: folder });
    const [restoredFolder, first, second, ...restores] = await Promise.all([
      album.put(`/folders/${folder}`, {}, { delete: 'False' }),
      empty(album),
      empty(album),
      ...ids.map((id) => album.put<Image>(`/images/${id}`, { delete: 'False' })),
      ...Array.from({ length: 4 }, () => album.upload()),
    ]);
    const back = ids.filter((_, i) => (restores[i] as { status?: number }).status === 200);
    const inFolder = restoredFolder.status === 200 ? 2 : 0;
    const deleted = done(first).deleted_images + done(second).deleted_images;
    assert.equal(deleted, ids.length - back.length + 2 - inFolder);
    assert.equal((await left(album)).length, back.length + inFolder + 4);
    await assertCounts(service);
  });

  test('of a single image happens once, and needs the image to be in the trash', async () => {
    const album = await service.user();
    const [one = '', other = ''] = await trashed(album, 2);
    const remove = (id: string) =>
      client.delete<Emptied>(`${trashOf(album)}/${id}`, { as: ['User', album.token] });
    const answers = await Promise.all([remove(one), remove(one), remove(one.toUpperCase())]);
    const succeeded = answers.filter(({ status }) => status === 200);
    assert.deepEqual(
      succeeded.map((answer) => numbersOf(answer.result)),
      [[1, 0, 1, 0]],
    );
    for (const answer of answers)
      if (answer.status !== 200) refused(answer, 400, 'image_not_found');
    const { id: active } = await album.upload();
    refused(await remove(active), 400, 'image_not_in_trash');
    refused(await remove(`${'x'.repeat(2_000)}`), 400, 'image_not_found');
    assert.deepEqual(await left(album), [other, active].sort());
  });

  test('with a key and a folder that cannot go, the rest is deleted in the one transaction', async () => {
    const album = await service.user();
    const folder = (await album.folder('kept')).id;
    await trashed(album, 3);
    await album.trashFolder({ id: folder });
    const [inside = ''] = await seedImages(service, album, [{ folder_id: folder }]);
    const key = { 'Idempotency-Key': 'empty' };
    assert.deepEqual(numbersOf(done(await empty(album, key))), [3, 0, 0, 1]);
    await trashed(album, 1);
    const repeat = await empty(album, key);
    assert.equal(repeat.headers.get('idempotency-replayed'), 'true');
    assert.deepEqual(numbersOf(done(repeat)), [3, 0, 0, 1]);
    assert.equal((await left(album)).length, 2);
    assert.ok((await left(album)).includes(inside));
  });

  test('that fails halfway leaves whole what it has not deleted; the next request goes on', async () => {
    const album = await service.user();
    await trashed(album, 700);
    const folder = (await album.folder('failing')).id;
    await seedImages(service, album, [{ folder_id: folder }]);
    await album.trashFolder({ id: folder });
    await rows(
      db,
      `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
         $$ BEGIN RAISE EXCEPTION 'the server goes down' USING ERRCODE = '57P01'; END $$`,
    );
    await rows(
      db,
      'CREATE TRIGGER refuse BEFORE DELETE ON folders FOR EACH ROW EXECUTE FUNCTION refuse()',
    );
    const { userId, platformId } = { userId: album.id, platformId: album.platformId };
    const trash = new Trash({ db, usage: new Usage(db) });
    try {
      await assert.rejects(trash.empty({ userId, platformId, actor: 'user' }), /goes down/);
    } finally {
      await rows(db, 'DROP FUNCTION refuse() CASCADE');
    }
    assert.equal((await left(album)).length, 1, 'the image stays with its folder');
    await assertCounts(service);
    assert.deepEqual(numbersOf(done(await empty(album))), [1, 1, 0, 0]);
  });
});
