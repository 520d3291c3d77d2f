import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import type {
  PlatformImagesPage,
  PlatformUserImagesPage,
} from '../../src/images/platform/schemas.js';
import { insertImages } from '../../testkit/images.js';
import { filePart, jpeg } from '../../testkit/pictures.js';
import { testService } from '../../testkit/service.js';

const service = await testService({ after });
const { client, db } = service;
const platform = await service.platform();
const as = ['Platform', platform.token] as const;
const path = `/api/v1/platforms/${platform.id}`;

// Images of three users, one without any between them; and of another platform.
const [first, empty, second, third] = [
  await service.user(platform),
  await service.user(platform),
  await service.user(platform),
  await service.user(platform),
];
await insertImages(db, first, 25);
await insertImages(db, second, 3);
await insertImages(db, third, 12);
await insertImages(db, await service.user(), 5);

const wanted = await db.query<{ id: string; user_id: string }[]>(
  `SELECT id, user_id FROM images WHERE platform_id = $1
   ORDER BY user_id, created_at DESC, id DESC`,
  [platform.id],
);

const read = async (query: Record<string, string | number> = {}) => {
  const { status, result } = await client.get<PlatformImagesPage>(`${path}/images`, { as, query });
  assert.equal(status, 200);
  return result;
};

describe('images of a platform', () => {
  test('are ordered by user, then newest first, grouped by user, trash included', async () => {
    const { items, ...paging } = await read();
    assert.deepEqual(paging, {
      count: 40,
      total_count: 40,
      page: 1,
      page_size: 60,
      total_pages: 1,
    });
    assert.deepEqual(
      items.map(({ user_id, result }) => [user_id, result.length]),
      [
        [first.id, 25],
        [second.id, 3],
        [third.id, 12],
      ],
    );
    const records = items.flatMap(({ result }) => result);
    assert.deepEqual(
      records.map(({ id }) => id),
      wanted.map(({ id }) => id),
    );
    assert.equal(records.filter(({ delete_at }) => delete_at !== null).length, 3);
    assert.ok(records.every(({ filedatas, memos, customs }) => !filedatas && !memos && !customs));
  });

  for (const size of [1, 3, 7, 26, 40, 1000]) {
    test(`in pages of ${size} neither skip nor repeat, across users`, async () => {
      const seen: { id: string; user_id: string }[] = [];
      const pages = Math.ceil(wanted.length / size);
      for (let page = 1; page <= pages; page += 1) {
        const { items, ...paging } = await read({ page, page_size: size });
        const records = items.flatMap(({ user_id, result }) =>
          result.map(({ id }) => ({ id, user_id })),
        );
        assert.deepEqual(paging, {
          count: records.length,
          total_count: 40,
          page,
          page_size: size,
          total_pages: pages,
        });
        seen.push(...records);
      }
      assert.deepEqual(seen, wanted);
    });
  }

  test('past the end are an empty page', async () => {
    for (const page of [2, 1_000_000_000]) {
      const { items, count, total_count } = await read({ page });
      assert.deepEqual([items, count, total_count], [[], 0, 40]);
    }
  });

  test('of a platform without any are none', async () => {
    const { id, token } = await service.platform();
    const { result } = await client.get(`/api/v1/platforms/${id}/images/`, {
      as: ['Platform', token],
    });
    assert.deepEqual(result, {
      count: 0,
      total_count: 0,
      page: 1,
      page_size: 60,
      total_pages: 0,
      items: [],
    });
  });

  const wrong: [string, string][] = [
    ['page', '0'],
    ['page', '-1'],
    ['page', '1.5'],
    ['page', 'x'],
    ['page_size', '0'],
    ['page_size', '1001'],
    ['with_history', 'perhaps'],
  ];
  for (const [field, value] of wrong) {
    test(`refuse ${field}=${value}`, async () => {
      for (const what of ['images', `users/${first.id}/images`]) {
        const { status, error } = await client.get(`${path}/${what}`, {
          as,
          query: { [field]: value },
        });
        assert.deepEqual([status, error?.code, error?.field], [400, 'invalid_field', field]);
      }
    });
  }
});

describe('images of one user of a platform', () => {
  const readUser = async (id: string, query: Record<string, string | number> = {}) => {
    const { status, result } = await client.get<PlatformUserImagesPage>(
      `${path}/users/${id}/images`,
      { as, query },
    );
    assert.equal(status, 200);
    return result;
  };

  test('are paged newest first, trash included, with their size', async () => {
    const { items, ...paging } = await readUser(first.id, { page: 2, page_size: 10 });
    assert.deepEqual(paging, {
      count: 10,
      total_count: 25,
      page: 2,
      page_size: 10,
      total_pages: 3,
      total_filesize_mb: 0.023842,
    });
    assert.deepEqual(
      items.map(({ id }) => id),
      wanted.slice(10, 20).map(({ id }) => id),
    );
    assert.ok(items.some(({ delete_at }) => delete_at !== null));
  });

  test('of a user without any are none', async () => {
    const { items, total_count, total_pages, total_filesize_mb } = await readUser(empty.id);
    assert.deepEqual([items, total_count, total_pages, total_filesize_mb], [[], 0, 0, 0]);
  });
});

test('the history of edits comes when asked for, by both reads', async () => {
  const own = await service.platform();
  const user = await service.user(own);
  const send = async (to: string, seed: number) => {
    const { status, result } = await client.post<{ id: string }>(to, {
      as: ['User', user.token],
      form: { image_data: filePart(await jpeg({ seed })) },
    });
    assert.equal(status, 200);
    return result.id;
  };
  const id = await send(user.images, 1);
  await send(`${user.images}/${id}/filedata`, 2);
  const call = { as: ['Platform', own.token] as const, query: { with_history: 'True' } };
  const { result: all } = await client.get<PlatformImagesPage>(
    `/api/v1/platforms/${own.id}/images`,
    call,
  );
  const { result: one } = await client.get<PlatformUserImagesPage>(
    `/api/v1/platforms/${own.id}/users/${user.id}/images`,
    call,
  );
  for (const record of [all.items[0]?.result[0], one.items[0]]) {
    assert.deepEqual([record?.id, record?.filedata_total, record?.filedatas?.length], [id, 1, 1]);
    assert.equal((await fetch(record?.path_url ?? '')).status, 200);
  }
});
