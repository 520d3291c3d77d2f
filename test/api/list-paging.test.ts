import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ImageList } from '../../src/library/images/list/schemas.js';
import { seedImages } from '../../testkit/image-rows.js';
import { testService } from '../../testkit/service.js';
import { readPages, walkPages } from '../../testkit/read-pages.js';
import { refused } from '../../testkit/expect.js';
import type { Member } from '../../testkit/world.js';

const service = await testService();

type Query = Record<string, string | number>;

const rawPage = async (
  user: Pick<Member, 'images' | 'token'>,
  query: Query,
): Promise<ImageList> => {
  const as = ['User', user.token] as const;
  const answer = await service.client.get<ImageList>(user.images, { as, query });
  assert.equal(answer.status, 200, answer.error?.message);
  return answer.result;
};

const page = async (user: Pick<Member, 'images' | 'token'>, query: Query): Promise<ImageList> => {
  const result = await rawPage(user, query);
  assert.equal(result.count, result.items.length);
  return result;
};

/** @returns ids. */
const walk = async (
  user: Member,
  query: Query,
  between?: (pages: number) => Promise<unknown>,
): Promise<string[]> =>
  (await walkPages((at) => page(user, { ...query, ...at }), between)).map(({ id }) => id);

const days = (count: number) =>
  Array.from({ length: count }, (_, n) => ({
    created_at: new Date(Date.UTC(2025, 0, 40 - n)).toISOString(),
    has_det: true,
  }));

const newer = (user: Member, count = 1) =>
  seedImages(
    service,
    user,
    Array.from({ length: count }, () => ({ created_at: '2025-03-01Z', has_det: true })),
  );

const lists: Query[] = [{}, { has_det: 'True' }, { view_type: 'list', has_delete_at: 'False' }];
for (const query of lists) {
  const what = JSON.stringify(query);

  test(`concurrent uploads: a walk returns no image twice, skips none, and ends (${what})`, async () => {
    const user = await service.user();
    const ids = await seedImages(service, user, days(10));
    const seen = await walk(user, { ...query, page_size: 3 }, () => newer(user, 2));
    assert.deepEqual(seen, ids);
  });

  test(`concurrent deletions: a walk skips no image, and ends (${what})`, async () => {
    const user = await service.user();
    const ids = await seedImages(service, user, days(10));
    const seen = await walk(user, { ...query, page_size: 3 }, async (pages) => {
      // First the last returned item, then an earlier one.
      await service.db.query('DELETE FROM images WHERE id = $1', [ids[pages === 1 ? 2 : 0]]);
    });
    assert.deepEqual(seen, ids);
  });
}

const idsOf = ({ items }: ImageList) => items.map(({ id }) => id);

test('an index is a position in the list as it is, whoever read which page before', async () => {
  const user = await service.user();
  const ids = await seedImages(service, user, days(6));
  for (const last_index of [0, 2, 4]) await page(user, { page_size: 2, last_index });
  const [fresh = ''] = await newer(user);
  const second = await page(user, { page_size: 2, last_index: 2 });
  assert.deepEqual(idsOf(second), ids.slice(1, 3));
  assert.deepEqual([second.last_index, second.total_count], [4, 7]);
  await service.db.query('DELETE FROM images WHERE id = ANY ($1)', [[fresh, ids[0]]]);
  assert.deepEqual(idsOf(await page(user, { page_size: 2, last_index: 2 })), ids.slice(3, 5));
});

/** Lists that are read in different ways. */
const readings: Query[] = [
  {},
  { has_delete_at: 'False', sort_by: 'taken_at' },
  { has_det: 'True' },
  { search: 'picture', search_type: 'filename' },
  { view_type: 'map', latitude: 37.5, longitude: 127 },
  { view_type: 'grid_sep' },
  { with_memo: 'True' },
  { page_size: 500 },
];
for (const query of readings) {
  test(`pages by index and by cursor are the same at rest (${JSON.stringify(query)})`, async () => {
    const user = await service.user();
    const rows = days(9).map((row, n) => ({
      ...row,
      filename: `picture ${n}.jpg`,
      place: [37.5 + n / 1e4, 127] as [number, number],
    }));
    await seedImages(service, user, rows);
    const sized = { page_size: 2, ...query };
    const idsIn = (found: { items: readonly unknown[] }): string[] =>
      (found.items as { id?: string; images?: { id: string }[] }[]).flatMap(
        ({ id, images = [] }) => (id === undefined ? images.map((image) => image.id) : [id]),
      );
    const walked: string[] = [];
    for (let at: Query = {}, index = 0; ;) {
      const byCursor = await rawPage(user, { ...sized, ...at });
      const byIndex = await rawPage(user, { ...sized, last_index: index });
      assert.deepEqual(idsIn(byCursor), idsIn(byIndex));
      assert.equal(byCursor.total_count, 9);
      walked.push(...idsIn(byCursor));
      index += idsIn(byIndex).length;
      assert.equal(byIndex.last_index, index);
      assert.equal(byIndex.next_cursor, byCursor.next_cursor);
      if (byCursor.next_cursor === null) break;
      at = { cursor: byCursor.next_cursor, last_index: 3 };
    }
    assert.equal(new Set(walked).size, 9);
  });
}

test('a cursor may be used with another page size, other includes, and another token', async () => {
  const user = await service.user();
  const ids = await seedImages(service, user, days(6));
  const { next_cursor: cursor } = await page(user, { page_size: 2 });
  assert.ok(cursor);
  const { access_token: token } = await service.service.tenants.users.issueTokens(user.id);
  const rest = await page({ ...user, token }, { page_size: 3, with_memo: 'True', cursor });
  assert.deepEqual([idsOf(rest), rest.last_index], [ids.slice(2, 5), null]);
});

test('a cursor of another list, a changed one, and what is none are refused', async () => {
  const user = await service.user();
  await seedImages(service, user, days(6));
  const other = await service.user();
  const { next_cursor: cursor } = await page(user, { page_size: 2 });
  assert.ok(cursor);
  const wrong: [Member, Query][] = [
    [other, { cursor }],
    [user, { cursor, has_det: 'True' }],
    [user, { cursor, sort_by: 'taken_at' }],
    [user, { cursor, view_type: 'list' }],
    [user, { cursor: `${cursor.slice(0, -2)}AA` }],
    [user, { cursor: `A${cursor.slice(1)}` }],
    [user, { cursor: cursor.slice(0, 20) }],
    [user, { cursor: `${cursor}=` }],
    [user, { cursor: '3' }],
  ];
  for (const [who, query] of wrong) {
    const as = ['User', who.token] as const;
    refused(await service.client.get(who.images, { as, query }), 400, 'invalid_cursor', 'cursor');
  }
  const as = ['User', user.token] as const;
  const long = { as, query: { cursor: 'A'.repeat(2_001) } };
  refused(await service.client.get(user.images, long), 400, 'invalid_field', 'cursor');
});

test('a walk ends where everything that follows was deleted', async () => {
  const user = await service.user();
  const ids = await seedImages(service, user, days(6));
  const remove = () => service.db.query('DELETE FROM images WHERE id = ANY ($1)', [ids.slice(2)]);
  assert.deepEqual(await walk(user, { page_size: 2 }, remove), ids.slice(0, 2));
});

test('a page past the end is empty', async () => {
  const user = await service.user();
  await seedImages(service, user, days(2));
  const past = await page(user, { last_index: 1_000_000 });
  assert.deepEqual(
    [past.count, past.last_index, past.total_count, past.next_cursor],
    [0, 1_000_000, 2, null],
  );
});

test('images of the same instant have a stable order', async () => {
  const user = await service.user();
  const ids = await seedImages(
    service,
    user,
    Array.from({ length: 7 }, () => ({ created_at: '2025-01-01T00:00:00.000001Z' })),
  );
  const seen = await walk(user, { page_size: 2 });
  const read = await readPages((at) => page(user, { page_size: 2, ...at }));
  assert.deepEqual(
    read.map(({ id }) => id),
    seen,
  );
  assert.deepEqual(seen, ids.sort().reverse());
});

test('instants a microsecond apart are distinguished', async () => {
  const user = await service.user();
  const ids = await seedImages(
    service,
    user,
    [5, 4, 3, 2, 1].map((n) => ({ created_at: `2025-01-01T00:00:00.00000${n}Z` })),
  );
  assert.deepEqual(await walk(user, { page_size: 1 }), ids);
});
