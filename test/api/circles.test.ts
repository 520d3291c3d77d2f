import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rows } from '../../src/database/sql.js';
import type { AddressList } from '../../src/library/images/addresses.js';
import type { ClusterCollection } from '../../src/library/images/map/schemas.js';
import { done, refused } from '../../testkit/expect.js';
import { seedFolder, seedImages } from '../../testkit/image-rows.js';
import type { CountedDays, Image, Page } from '../../testkit/records.js';
import { testService } from '../../testkit/service.js';
import type { Member } from '../../testkit/world.js';

const service = await testService();
const { client, db } = service;

type Query = Record<string, string | number>;

const read = <Result>(who: Member, path: string, query: Query = {}) =>
  client.get<Result>(`/api/v1/users/${who.id}${path}`, { as: ['User', who.token], query });

/** Four images near the city hall, one of them trashed, one without a place, and one 2 km away. */
async function city() {
  const user = await service.user();
  const folder = await seedFolder(service, user, 'site');
  const inner = await seedFolder(service, user, 'inner');
  await rows(db, 'UPDATE folders SET parent_id = $2 WHERE id = $1', [inner, folder]);
  const place = [37.5663, 126.9779] as const;
  const ids = await seedImages(service, user, [
    { place, created_at: '2025-01-01T03:00:00Z', camera: 'A', address_road: '세종대로 110' },
    { place, created_at: '2025-01-03T03:00:00Z', folder_id: folder, address_road: '세종대로 110' },
    {
      place: [37.567, 126.979],
      created_at: '2025-01-02T03:00:00Z',
      folder_id: inner,
      address_road: '세종대로 110',
      building_name: '시청',
    },
    { place, created_at: '2025-01-04T03:00:00Z', deleted_at: '2025-01-05T03:00:00Z' },
    { created_at: '2025-01-06T03:00:00Z', address_road: '세종대로 999' },
    { place: [37.5759, 126.9968], created_at: '2025-01-07T03:00:00Z', address_road: '율곡로 1' },
  ]);
  return { user, folder, ids };
}

const circle = { latitude: 37.5663, longitude: 126.9779, radius: 500 };
const active = { has_delete_at: 'False' };

test('a circle narrows lists in the order of time, their days, exports and archives alike', async () => {
  const { user, ids } = await city();
  const [first, second, third, trashed] = ids;
  const idsOf = async (query: Query): Promise<string[]> =>
    done(await read<Page<Image>>(user, '/images', query)).items.map(({ id }) => id);
  assert.deepEqual(await idsOf({ ...circle, ...active }), [second, third, first]);
  assert.deepEqual(await idsOf({ ...circle, ...active, sort_order: 'asc' }), [
    first,
    third,
    second,
  ]);
  assert.deepEqual(await idsOf(circle), [trashed, second, third, first]);
  assert.deepEqual(await idsOf({ ...circle, ...active, radius: 60 }), [second, first]);
  assert.deepEqual(await idsOf({ ...circle, ...active, search: '시청' }), [third]);
  const walked: string[] = [];
  for (let cursor: string | null | undefined; cursor !== null;) {
    const query = { ...circle, ...active, page_size: 1, ...(cursor && { cursor }) };
    const page = done(await read<Page<Image>>(user, '/images', query));
    walked.push(...page.items.map(({ id }) => id));
    cursor = page.next_cursor;
  }
  assert.deepEqual(walked, [second, third, first]);

  const days = done(await read<CountedDays>(user, '/images/days', { ...circle, ...active }));
  assert.deepEqual(days, {
    days: [20250103, 20250102, 20250101].map((date) => ({ date, count: 1 })),
    total_count: 3,
  });
  const exported = await client.raw('GET', `${user.images}/export`, {
    as: ['User', user.token],
    query: { ...circle, ...active, format: 'ndjson' },
  });
  const lines = (await exported.text()).trim().split('\n');
  assert.deepEqual(
    lines.map((line) => (JSON.parse(line) as Image).id),
    [second, third, first],
  );
  const period = { days_or_date_range: 'date_range', end_date: '29991231' };
  const since = { ...period, start_date: '20250102', search_date_by: 'taken_at' };
  const nearest = await idsOf({ ...circle, ...active, ...since, view_type: 'map' });
  assert.deepEqual(nearest, [second, third]);
  // Without a radius, a list has always ignored the place; what is newer says what is missing.
  assert.equal((await idsOf({ latitude: 37, longitude: 127, ...active })).length, 5);
  const half = { latitude: 37, longitude: 127 };
  refused(await read(user, '/images/days', half), 400, 'missing_field', 'radius');
  refused(await read(user, '/images', { radius: 5 }), 400, 'missing_field', 'latitude');
});

test('the map of a user takes the filters of lists, and its tags follow what they read', async () => {
  const { user, folder, ids } = await city();
  const set = done(
    await client.post<{ id: string }>(`/api/v1/users/${user.id}/upload-sets`, {
      as: ['User', user.token],
      json: { hashes: [`${'0'.repeat(63)}1`] },
    }),
  );
  await rows(
    db,
    `INSERT INTO customs (id, image_id, user_id, key, value) VALUES ($1, $2, $3, 'floor', '3')`,
    [crypto.randomUUID(), ids[0], user.id],
  );
  const area = { bbox: '126,37,128,38', zoom: 10 };
  const count = async (query: Query): Promise<number> => {
    const answer = await client.raw('GET', `/api/v1/users/${user.id}/map/clusters`, {
      as: ['User', user.token],
      query: { ...area, ...query },
    });
    const { features } = (await answer.json()) as ClusterCollection;
    return features.reduce((sum, { properties }) => sum + properties.count, 0);
  };
  const searched = { search: '세종대로', search_type: 'address' };
  for (const [query, expected] of [
    [{}, 4],
    [{ camera: 'A' }, 1],
    [searched, 3],
    [{ ...searched, camera: 'A' }, 1],
    [{ ...searched, from_date: '20250102' }, 2],
    [{ folder_id: folder }, 1],
    [{ folder_id: folder, with_subfolders: 'True' }, 2],
    [{ ...searched, folder_id: folder, with_subfolders: 'True' }, 2],
    [{ folder_id: 'root' }, 2],
    [{ custom_key: 'floor' }, 1],
    [{ custom_key: 'floor', custom_value: '4' }, 0],
    [{ upload_set_id: set.id }, 0],
  ] as const) {
    assert.equal(await count(query), expected, JSON.stringify(query));
  }
  const tile = (query: Query) =>
    client.raw('GET', `/api/v1/users/${user.id}/map/0/0/0.mvt`, {
      as: ['User', user.token],
      query,
    });
  const tagOf = async (query: Query) => (await tile(query)).headers.get('etag');
  const [plain, found] = [await tagOf({}), await tagOf(searched)];
  assert.notEqual(plain, found);
  const form = { address_road: '율곡로 2' };
  done(await client.put(`${user.images}/${ids[0]}`, { as: ['User', user.token], form }));
  assert.equal(await tagOf({}), plain);
  assert.notEqual(await tagOf(searched), found);
  assert.equal(await count(searched), 2);

  const ask = (query: Query) => read(user, '/map/clusters', { ...area, ...query });
  refused(await ask({ custom_value: '3' }), 400, 'missing_field', 'custom_key');
  refused(await ask({ upload_set_id: crypto.randomUUID() }), 400, 'upload_set_not_found');
});

test('words find the addresses on the map, each once, with the place of its newest image', async () => {
  const { user } = await city();
  const find = async (query: Query): Promise<AddressList> =>
    done(await read<AddressList>(user, '/images/addresses', query));
  const hall = { latitude: 37.5663, longitude: 126.9779 };
  assert.deepEqual(await find({ search: '세종대로' }), {
    addresses: [
      { address: '세종대로 110', building_name: null, count: 2, ...hall },
      {
        address: '세종대로 110',
        building_name: '시청',
        count: 1,
        latitude: 37.567,
        longitude: 126.979,
      },
    ],
    is_exact: true,
  });
  assert.equal((await find({ search: '로', limit: 1 })).addresses.length, 1);
  assert.deepEqual(await find({ search: '없는' }), { addresses: [], is_exact: true });
  const stranger = await service.user();
  assert.deepEqual(done(await read<AddressList>(stranger, '/images/addresses', { search: '로' })), {
    addresses: [],
    is_exact: true,
  });
  refused(await read(user, '/images/addresses'), 400, 'missing_field', 'search');
});
