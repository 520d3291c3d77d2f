import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { rows } from '../../src/database/sql.js';
import { toTree } from '../../src/library/folders/contents.js';
import { folderRecord, type FolderRecord } from '../../src/library/folders/schemas.js';
import type { ImageList } from '../../src/library/images/list/schemas.js';
import { HeldWhileReading } from '../../testkit/held-memory.js';
import { seedImages } from '../../testkit/image-rows.js';
import type { Folder } from '../../testkit/records.js';
import type { Image } from '../../testkit/records.js';
import { ownService } from '../../testkit/service.js';
import { longOnly } from '../../testkit/long-form.js';
import { type Member, all } from '../../testkit/world.js';

const service = await ownService({ after });
const { client, db } = service;
const megabyte = 1024 * 1024;
// These tests do not search, and indexing so much text would take half of the time.
await db.query('DROP INDEX memos_grams, customs_grams');

async function annotate(userId: string, memos: number, customs: number, length: number) {
  await db.query(`
    INSERT INTO memos (id, user_id, image_id, message, is_client, created_at)
    SELECT gen_random_uuid(), user_id, id, repeat('메', ${length}) || n, true, now() - n * interval '1 ms'
    FROM images, generate_series(1, ${memos}) AS n WHERE user_id = '${userId}';
    INSERT INTO customs (id, user_id, image_id, key, value)
    SELECT gen_random_uuid(), user_id, id, 'key ' || n, repeat('"', ${length})
    FROM images, generate_series(1, ${customs}) AS n WHERE user_id = '${userId}'`);
}

/** The content of a response except signed URLs, whose window may change in the meantime. */
const comparable = (result: unknown): unknown =>
  JSON.parse(JSON.stringify(result).replaceAll(/\?[^"]*/g, ''));

describe('one image with many annotations', () => {
  test('has all its memos and customs in order, equal to what JSON.stringify writes', async () => {
    const album = await service.user();
    const [id = ''] = await seedImages(service, album, [{}]);
    await annotate(album.id, 250, 350, 10);
    const as = ['User', album.token] as const;
    const answer = await client.raw('GET', `${album.images}/${id}`, {
      as,
      query: { with_memo: true, with_custom: true },
    });
    const text = await answer.text();
    const body = JSON.parse(text) as { result: Image };
    assert.equal(text, JSON.stringify(body));
    const expected = await rows<{ id: string }>(
      db,
      'SELECT id FROM memos WHERE image_id = $1 ORDER BY created_at, id',
      [id],
    );
    assert.deepEqual(
      body.result.memos?.map((memo) => memo.id),
      expected.map((memo) => memo.id),
    );
    assert.equal(body.result.customs?.length, 350);
    assert.deepEqual(Object.keys(body.result), Object.keys(await album.image(id)));
    const customs = await album.call<{ id: string }[]>('GET', `/images/${id}/customs`);
    assert.deepEqual(customs.result, body.result.customs);
  });

  test('with more than the current limits allow is held once', longOnly, async () => {
    const album = await service.user();
    const [id = ''] = await seedImages(service, album, [{}]);
    await annotate(album.id, 0, 2000, 10_000);
    const as = ['User', album.token] as const;
    const held = new HeldWhileReading();
    const answer = await client.raw('GET', `${album.images}/${id}/customs`, { as });
    for await (const chunk of answer.body as unknown as AsyncIterable<Uint8Array>) held.note(chunk);
    assert.ok(held.read > 38 * megabyte, `${held.read}`);
    assert.ok(held.peak < held.read + 15 * megabyte, `${held.peak}`);
  });
});

describe('long pages equal short ones', () => {
  let album: Member;
  let folder: string;
  before(async () => {
    album = await service.user();
    folder = (await album.folder('full')).id;
    await seedImages(
      service,
      album,
      Array.from({ length: 260 }, (_, n) => ({
        folder_id: folder,
        created_at: new Date(Date.UTC(2025, 0, 1, n)).toISOString(),
        place: [37 + (n % 70) / 1000, 127] as const,
      })),
    );
    await annotate(album.id, 3, 3, 300);
  });

  const everything = { with_memo: true, with_custom: true, with_history: true };
  for (const [name, query, extra] of [
    ['grid', {}, {}],
    ['grid with everything', {}, everything],
    ['map', { view_type: 'map', latitude: 37.01, longitude: 127 }, everything],
  ] as const) {
    test(name, async () => {
      const page = async (last_index: number, page_size: number) => {
        const call = { query: { ...query, ...extra, last_index, page_size } };
        const { status, result } = await album.call<ImageList>('GET', '/images', call);
        assert.deepEqual([status, result.count], [200, result.items.length]);
        return result;
      };
      const long = await page(0, 1000);
      const short = await Promise.all([0, 60, 120, 180, 240].map((start) => page(start, 60)));
      assert.equal(long.items.length, 260);
      assert.deepEqual(comparable(long.items), comparable(short.flatMap(({ items }) => items)));
      assert.deepEqual(Object.keys(long), Object.keys(short[0] ?? {}));
    });
  }

  test('days', async () => {
    const days = (page_size: number) =>
      album.call<{ items: { date: number; count: number; images: Image[] }[] }>('GET', '/images', {
        query: { view_type: 'grid_sep', page_size, with_memo: true },
      });
    const { result } = await days(200);
    for (const { date, count, images } of result.items) {
      assert.equal(count, images.length);
      assert.ok(images.every(({ created_at }) => created_at.startsWith(String(date))));
    }
    const short = (await days(60)).result.items.slice(0, -1);
    assert.deepEqual(comparable(result.items.slice(0, short.length)), comparable(short));
  });

  test('places, and the contents of a folder', async () => {
    const group = (page_size: number) =>
      album.call<{ count: number; items: unknown[] }>('GET', '/images/group', {
        query: { latitude: 37.0, longitude: 127, use_radius: true, radius: 50_000, page_size },
      });
    const [long, short] = [(await group(1000)).result, (await group(100)).result];
    assert.deepEqual([long.count, long.items.length], [260, 260]);
    assert.deepEqual(comparable(long.items.slice(0, 100)), comparable(short.items));
    const tree = album;
    await tree.folder('inside', { id: folder });
    const contents = await tree.contents(folder, { page_size: '1000', with_memo: 'True' });
    const first = await tree.contents(folder, { page_size: '60', with_memo: 'True' });
    assert.deepEqual([contents.count, contents.items.length], [261, 261]);
    assert.deepEqual(comparable(contents.items.slice(0, 60)), comparable(first.items));
    assert.deepEqual(Object.keys(contents), Object.keys(first));
  });

  test('images of a platform', async () => {
    const { access_token } = await service.service.tenants.platforms.issueTokens(album.platformId);
    const as = ['Platform', access_token] as const;
    const path = `/api/v1/platforms/${album.platformId}`;
    const query = { page_size: 1000 };
    const all = await client.get<{
      count: number;
      items: { user_id: string; result: unknown[] }[];
    }>(`${path}/images`, { as, query });
    assert.equal(all.result.count, 260);
    assert.deepEqual(
      all.result.items.map(({ user_id, result }) => [user_id, result.length]),
      [[album.id, 260]],
    );
    const own = await client.get<{ items: unknown[] }>(`${path}/users/${album.id}/images`, {
      as,
      query,
    });
    assert.deepEqual(comparable(own.result.items), comparable(all.result.items[0]?.result));
  });

  test('a page with much text is read in bounded memory', async (t) => {
    const other = await service.user();
    await seedImages(
      service,
      other,
      Array.from({ length: 100 }, () => ({})),
    );
    await annotate(other.id, 30, 30, 6000);
    const held = new HeldWhileReading();
    const answer = await client.raw('GET', other.images, {
      as: ['User', other.token],
      query: { page_size: 100, with_memo: true, with_custom: true },
    });
    for await (const chunk of answer.body as unknown as AsyncIterable<Uint8Array>) held.note(chunk);
    t.diagnostic(`${held.peak} of ${held.read} bytes`);
    assert.ok(held.read > 80 * megabyte, `${held.read}`);
    assert.ok(held.peak < held.read / 2, `${held.peak} of ${held.read}`);
  });
});

describe('lists without pages', () => {
  test('a tree of 5,000 folders is returned as built', async () => {
    const tree = await service.user();
    await db.query(
      `WITH RECURSIVE made AS MATERIALIZED (
         SELECT n, gen_random_uuid() AS id, hashtext(n::text) AS chance FROM generate_series(1, 5000) AS n
       )
       INSERT INTO folders (id, user_id, parent_id, title, deleted_at)
       SELECT made.id, $1, parent.id, '폴더 ' || made.n % 37 || ' ' || abs(made.chance % 1000) || made.n,
              CASE WHEN made.chance % 10 = 0 THEN now() END
       FROM made LEFT JOIN made AS parent ON parent.n = made.n / (2 + abs(made.chance % 3)) AND made.n > 20`,
      [tree.id],
    );
    for (const [query, condition] of [
      [{}, ''],
      [{ has_delete_at: 'False' }, 'AND deleted_at IS NULL'],
      [{ has_delete_at: 'True' }, 'AND deleted_at IS NOT NULL'],
    ] as const) {
      const forest = await tree.folders(query);
      const records = all(forest);
      const byId = new Map(records.map((one) => [one.id, folderRecord.parse(one)]));
      const order = await rows<{ id: string }>(
        db,
        `SELECT id FROM folders WHERE user_id = $1 ${condition} ORDER BY title, id`,
        [tree.id],
      );
      assert.equal(records.length, order.length);
      const expected = toTree(order.map(({ id }) => byId.get(id) as FolderRecord));
      assert.deepEqual(forest, expected);
    }
    assert.ok(Math.max(...depths(await tree.folders())) > 5);
  });

  test('2,500 users of a platform, and as many platforms, are all listed, oldest first', async () => {
    const platform = await service.platform();
    await db.query(
      `INSERT INTO users (id, platform_id, platform_user_id, max_storage_bytes, created_at)
       SELECT gen_random_uuid(), $1, 'u' || n, 1, now() - (n % 100) * interval '1 s'
       FROM generate_series(1, 2500) AS n`,
      [platform.id],
    );
    await db.query(
      `INSERT INTO platforms (id, name, created_at)
       SELECT gen_random_uuid(), 'p' || n, now() - (n % 100) * interval '1 s'
       FROM generate_series(1, 2500) AS n`,
    );
    const ids = async (sql: string, values: unknown[] = []) =>
      (await rows<{ id: string }>(db, sql, values)).map(({ id }) => id);
    const users = await client.get<{ id: string }[]>(`/api/v1/platforms/${platform.id}/users`, {
      as: ['Platform', platform.token],
    });
    assert.deepEqual(
      users.result.map(({ id }) => id),
      await ids('SELECT id FROM users WHERE platform_id = $1 ORDER BY created_at, id', [
        platform.id,
      ]),
    );
    const platforms = await client.get<{ id: string }[]>('/api/v1/platforms', {
      as: ['Admin', await service.adminToken()],
    });
    assert.deepEqual(
      platforms.result.map(({ id }) => id),
      await ids('SELECT id FROM platforms ORDER BY created_at, id'),
    );
    await db.query(`DELETE FROM platforms WHERE name LIKE 'p%' AND name NOT LIKE 'platform%'`);
  });

  test('deleting a folder with many images returns all their ids', async () => {
    const album = await service.user();
    const folder = (await album.folder('full')).id;
    const images = Array.from({ length: 2300 }, () => ({ folder_id: folder }));
    const ids = await seedImages(service, album, images);
    const gone = await album.deleteFolder(folder);
    assert.deepEqual(gone.deleted_folders, [folder]);
    assert.deepEqual(gone.deleted_images.toSorted(), ids.toSorted());
  });
});

function depths(folders: readonly Folder[] = [], depth = 1): number[] {
  return folders.flatMap(({ child_folders }) => [depth, ...depths(child_folders, depth + 1)]);
}
