import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ImageDays, ImageList } from '../../src/library/images/list/schemas.js';
import { seedImages } from '../../testkit/image-rows.js';
import { readPages, walkPages, type PageAt } from '../../testkit/read-pages.js';
import { testService } from '../../testkit/service.js';

const service = await testService();

test('a frequent word: the total is a lower bound, and paging returns each image once despite uploads', async () => {
  const user = await service.user();
  const stranger = await service.user();
  const words = { address_road: '서울특별시 중구', bytes: 1024 };
  const created_at = (n: number): string => new Date(Date.UTC(2024, 0, 1, 0, n)).toISOString();
  const ids = await seedImages(
    service,
    user,
    Array.from({ length: 1_300 }, (_, n) => ({ ...words, created_at: created_at(n) })),
  );
  await seedImages(service, stranger, [words]);
  const seen = new Set<boolean | undefined>();
  let total = 0;
  const page = async (at: PageAt): Promise<ImageList> => {
    const query = { search_type: 'address', search: '서울', page_size: 100, ...at };
    const as = ['User', user.token] as const;
    const { status, result } = await service.client.get<ImageList>(user.images, { as, query });
    assert.equal(status, 200);
    seen.add(result.total_is_exact);
    total = result.total_count;
    return result;
  };
  const found = await walkPages(page, () => seedImages(service, user, [words]));
  assert.deepEqual(
    found.map(({ id }) => id),
    ids.toReversed(),
  );
  assert.deepEqual([...seen], [false]);
  assert.equal(total, 1_001, 'at least');
  const read = await readPages(page);
  assert.equal(read.length, ids.length + 12);
  assert.equal(total, read.length, 'at the end of the list, all are counted');
});

test('exact totals have no flag', async () => {
  const user = await service.user();
  await seedImages(service, user, [{ address_road: '서울' }, { address_road: '부산' }]);
  const query = { search: '서울' };
  const { result } = await service.client.get<ImageList>(user.images, {
    as: ['User', user.token],
    query,
  });
  assert.equal(result.total_count, 1);
  assert.ok(!('total_is_exact' in result));
});

test('a search finds the same images with includes, and by day', async () => {
  const user = await service.user();
  await seedImages(service, user, [{ address_road: '서울' }, { address_road: '부산' }]);
  const as = ['User', user.token] as const;
  const search = { search: '서울' };
  const { result: plain } = await service.client.get<ImageList>(user.images, { as, query: search });
  for (const [field, value] of [
    ['with_memo', 'True'],
    ['with_history', 'True'],
    ['page_size', '500'],
  ] as const) {
    const query = { ...search, [field]: value };
    const { result } = await service.client.get<ImageList>(user.images, { as, query });
    assert.deepEqual(
      [result.total_count, result.items.map(({ id }) => id)],
      [1, plain.items.map(({ id }) => id)],
    );
  }
  const query = { ...search, view_type: 'grid_sep' };
  const { result: days } = await service.client.get<ImageDays>(user.images, { as, query });
  assert.deepEqual([days.total_count, days.items[0]?.count], [1, 1]);
});
