import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import geodesic from 'geographiclib-geodesic';
import type { PlaceRecord } from '../../src/images/group/schemas.js';
import type { ImageRecord } from '../../src/images/schemas.js';
import { Album, refusal } from '../../testkit/album.js';
import type { Call } from '../../testkit/client.js';
import { testService } from '../../testkit/service.js';

interface Group<Item> {
  readonly count: number;
  readonly total_count: number;
  readonly page_size: number;
  readonly total_filesize_mb: number;
  readonly last_index: number;
  readonly items: Item[];
}
interface Paged<Item> extends Omit<Group<Item>, 'last_index'> {
  readonly page: number;
  readonly total_pages: number;
}

const service = await testService({ after });
const earth = geodesic.Geodesic.WGS84;

const read = <Item>(album: Album, query: Call['query'] = {}) =>
  album.call<Group<Item>>('GET', '/group', { query });
const ids = (images: { id: string }[]) => images.map(({ id }) => id);
const at = (latitude: number, longitude: number, more: Record<string, string> = {}) => ({
  latitude: String(latitude),
  longitude: String(longitude),
  ...more,
});

describe('images within a radius', () => {
  const centres: [string, number, number][] = [
    ['in Seoul', 37.5666103, 126.9783882],
    ['at (0, 0)', 0, 0],
    ['on the antimeridian', -16.5, 179.9999],
    ['beside the north pole', 89.9997, 12],
    ['beside the south pole', -89.9997, -170],
  ];
  for (const [where, latitude, longitude] of centres) {
    test(`${where}: as an independent geodesic says, nearest first`, async () => {
      const album = await Album.of(service);
      for (const [metres, azimuth] of [
        [99.9, 0],
        [100.1, 45],
        [0, 0],
        [99.9, 180],
        [100.1, 90],
        [60, 270],
        [30, 90],
        [5000, 10],
      ] as const) {
        const { lat2 = NaN, lon2 = NaN } = earth.Direct(latitude, longitude, azimuth, metres);
        await album.upload(at(lat2, ((lon2 + 540) % 360) - 180));
      }
      const query = { ...at(latitude, longitude), use_radius: 'True' };
      const { status, result } = await read<ImageRecord>(album, query);
      assert.equal(status, 200);
      assert.deepEqual([result.count, result.total_count, result.last_index], [5, 5, 5]);
      const distances = result.items.map((image) => image.distance_m ?? NaN);
      assert.deepEqual(
        distances,
        [...distances].sort((a, b) => a - b),
      );
      for (const { lat, lng, distance_m } of result.items) {
        const { s12 = NaN } = earth.Inverse(latitude, longitude, lat ?? NaN, lng ?? NaN);
        assert.ok(Math.abs(s12 - (distance_m ?? NaN)) < 0.001, `${s12} is not ${distance_m}`);
      }
      const wide = await read<ImageRecord>(album, { ...query, radius: 6000 });
      assert.equal(wide.result.total_count, 8);
      assert.ok(Math.abs((wide.result.items.at(-1)?.distance_m ?? 0) - 5000) < 0.05);
      const tight = await read<ImageRecord>(album, { ...query, radius: '30.5' });
      assert.equal(tight.result.total_count, 2);
    });
  }

  const wrong: [string, Record<string, string>, string, string][] = [
    ['no place', { use_radius: 'True' }, 'missing_field', 'latitude'],
    ['no longitude', { use_radius: 'True', latitude: '1' }, 'missing_field', 'longitude'],
    ['no latitude', { use_radius: 'True', longitude: '1' }, 'missing_field', 'latitude'],
    ['half a place without a radius', { latitude: '1' }, 'missing_field', 'longitude'],
    ['a radius over 50,000', at(1, 1, { radius: '50000.1' }), 'invalid_field', 'radius'],
    ['a negative radius', at(1, 1, { radius: '-1' }), 'invalid_field', 'radius'],
    ['a radius that is no number', at(1, 1, { radius: 'far' }), 'invalid_field', 'radius'],
    ['a place off the globe', at(91, 0), 'invalid_field', 'latitude'],
    ['use_radius that is no flag', { use_radius: 'maybe' }, 'invalid_field', 'use_radius'],
    ['a negative last_index', { last_index: '-1' }, 'invalid_field', 'last_index'],
    ['a page_size of 0', { page_size: '0' }, 'invalid_field', 'page_size'],
    ['a page_size over 1,000', { page_size: '1001' }, 'invalid_field', 'page_size'],
  ];
  for (const [what, query, code, field] of wrong) {
    test(`refuses ${what}`, async () => {
      assert.deepEqual(refusal(await read(await Album.of(service), query)), [400, code, field]);
    });
  }

  test('a radius of 50,000 and an empty radius are accepted', async () => {
    const album = await Album.of(service);
    for (const radius of ['50000', '']) {
      const answer = await read(album, { ...at(1, 1), use_radius: 'true', radius });
      assert.equal(answer.status, 200);
    }
  });
});

describe('places and the images of a place', () => {
  let album: Album;
  let images: ImageRecord[];
  const home = at(37.1234567, 127.7654321);
  const work = at(37.1234568, 127.7654321);

  before(async () => {
    album = await Album.of(service);
    images = [];
    for (const fields of [
      { ...home, created_at: '20240101_000000', address_road: 'old', message: 'a memo' },
      { ...work, created_at: '20240301_000000' },
      { ...home, created_at: '20240201_000000', address_road: 'new', building_name: '집' },
      { created_at: '20240601_000000' },
      { ...home, created_at: '20240501_000000' },
      at(0, 0, { created_at: '20230101_000000' }),
    ]) {
      images.push(await album.upload(fields));
    }
    // The newest of the home place is in the trash.
    await album.update(images[4]?.id ?? '', { delete: 'True' });
  });
  const id = (index: number) => images[index]?.id;

  test('a place alone: the images of exactly that place to 7 decimals, newest first', async () => {
    const { result } = await read<ImageRecord>(album, home);
    assert.deepEqual(ids(result.items), [id(2), id(0)]);
    assert.ok(result.items.every((image) => !('distance_m' in image)));
    assert.ok(result.total_filesize_mb > 0);
    const next = await read<ImageRecord>(album, work);
    assert.deepEqual(ids(next.result.items), [id(1)]);
    const finer = at(37.12345674, 127.76543208, { use_radius: 'False' });
    assert.equal((await read<ImageRecord>(album, finer)).result.total_count, 2);
    assert.deepEqual(ids((await read<ImageRecord>(album, at(-0, 0))).result.items), [id(5)]);
  });

  test('neither: the places, each with its newest image, most recent first', async () => {
    const { result } = await read<PlaceRecord>(album);
    const { page_size, total_count, count, last_index } = result;
    assert.deepEqual([count, total_count, last_index, page_size], [3, 3, 3, 60]);
    assert.deepEqual(
      result.items.map((place) => [
        place.latitude,
        place.longitude,
        place.count,
        place.latest_created_at,
        place.image.id,
        place.address_road,
        place.building_name,
      ]),
      [
        [37.1234568, 127.7654321, 1, '20240301_000000', id(1), null, null],
        [37.1234567, 127.7654321, 2, '20240201_000000', id(2), 'new', '집'],
        [0, 0, 1, '20230101_000000', id(5), null, null],
      ],
    );
  });

  test('the trash is left out unless has_delete_at says otherwise', async () => {
    const read3 = async (has_delete_at: string) => {
      const places = (await read<PlaceRecord>(album, { has_delete_at })).result.items;
      const here = (await read<ImageRecord>(album, { ...home, has_delete_at })).result.items;
      const near = { ...home, use_radius: 'True', radius: '0', has_delete_at };
      const within = (await read<ImageRecord>(album, near)).result.items;
      return [places.map(({ count }) => count), ids(here), ids(within).length];
    };
    assert.deepEqual(await read3('False'), [[1, 2, 1], [id(2), id(0)], 2]);
    assert.deepEqual(await read3('True'), [[1], [id(4)], 1]);
    assert.deepEqual(await read3('None'), [[3, 1, 1], [id(4), id(2), id(0)], 3]);
  });

  test('extras where asked', async () => {
    const query = { with_memo: 'True', with_custom: 'True', with_history: 'True' };
    const here = (await read<ImageRecord>(album, { ...home, ...query })).result.items;
    assert.deepEqual(
      here.map(({ memos, customs, filedatas }) => [memos?.length, customs, filedatas]),
      [
        [0, [], []],
        [1, [], []],
      ],
    );
    const places = (await read<PlaceRecord>(album, { with_memo: 'True' })).result.items;
    assert.deepEqual([places[0]?.image.memos, places[0]?.image.filedatas], [[], null]);
  });

  test('last_index walks through all of each form, and past the end is an empty page', async () => {
    for (const query of [{}, home, { ...home, use_radius: 'True' }]) {
      const whole = (await read<{ id?: string }>(album, query)).result;
      const walked: unknown[] = [];
      let last_index = 0;
      do {
        const { result } = await read(album, { ...query, last_index, page_size: 1 });
        assert.equal(result.last_index, last_index + result.count);
        assert.deepEqual([result.total_count, result.page_size], [whole.total_count, 1]);
        walked.push(...result.items);
        last_index = result.last_index;
      } while (last_index < whole.total_count);
      assert.equal(walked.length, whole.items.length);
      const past = (await read(album, { ...query, last_index: 1000 })).result;
      assert.deepEqual(
        [past.count, past.items, past.last_index, past.total_count],
        [0, [], 1000, whole.total_count],
      );
    }
  });

  test('paged answers the same with page, page_size and total_pages', async () => {
    const paged = async <Item>(query: Call['query']) =>
      (await album.call<Paged<Item>>('GET', '/group/paged/', { query })).result;
    const first = await paged<PlaceRecord>({ page_size: 2 });
    const { page, page_size, total_pages, count, total_count } = first;
    assert.deepEqual([page, page_size, total_pages, count, total_count], [1, 2, 2, 2, 3]);
    assert.ok(!('last_index' in first));
    const second = await paged<PlaceRecord>({ page: 2, page_size: 2 });
    const all = (await read<PlaceRecord>(album)).result.items;
    assert.deepEqual(
      ids([...first.items, ...second.items].map(({ image }) => image)),
      ids(all.map(({ image }) => image)),
    );
    const beyond = await paged({ page: 9 });
    assert.deepEqual([beyond.count, beyond.total_pages, beyond.page], [0, 1, 9]);
    const here = await paged<ImageRecord>({ ...home, page: 2, page_size: 1 });
    assert.deepEqual(ids(here.items), [id(0)]);
    const near = await paged<ImageRecord>({ ...home, use_radius: 'True' });
    assert.equal(near.items[0]?.distance_m, 0);
    const wrong = await album.call('GET', '/group/paged', { query: { page: 0 } });
    assert.deepEqual(refusal(wrong), [400, 'invalid_field', 'page']);
  });

  test('nobody without images gets anything, and nobody gets another’s', async () => {
    const other = await Album.of(service);
    for (const query of [{}, home, { ...home, use_radius: 'True' }]) {
      const { result } = await read(other, query);
      assert.deepEqual([result.count, result.total_count, result.items], [0, 0, []]);
      assert.equal(result.total_filesize_mb, 0);
    }
    for (const path of ['group', 'group/paged']) {
      const { status } = await service.client.get(`${album.user.images}/${path}`, {
        as: ['User', other.user.token],
      });
      assert.equal(status, 403);
    }
  });
});
