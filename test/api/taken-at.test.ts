import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import type { ImageDays, ImageList } from '../../src/library/images/list/schemas.js';
import type { ClusterCollection } from '../../src/library/images/map/schemas.js';
import { seedFolder, seedImages, type SeededImage } from '../../testkit/image-rows.js';
import { Random } from '../../testkit/random.js';
import { readPages, walkPages } from '../../testkit/read-pages.js';
import { ownService } from '../../testkit/service.js';
import type { Member } from '../../testkit/world.js';

const service = await ownService({ after }, { timezone: 'America/New_York' });
const { db, client } = service;

type Query = Record<string, string | number>;

async function read<Result = ImageList>(who: Member, query: Query, path = ''): Promise<Result> {
  const as = ['User', who.token] as const;
  const { status, result, error } = await client.get<Result>(`${who.images}${path}`, { as, query });
  assert.equal(status, 200, error?.message);
  return result;
}

const idsOf = ({ items }: ImageList): string[] => items.map(({ id }) => id);
const byTaken = { sort_by: 'taken_at' };

/** An image that is listed by what it was taken at, else by when it was created. */
interface Shown extends SeededImage {
  readonly id: string;
  readonly created_at: string;
}

const timeOf = ({ taken_at, created_at }: Shown): string => taken_at ?? created_at;

/** The newest first. All times are in the same notation. */
const newestFirst = (images: readonly Shown[]): string[] =>
  images
    .toSorted((a, b) => (`${timeOf(a)} ${a.id}` < `${timeOf(b)} ${b.id}` ? 1 : -1))
    .map(({ id }) => id);

const second = (n: number, micros = 0): string =>
  new Date(Date.UTC(2024, 5, 1, 0, 0, n))
    .toISOString()
    .replace('000Z', `${String(micros).padStart(6, '0')}Z`);

/**
 * Images without a time, with that of their creation, before and long before it, and many at one instant, or
 * a microsecond apart.
 */
async function library(count = 90): Promise<{ user: Member; images: Shown[] }> {
  const user = await service.user();
  const random = new Random(38);
  const folder = await seedFolder(service, user, 'folder');
  const images = Array.from({ length: count }, (_, n): Shown => {
    const created_at = second(random.below(200));
    const taken_at = random.of([
      undefined,
      created_at,
      second(random.below(200)),
      second(7, random.below(3)),
      '1970-01-01T00:00:00.000000Z',
    ]);
    return {
      id: crypto.randomUUID(),
      created_at,
      ...(taken_at !== undefined && { taken_at }),
      ...(n % 5 === 0 && { deleted_at: second(300) }),
      ...(n % 2 === 0 && { folder_id: folder }),
      has_det: n % 3 === 0,
      filename: `${n % 4 === 0 ? 'roof' : 'wall'} ${n}.jpg`,
      address_road: 'road',
      place: [37, 127],
    };
  });
  await seedImages(service, user, images);
  return { user, images };
}

/** Queries, each with the images that it lists. */
const lists: readonly (readonly [Query, (image: Shown) => boolean])[] = [
  [{}, () => true],
  [{ has_delete_at: 'False' }, ({ deleted_at }) => deleted_at === undefined],
  [{ has_delete_at: 'True' }, ({ deleted_at }) => deleted_at !== undefined],
  [{ view_type: 'list', has_det: 'True' }, ({ has_det }) => has_det === true],
  [{ search_type: 'filename', search: 'roof' }, ({ filename = '' }) => filename.includes('roof')],
  [{ search: 'road', has_delete_at: 'False' }, ({ deleted_at }) => deleted_at === undefined],
  [
    { search_type: 'folder', search: 'folder', with_memo: 'True' },
    ({ folder_id }) => folder_id !== undefined,
  ],
  [{ days_or_date_range: 'days_range', days_range: 36_000 }, () => true],
  [
    {
      days_or_date_range: 'date_range',
      start_date: '20000101',
      end_date: '20991231',
      search_date_by: 'updated_at',
    },
    () => true,
  ],
];

describe('lists by the time that pictures were taken', async () => {
  const { user, images } = await library();

  for (const [query, isListed] of lists) {
    const what = JSON.stringify(query);
    const wanted = newestFirst(images.filter(isListed));

    test(`are in its order, whatever the size of a page: ${what}`, async () => {
      assert.ok(wanted.length > 10 && wanted.length < 100);
      for (const page_size of [7, 60, 1000]) {
        const seen = await readPages((at) =>
          read(user, { ...query, ...byTaken, page_size, ...at }),
        );
        assert.deepEqual(
          seen.map(({ id }) => id),
          wanted,
        );
      }
      const first = await read(user, { ...query, ...byTaken, page_size: 4 });
      assert.equal(first.total_count, wanted.length);
    });

    test(`begin at any index without a page before it: ${what}`, async () => {
      for (const index of [1, 11, wanted.length - 2, wanted.length, wanted.length + 5]) {
        const page = await read(user, { ...query, ...byTaken, page_size: 5, last_index: index });
        assert.deepEqual(idsOf(page), wanted.slice(index, index + 5), `${index}`);
      }
    });
  }

  test('and by creation do not mix, page by page', async () => {
    const byCreation = newestFirst(images.map(({ id, created_at }) => ({ id, created_at })));
    for (const [query, wanted] of [
      [{}, byCreation],
      [byTaken, newestFirst(images)],
      [{}, byCreation],
    ] as const) {
      const seen = await readPages((at) => read(user, { ...query, ...at }));
      assert.deepEqual(
        seen.map(({ id }) => id),
        wanted,
      );
    }
  });

  test('with more images than one batch are grouped by day', async () => {
    const { user: owner, images: many } = await library(260);
    const query = { ...byTaken, view_type: 'grid_sep', page_size: 250, with_memo: 'True' };
    const { items, count } = await read<ImageDays>(owner, query);
    assert.equal(count, 250);
    assert.deepEqual(
      items.flatMap((day) => day.images.map(({ id }) => id)),
      newestFirst(many).slice(0, 250),
    );
    assert.ok(items.every((day) => day.count === day.images.length));
  });

  test('by distance stay so', async () => {
    const map = { view_type: 'map', latitude: 37, longitude: 127, page_size: 1000 };
    const nearest = idsOf(await read(user, map));
    assert.deepEqual(idsOf(await read(user, { ...map, ...byTaken })), nearest);
    const old = await read(user, { ...map, search_date_by: 'taken_at', date: '19691231' });
    assert.deepEqual(
      idsOf(old).sort(),
      images
        .filter((image) => timeOf(image).startsWith('1970'))
        .map(({ id }) => id)
        .sort(),
    );
  });
});

describe('paging by it while images change', () => {
  const numbered = (count: number): Shown[] =>
    Array.from({ length: count }, (_, n) => ({
      id: crypto.randomUUID(),
      created_at: second(500 - 7 * ((n * 5) % count)),
      taken_at: second(400 - n),
      has_det: true,
      filename: `roof ${n}`,
    }));

  const changing: readonly Query[] = [
    {},
    { has_det: 'True' },
    { search: 'roof' },
    { has_delete_at: 'False' },
  ];
  for (const query of changing) {
    const what = JSON.stringify(query);

    test(`newer and older ones come, and pages neither skip nor repeat: ${what}`, async () => {
      const user = await service.user();
      const images = numbered(14);
      await seedImages(service, user, images);
      const come = () =>
        seedImages(
          service,
          user,
          [second(900), second(390)].map((taken_at) => ({
            created_at: second(1),
            taken_at,
            has_det: true,
            filename: 'roof',
          })),
        );
      const seen = await walkPages(
        (at) => read(user, { ...query, ...byTaken, page_size: 3, ...at }),
        (pages) => (pages < 4 ? come() : Promise.resolve()),
      );
      const ids = seen.map(({ id }) => id);
      const known = new Set(images.map(({ id }) => id));
      assert.deepEqual(
        ids.filter((id) => known.has(id)),
        newestFirst(images),
      );
      assert.equal(new Set(ids).size, ids.length);
    });

    test(`some go, and others were taken at another time: ${what}`, async () => {
      const user = await service.user();
      const images = numbered(14);
      await seedImages(service, user, images);
      const [first, next, third, ...rest] = newestFirst(images);
      const changes = [
        () => db.query('DELETE FROM images WHERE id = $1', [third]), // the last one of a page
        () => db.query('UPDATE images SET taken_at = NULL WHERE id = $1', [first]),
        () => db.query(`UPDATE images SET taken_at = '1990-01-01Z' WHERE id = $1`, [next]),
      ];
      const seen = await walkPages(
        (at) => read(user, { ...query, ...byTaken, page_size: 3, ...at }),
        async (pages) => changes[pages - 1]?.(),
      );
      const ids = seen.map(({ id }) => id);
      // What moved to a later position is seen there again; nothing else is, and nothing is missing.
      assert.deepEqual(
        ids.filter((id) => rest.includes(id)),
        rest,
      );
      assert.deepEqual(ids.slice(0, 3), [first, next, third]);
      assert.equal(ids.at(-1), next);
    });
  }

  test('the order by creation has page ends of its own', async () => {
    const user = await service.user();
    const images = numbered(8);
    await seedImages(service, user, images);
    await read(user, { page_size: 3 });
    await seedImages(service, user, [{ created_at: second(900), taken_at: second(1) }]);
    const after = await read(user, { ...byTaken, page_size: 3, last_index: 3 });
    assert.deepEqual(idsOf(after), newestFirst(images).slice(3, 6));
  });
});

describe('days and periods of it', async () => {
  const user = await service.user();
  // In New York, a day begins at 04:00 UTC in summer.
  const [none, equal, before, later] = await seedImages(service, user, [
    { created_at: '2024-07-01T12:00:00Z' },
    { created_at: '2024-07-02T12:00:00Z', taken_at: '2024-07-02T12:00:00Z' },
    { created_at: '2024-07-03T12:00:00Z', taken_at: '2024-07-01T03:59:59Z' },
    { created_at: '2024-06-01T12:00:00Z', taken_at: '2024-07-02T04:00:00Z' },
  ]);
  const found = async (query: Query): Promise<string[]> => idsOf(await read(user, query));
  const range = { days_or_date_range: 'date_range', start_date: '20240630', end_date: '20240701' };

  test('grid_sep has the days of sort_by', async () => {
    const days = async (query: Query): Promise<unknown[]> => {
      const { items } = await read<ImageDays>(user, { view_type: 'grid_sep', ...query });
      return items.map(({ date, images }) => [date, ...images.map(({ id }) => id)]);
    };
    const taken = [
      [20240702, equal, later],
      [20240701, none],
      [20240630, before],
    ];
    assert.deepEqual(await days(byTaken), taken);
    assert.deepEqual(await days({ ...byTaken, page_size: 2, last_index: 2 }), taken.slice(1));
    assert.deepEqual(await days({}), [
      [20240703, before],
      [20240702, equal],
      [20240701, none],
      [20240601, later],
    ]);
  });

  test('a range and a date are of search_date_by', async () => {
    const taken = { search_date_by: 'taken_at' };
    assert.deepEqual(await found({ ...range, ...taken }), [before, none]);
    assert.deepEqual(await found({ ...range, ...taken, ...byTaken }), [none, before]);
    assert.deepEqual(await found({ ...range }), [none]);
    assert.deepEqual(await found({ ...taken, date: '20240702' }), [equal, later]);
    assert.deepEqual(await found({ ...taken, date: '20240703' }), []);
    assert.deepEqual(await found({ ...byTaken, date: '20240703' }), [before]);
    const updated = { ...range, search_date_by: 'updated_at', date: '20240701' };
    assert.deepEqual(await found(updated), [none], 'then a date is one of created_at');
  });

  test('what is neither is rejected', async () => {
    for (const [name, value] of [
      ['sort_by', 'updated_at'],
      ['sort_by', 'taken'],
      ['sort_order', 'up'],
      ['search_date_by', 'uploaded_at'],
    ] as const) {
      const query = { ...byTaken, [name]: value };
      const answer = await client.get(user.images, { as: ['User', user.token], query });
      assert.deepEqual([answer.status, answer.error?.field], [400, name]);
    }
  });

  test('an export has the dates and the order of date_by', async () => {
    const exported = async (query: Query): Promise<string[]> => {
      const answer = await client.raw('GET', `${user.images}/export`, {
        as: ['User', user.token],
        query: { format: 'ndjson', ...query },
      });
      assert.equal(answer.status, 200);
      const lines = (await answer.text()).split('\n').filter((line) => line !== '');
      return lines.map((line) => (JSON.parse(line) as { id: string }).id);
    };
    const taken = { date_by: 'taken_at' };
    assert.deepEqual(await exported({}), [before, equal, none, later]);
    assert.deepEqual(await exported(taken), [equal, later, none, before]);
    assert.deepEqual(await exported({ ...taken, ...range }), [none, before]);
    assert.deepEqual(await exported({ ...taken, date: '20240702' }), [equal, later]);
    assert.deepEqual(await exported({ search_date_by: 'taken_at', ...range }), [before, none]);
    const updated = { ...taken, ...range, search_date_by: 'updated_at' };
    assert.deepEqual(await exported(updated), [none]);
  });
});

describe('folders by it', () => {
  test('have folders by creation, and images in both directions', async () => {
    const tree = await service.user();
    const { id } = await tree.folder('all');
    const inner = [(await tree.folder('b', { id })).id, (await tree.folder('a', { id })).id];
    const other = await library(40);
    const images = other.images.map((image) => ({
      ...image,
      id: crypto.randomUUID(),
      folder_id: id,
    }));
    await seedImages(service, tree, images);
    const down = newestFirst(images);
    for (const [sort_order, wanted] of [
      ['asc', [...inner, ...down.toReversed()]],
      ['desc', [...inner.toReversed(), ...down]],
    ] as const) {
      for (const page_size of ['3', '41', '100']) {
        const seen = await readPages((at) =>
          tree.contents(id, { ...byTaken, sort_order, page_size, ...at }),
        );
        assert.deepEqual(
          seen.map(({ data }) => data.id),
          wanted,
        );
      }
      const query = { ...byTaken, sort_order, page_size: '5', last_index: '20' };
      const jumped = await tree.contents(id, query);
      assert.deepEqual(
        jumped.items.map(({ data }) => data.id),
        wanted.slice(20, 25),
      );
    }
  });
});

describe('maps by it', async () => {
  const user = await service.user();
  const map = user.images.replace(/images$/, 'map');
  const as = ['User', user.token] as const;
  const [first] = await seedImages(service, user, [
    { place: [37.5, 127], created_at: second(1), taken_at: '2020-01-01T12:00:00Z' },
    { place: [37.5, 127], created_at: second(2) },
    { place: [37.6, 127], created_at: second(3), taken_at: second(3) },
    { created_at: second(3), taken_at: '2020-01-01T12:00:00Z' },
  ]);
  const box = { bbox: '120,30,130,40', zoom: 5 };
  const count = async (query: Query): Promise<number> => {
    const answer = await client.raw('GET', `${map}/clusters`, { as, query: { ...box, ...query } });
    const { features } = (await answer.json()) as ClusterCollection;
    return features.reduce((sum, { properties }) => sum + properties.count, 0);
  };
  const tile = (query: Query, headers = {}) =>
    client.raw('GET', `${map}/0/0/0.mvt`, { as, query, headers });
  const of2020 = { from_date: '20200101', to_date: '20200101' };
  const taken2020 = { ...of2020, date_by: 'taken_at' };

  test('clusters count the images of the period', async () => {
    assert.equal(await count({ date_by: 'taken_at' }), 3);
    assert.equal(await count(of2020), 0);
    assert.equal(await count(taken2020), 1);
    assert.equal(await count({ from_date: '20240101', date_by: 'taken_at' }), 2);
    assert.equal(await count({ from_date: '20240101', date_by: 'created_at' }), 3);
    const wrong = await client.raw('GET', `${map}/clusters`, {
      as,
      query: { ...box, date_by: 'updated_at' },
    });
    assert.equal(wrong.status, 400);
  });

  test('tiles are of the period, and their ETag is of it, too', async () => {
    const [whole, unfiltered, created, taken] = await Promise.all(
      ([{}, { date_by: 'taken_at' }, of2020, taken2020] as Query[]).map((query) => tile(query)),
    );
    assert.deepEqual([created?.status, taken?.status], [204, 200]);
    const etags = [whole, created, taken].map((answer) => answer?.headers.get('etag'));
    assert.equal(new Set(etags).size, 3);
    assert.equal(unfiltered?.headers.get('etag'), etags[0], 'without a period it is no filter');
  });

  test('a picture that turns out to be taken at another time changes them', async () => {
    const before = (await tile(taken2020)).headers.get('etag') ?? '';
    const again = await tile(taken2020, { 'If-None-Match': before });
    assert.equal(again.status, 304);
    await db.query(`UPDATE images SET taken_at = taken_at, is_shared = true WHERE id = $1`, [
      first,
    ]);
    assert.equal((await tile(taken2020, { 'If-None-Match': before })).status, 304);
    await db.query('UPDATE images SET taken_at = NULL WHERE id = $1', [first]);
    assert.equal((await tile(taken2020, { 'If-None-Match': before })).status, 204);
  });
});
