import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import type { ImageDays, ImageList } from '../../src/images/list/schemas.js';
import { seedImages } from '../../testkit/image-rows.js';
import { testService } from '../../testkit/service.js';

const service = await testService({ after });
const user = await service.user();
const get = <R>(query: Record<string, string | number>, who = user) =>
  service.client.get<R>(who.images, { as: ['User', who.token], query });

describe('map', async () => {
  // On a sphere one degree of latitude is as long as one of longitude at the equator; on the
  // ellipsoid it is shorter (110.57 km against 111.32 km).
  const ids = await seedImages(service, user, [
    { place: [0, 1], created_at: '2025-01-04Z' },
    { place: [1.0005, 0], created_at: '2025-01-03Z' },
    { place: [0, 0.0001], created_at: '2025-01-02Z' },
    { created_at: '2025-01-05Z' },
    { place: [0, 0.0001], created_at: '2025-01-01Z' },
  ]);
  const [east, north, near, , twin] = ids;
  const map = { view_type: 'map', latitude: 0, longitude: 0 };

  test('lists images that have a place, nearest on the ellipsoid first, with distances', async () => {
    const { result } = await get<ImageList>(map);
    assert.deepEqual(
      result.items.map(({ id }) => id),
      [near, twin, north, east],
    );
    assert.deepEqual(
      result.items.map(({ distance_m }) => Math.round(distance_m ?? -1)),
      [11, 11, 110630, 111319],
    );
    assert.deepEqual([result.total_count, result.total_filesize_mb], [4, 4]);
  });

  test('radius takes in what lies within', async () => {
    const { result } = await get<ImageList>({ ...map, radius: 111000 });
    assert.deepEqual([result.count, result.total_count], [3, 3]);
    assert.equal((await get<ImageList>({ ...map, radius: 11 })).result.count, 0);
  });

  test('pages do not overlap or skip, by walking and by jumping', async () => {
    const walked: string[] = [];
    for (let last_index = 0; ;) {
      const { result } = await get<ImageList>({ ...map, page_size: 1, last_index });
      walked.push(...result.items.map(({ id }) => id));
      last_index = result.last_index;
      if (last_index >= result.total_count) break;
    }
    assert.deepEqual(walked, [near, twin, north, east]);
    const jump = await get<ImageList>({
      ...map,
      page_size: 2,
      last_index: 2,
      search_date_by: 'updated_at',
    });
    assert.deepEqual(
      jump.result.items.map(({ id }) => id),
      [north, east],
    );
  });

  test('filters apply', async () => {
    const { result } = await get<ImageList>({ ...map, date: '20250102' });
    assert.deepEqual(
      result.items.map(({ id }) => id),
      [near],
    );
  });

  test('other views tell no distance', async () => {
    const { result } = await get<ImageList>({ latitude: 0, longitude: 0 });
    assert.ok(result.items.every((item) => !('distance_m' in item)));
  });
});

describe('grid_sep', async () => {
  const owner = await service.user();
  // The zone is Asia/Seoul, nine hours ahead.
  const [a, b, c, d] = await seedImages(service, owner, [
    { created_at: '2025-01-02T15:00:00Z' },
    { created_at: '2025-01-02T14:59:59Z' },
    { created_at: '2025-01-02T00:00:00Z' },
    { created_at: '2025-01-01T10:00:00Z' },
  ]);
  const days = async (query = {}) =>
    (await get<ImageDays>({ view_type: 'grid_sep', ...query }, owner)).result;
  const shown = ({ items }: ImageDays) =>
    items.map(({ date, count, images }) => [date, count, images.map(({ id }) => id)]);

  test('gathers images under their days, newest first', async () => {
    const all = await days();
    assert.deepEqual(shown(all), [
      [20250103, 1, [a]],
      [20250102, 2, [b, c]],
      [20250101, 1, [d]],
    ]);
    assert.deepEqual([all.count, all.total_count, all.total_images, all.last_index], [4, 4, 4, 4]);
  });

  test('pages by images: a day may be on two pages', async () => {
    const first = await days({ page_size: 2 });
    assert.deepEqual(shown(first), [
      [20250103, 1, [a]],
      [20250102, 1, [b]],
    ]);
    const second = await days({ page_size: 2, last_index: first.last_index });
    assert.deepEqual(shown(second), [
      [20250102, 1, [c]],
      [20250101, 1, [d]],
    ]);
    assert.deepEqual([second.last_index, second.total_images], [4, 4]);
  });

  test('date narrows it', async () => {
    assert.deepEqual(shown(await days({ date: '20250102' })), [[20250102, 2, [b, c]]]);
  });
});
