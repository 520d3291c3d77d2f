import assert from 'node:assert/strict';
import { done, near, refused } from '../../testkit/expect.js';
import { area } from '../harness.js';
import type { Image, NumberedPage, Page } from '../../testkit/records.js';
import type { Member, World } from '../../testkit/world.js';
import { ids } from './list.js';
import { at, metres, spread } from './map.js';
import type { Place } from './map.js';

interface PlaceGroup {
  readonly latitude: number;
  readonly longitude: number;
  readonly address_road: string | null;
  readonly address_land: string | null;
  readonly building_name: string | null;
  readonly count: number;
  readonly latest_created_at: string;
  readonly image: Image;
}

const center: Place = [37.5663, 126.9779];
const places: readonly Place[] = [center, [37.5667, 126.9779], [37.568, 126.9779]];

const group = async <Item = Image>(user: Member, query: Record<string, string | number>) =>
  done(await user.get<Page<Item>>('/images/group', query));

async function twoPlaces(world: World) {
  const user = await world.user();
  const day = (n: number) => ({ created_at: `2024050${n}_000000` });
  const old = await user.upload({ ...at([1.5, 2.5]), ...day(1) });
  const newest = await user.upload({ ...at([1.5, 2.5]), ...day(4), address_road: '길 1' });
  const other = await user.upload({ ...at([3, 4]), ...day(2) });
  await user.upload();
  return { user, old, newest, other };
}

export const groups = area('group', (check) => {
  check('groupImages', 'IF rule 8 radius 100 m by default, nearest first', async (world) => {
    const user = await world.user();
    const images = await spread(user, places);
    const page = await group(user, { use_radius: 'True', ...at(center) });
    assert.deepEqual(ids(page), [images[0]?.id, images[1]?.id]);
    assert.deepEqual([page.count, page.total_count, page.last_index], [2, 2, 2]);
    const distance = page.items[1]?.distance_m ?? NaN;
    assert.ok(Math.abs(distance - metres(center, places[1] ?? center)) < 0.01);
  });

  check('groupImages', '§6.23 radius in meters, paged by last_index', async (world) => {
    const user = await world.user();
    const images = await spread(user, places);
    const query = { use_radius: 'True', ...at(center), radius: 1000, page_size: 2 };
    const first = await group(user, query);
    const rest = await group(user, { ...query, last_index: first.last_index ?? 0 });
    assert.deepEqual(
      [...ids(first), ...ids(rest)],
      images.map(({ id }) => id),
    );
    assert.equal(first.total_count, 3);
  });

  check('groupImages', 'IF rule 8 use_radius needs latitude and longitude', async (world) => {
    const user = await world.user();
    const answer = await user.get('/images/group', { use_radius: 'True' });
    refused(answer, 400, 'missing_field', 'latitude');
    for (const more of [{}, { use_radius: 'True' }] as Record<string, string>[]) {
      const half = await user.get('/images/group', { ...more, latitude: '1' });
      refused(half, 400, 'missing_field', 'longitude');
    }
    const other = await user.get('/images/group', { use_radius: 'True', longitude: '1' });
    refused(other, 400, 'missing_field', 'latitude');
  });

  for (const [name, value] of [
    ['radius', '50000.1'],
    ['radius', '-1'],
    ['radius', 'far'],
    ['latitude', '91'],
    ['longitude', '181'],
    ['use_radius', 'maybe'],
    ['last_index', '-1'],
    ['page_size', '0'],
    ['page_size', '1001'],
  ] as const) {
    check('groupImages', `§6.23 ${name}=${value} is rejected`, async (world) => {
      const query = { use_radius: 'True', ...at(center), [name]: value };
      refused(await (await world.user()).get('/images/group', query), 400, 'invalid_field', name);
    });
  }

  check(
    'groupImages',
    '§6.23 a location alone: the images at exactly that location',
    async (world) => {
      const { user, old, newest } = await twoPlaces(world);
      await spread(user, [[1.5000001, 2.5]]);
      const page = await group(user, at([1.5, 2.5]));
      assert.deepEqual(ids(page), [newest.id, old.id], 'newest first');
      assert.equal(page.total_count, 2);
      near(page.total_filesize_mb, old.filesize_mb + newest.filesize_mb, 5e-6);
      assert.ok(page.items.every((image) => !('distance_m' in image)));
      const finer = { ...at([1.50000004, 2.49999998]), use_radius: 'False' };
      assert.deepEqual(ids(await group(user, finer)), ids(page), 'equal to 7 decimals');
      const [zero] = await spread(user, [[0, 0]]);
      assert.deepEqual(ids(await group(user, { latitude: '-0', longitude: '0' })), [zero?.id]);
    },
  );

  check(
    'groupImages',
    '§6.23 without a location: all locations, most recent first',
    async (world) => {
      const { user, newest, other } = await twoPlaces(world);
      const page = await group<PlaceGroup>(user, {});
      assert.deepEqual(
        page.items.map((p) => [p.latitude, p.longitude, p.count, p.latest_created_at, p.image.id]),
        [
          [1.5, 2.5, 2, '20240504_000000', newest.id],
          [3, 4, 1, '20240502_000000', other.id],
        ],
      );
      assert.equal(page.items[0]?.address_road, '길 1');
      assert.ok('address_land' in page.items[0] && 'building_name' in page.items[0]);
      assert.deepEqual([page.count, page.total_count], [2, 2]);
      const second = await group<PlaceGroup>(user, { page_size: 1, last_index: 1 });
      assert.deepEqual([second.items[0]?.latitude, second.last_index], [3, 2]);
    },
  );

  check(
    'groupImages',
    '§6.23 trash is omitted unless has_delete_at says otherwise',
    async (world) => {
      const { user, other } = await twoPlaces(world);
      await user.trash(other);
      const count = async (query: Record<string, string>) => (await group(user, query)).total_count;
      assert.equal(await count({}), 1);
      assert.equal(await count({ has_delete_at: 'True' }), 1);
      assert.deepEqual(ids(await group(user, { ...at([3, 4]), has_delete_at: 'True' })), [
        other.id,
      ]);
      assert.equal(await count(at([3, 4])), 0);
      assert.equal(await count({ use_radius: 'True', ...at([3, 4]) }), 0);
      assert.equal(await count({ use_radius: 'True', ...at([3, 4]), has_delete_at: 'True' }), 1);
      assert.equal(await count({ has_delete_at: 'None' }), 2);
      assert.equal(await count({ ...at([3, 4]), has_delete_at: 'None' }), 1);
    },
  );

  check('groupImagesPaged', '§6.23 returns the same images by page number', async (world) => {
    const { user, old, newest, other } = await twoPlaces(world);
    const read = async <Item>(query: Record<string, string | number>) =>
      done(await user.get<NumberedPage<Item>>('/images/group/paged', query));
    const all = await read<PlaceGroup>({ page_size: 1, page: 2 });
    assert.deepEqual([all.page, all.page_size, all.total_pages, all.total_count], [2, 1, 2, 2]);
    assert.ok(!('last_index' in all));
    assert.equal(all.items[0]?.image.id, other.id);
    const place = await read<Image>(at([1.5, 2.5]));
    assert.deepEqual(place.items.map(({ id }) => id).sort(), [old.id, newest.id].sort());
    const radius = await read<Image>({ use_radius: 'True', ...at([3, 4]) });
    assert.deepEqual([radius.items[0]?.id, radius.items[0]?.distance_m], [other.id, 0]);
    const past = await read({ page: 9 });
    assert.deepEqual([past.items, past.count, past.page, past.total_pages], [[], 0, 9, 1]);
  });

  check('groupImagesPaged', '§1.9 page and page_size have limits', async (world) => {
    const user = await world.user();
    for (const [name, value] of [
      ['page', '0'],
      ['page_size', '1001'],
    ] as const) {
      const answer = await user.get('/images/group/paged', { [name]: value });
      refused(answer, 400, 'invalid_field', name);
    }
  });

  check(
    'groupImages',
    'IF rule 2 with_history, with_memo, with_custom fill arrays',
    async (world) => {
      const { user, old } = await twoPlaces(world);
      done(await user.post(`/images/${old.id}/memos`, { message: 'm', is_client: 'True' }));
      const query = { with_memo: 'True', with_custom: 'True', with_history: 'True' };
      const here = (await group(user, { ...at([1.5, 2.5]), ...query })).items;
      assert.deepEqual(
        here.map(({ memos, customs, filedatas }) => [memos?.length, customs, filedatas]),
        [
          [0, [], []],
          [1, [], []],
        ],
      );
      const [place] = (await group<PlaceGroup>(user, { with_memo: 'True' })).items;
      assert.deepEqual([place?.image.memos, place?.image.filedatas], [[], null]);
    },
  );

  check('groupImages', '§1.9 every form pages by last_index to its end', async (world) => {
    const { user } = await twoPlaces(world);
    for (const query of [{}, at([1.5, 2.5]), { ...at([1.5, 2.5]), use_radius: 'True' }]) {
      const whole = await group<{ id?: string }>(user, query);
      const read: unknown[] = [];
      while (read.length < whole.total_count) {
        const page = await group(user, { ...query, last_index: read.length, page_size: 1 });
        assert.deepEqual([page.count, page.total_count], [1, whole.total_count]);
        read.push(...page.items);
        assert.equal(page.last_index, read.length);
      }
      assert.equal(whole.items.length, read.length);
      const past = await group(user, { ...query, last_index: 1000 });
      assert.deepEqual([past.count, past.items, past.last_index], [0, [], 1000]);
      assert.equal(past.total_count, whole.total_count);
    }
  });

  check('groupImages', '§2.4 returns no images of other users', async (world) => {
    await twoPlaces(world);
    const user = await world.user();
    for (const query of [{}, at([1.5, 2.5]), { ...at([1.5, 2.5]), use_radius: 'True' }]) {
      const page = await group(user, query);
      assert.deepEqual([page.count, page.total_count, page.items], [0, 0, []]);
      assert.equal(page.total_filesize_mb, 0);
    }
  });
});
