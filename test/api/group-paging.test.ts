import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { PlaceRecord } from '../../src/library/images/group/schemas.js';
import { seedImages, type SeededImage } from '../../testkit/image-rows.js';
import type { Image } from '../../testkit/records.js';
import { testService } from '../../testkit/service.js';
import { walkPages, type ReadPage } from '../../testkit/read-pages.js';
import type { Member } from '../../testkit/world.js';

const service = await testService();

type Query = Record<string, string>;

async function get<Result>(user: Member, path: string, query: Query): Promise<Result> {
  const { status, result, error } = await service.client.get<Result>(`${user.images}${path}`, {
    as: ['User', user.token],
    query,
  });
  assert.equal(status, 200, error?.message);
  return result;
}

/** Ids returned by paging, two images per page. */
const idsOf = async (user: Member, query: Query, between: (pages: number) => Promise<unknown>) =>
  (
    await walkPages<Image>(
      (at) => get(user, '/group', { ...query, page_size: '2', ...at }),
      between,
    )
  ).map(({ id }) => id);

const seoul = { latitude: '37.5', longitude: '127' };
const near = (n: number): [number, number] => [37.5 + n / 1e5, 127];
const day = (n: number): string => `2025-01-${String(n).padStart(2, '0')}Z`;

/** Seven images, each one meter farther and one day older. */
const seven = (place: (n: number) => [number, number]): SeededImage[] =>
  [1, 2, 3, 4, 5, 6, 7].map((n) => ({ place: place(n), created_at: day(20 - n) }));

const groups: [string, Query, (n: number) => [number, number]][] = [
  ['a radius', { ...seoul, use_radius: 'True' }, near],
  ['one place', seoul, () => [37.5, 127]],
];
for (const [what, query, place] of groups) {
  describe(`paging through ${what}`, () => {
    test('is not affected by uploads', async () => {
      const user = await service.user();
      const ids = await seedImages(service, user, seven(place));
      const newer = { place: place(0), created_at: day(30) };
      const seen = await idsOf(user, query, () => seedImages(service, user, [newer, newer]));
      assert.deepEqual(seen, ids);
    });

    test('skips nothing when images of earlier pages are deleted', async () => {
      const user = await service.user();
      const ids = await seedImages(service, user, seven(place));
      const seen = await idsOf(user, query, (pages) =>
        service.db.query('DELETE FROM images WHERE id = $1', [ids[pages === 1 ? 1 : 0]]),
      );
      assert.deepEqual(seen, ids);
    });

    test('ends when everything that follows was deleted', async () => {
      const user = await service.user();
      const ids = await seedImages(service, user, seven(place));
      const seen = await idsOf(user, query, () =>
        service.db.query('DELETE FROM images WHERE id = ANY ($1)', [ids.slice(2)]),
      );
      assert.deepEqual(seen, ids.slice(0, 2));
    });

    test('by page number reads positions; its cursor walks on', async () => {
      const user = await service.user();
      const ids = await seedImages(service, user, seven(place));
      type Numbered = ReadPage<Image> & { page: number | null; total_pages: number };
      const read = (at: Query) =>
        get<Numbered>(user, '/group/paged', { ...query, page_size: '3', ...at });
      const first = await read({ page: '1' });
      const second = await read({ page: '2' });
      assert.deepEqual(
        [...first.items, ...second.items].map(({ id }) => id),
        ids.slice(0, 6),
      );
      await seedImages(service, user, [{ place: place(0), created_at: day(30) }]);
      const last = await read({ cursor: second.next_cursor ?? '', page: '1' });
      assert.deepEqual(
        last.items.map(({ id }) => id),
        ids.slice(6),
      );
      assert.deepEqual(
        [last.page, last.total_pages, last.total_count, last.next_cursor],
        [null, 3, 8, null],
      );
    });
  });
}

describe('paging through places', () => {
  const places = (user: Member, between: (pages: number) => Promise<unknown>) =>
    walkPages<PlaceRecord>((at) => get(user, '/group', { page_size: '2', ...at }), between);

  test('finds every place once, whatever is uploaded to places old and new', async () => {
    const user = await service.user();
    const ids = await seedImages(service, user, seven(near));
    const seen = await places(user, (pages) =>
      seedImages(service, user, [
        { place: near(7), created_at: day(30) },
        { place: near(1), created_at: day(1) },
        { place: near(100 + pages), created_at: day(30) },
      ]),
    );
    assert.deepEqual(
      seen.map(({ image }) => image.id),
      ids,
    );
    assert.equal(seen.at(-1)?.count, 4, 'all images that are there count');
  });

  test('shows each place by its newest image outside the trash', async () => {
    const user = await service.user();
    const [, newest, , lone] = await seedImages(service, user, [
      { place: near(1), created_at: day(1) },
      { place: near(1), created_at: day(3) },
      { place: near(1), created_at: day(9), deleted_at: day(10) },
      { place: near(2), created_at: day(2) },
      { place: near(3), created_at: day(8), deleted_at: day(10) },
      { created_at: day(9) },
    ]);
    const seen = await places(user, async () => undefined);
    assert.deepEqual(
      seen.map(({ image, count }) => [image.id, count]),
      [
        [newest, 2],
        [lone, 1],
      ],
    );
  });
});
