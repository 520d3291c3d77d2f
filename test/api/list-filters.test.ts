import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import type { ImageList } from '../../src/images/list/schemas.js';
import { seedImages } from '../../testkit/image-rows.js';
import { testService } from '../../testkit/service.js';

const service = await testService({ after }, { timezone: 'America/New_York' });
const user = await service.user();

const list = (query: Record<string, string | number> = {}, who = user) =>
  service.client.get<ImageList>(who.images, { as: ['User', who.token], query });

/** Latitudes tell the images of these tests apart. */
const found = async (query: Record<string, string | number>, who = user): Promise<unknown[]> => {
  const { status, result, error } = await list(query, who);
  assert.equal(status, 200, error?.message);
  assert.equal(result.total_count, result.items.length);
  return result.items.map(({ lat }) => lat);
};

describe('the list refuses', () => {
  const wrong: [Record<string, string>, string, string][] = [
    [{ view_type: 'mosaic' }, 'invalid_field', 'view_type'],
    [{ search_type: 'colour', search: 'x' }, 'invalid_field', 'search_type'],
    [{ days_or_date_range: 'weeks' }, 'invalid_field', 'days_or_date_range'],
    [{ search_date_by: 'taken_at' }, 'invalid_field', 'search_date_by'],
    [{ has_det: 'maybe' }, 'invalid_field', 'has_det'],
    [{ has_delete_at: 'x' }, 'invalid_field', 'has_delete_at'],
    [{ page_size: '0' }, 'invalid_field', 'page_size'],
    [{ page_size: '1001' }, 'invalid_field', 'page_size'],
    [{ last_index: '-1' }, 'invalid_field', 'last_index'],
    [{ date: '20250231' }, 'invalid_field', 'date'],
    [{ date: '20250201_000000' }, 'invalid_field', 'date'],
    [{ days_or_date_range: 'days_range', days_range: '0' }, 'invalid_field', 'days_range'],
    [{ search_type: 'memo' }, 'missing_field', 'search'],
    [{ search_type: 'memo', search: '' }, 'missing_field', 'search'],
    [{ days_or_date_range: 'days_range' }, 'missing_field', 'days_range'],
    [{ days_or_date_range: 'date_range', end_date: '20250101' }, 'missing_field', 'start_date'],
    [{ days_or_date_range: 'date_range', start_date: '20250101' }, 'missing_field', 'end_date'],
    [
      { days_or_date_range: 'date_range', start_date: '20250102', end_date: '20250101' },
      'invalid_field',
      'end_date',
    ],
    [{ view_type: 'map', longitude: '1' }, 'missing_field', 'latitude'],
    [{ view_type: 'map', latitude: '1' }, 'missing_field', 'longitude'],
    [{ view_type: 'map', latitude: '91', longitude: '1' }, 'invalid_field', 'latitude'],
    [{ view_type: 'list', download: 'True', date: '20250101' }, 'missing_field', 'search'],
    [{ view_type: 'list', download: 'True', search: 'x' }, 'missing_field', 'date'],
    [
      { view_type: 'list', download: 'True', search: 'x', date: '20250101', has_delete_at: 'True' },
      'invalid_field',
      'has_delete_at',
    ],
  ];
  for (const [query, code, field] of wrong) {
    test(JSON.stringify(query), async () => {
      const { status, error } = await list(query);
      assert.deepEqual([status, error?.code, error?.field], [400, code, field]);
    });
  }

  test("another user's token, and a platform's", async () => {
    const stranger = await service.user();
    const { status } = await service.client.get(user.images, { as: ['User', stranger.token] });
    assert.equal(status, 403);
    const platform = await service.platform();
    const other = await service.client.get(user.images, { as: ['Platform', platform.token] });
    assert.equal(other.status, 401);
  });
});

describe('filters', async () => {
  const owner = await service.user();
  await seedImages(service, owner, [
    { place: [1, 0], has_det: true, created_at: '2025-01-03Z' },
    { place: [2, 0], has_det: false, created_at: '2025-01-02Z', bytes: 2097152 },
    { place: [3, 0], created_at: '2025-01-01Z', deleted_at: '2025-01-05Z' },
  ]);

  test('has_delete_at: trash, not trash, all', async () => {
    assert.deepEqual(await found({ has_delete_at: 'True' }, owner), [3]);
    assert.deepEqual(await found({ has_delete_at: 'false' }, owner), [1, 2]);
    assert.deepEqual(await found({}, owner), [1, 2, 3]);
    assert.deepEqual(await found({ has_delete_at: 'None' }, owner), [1, 2, 3]);
  });

  test('has_det: True, False, None for not entered, omitted for any', async () => {
    assert.deepEqual(await found({ has_det: 'True' }, owner), [1]);
    assert.deepEqual(await found({ has_det: 'False' }, owner), [2]);
    assert.deepEqual(await found({ has_det: 'None' }, owner), [3]);
    assert.deepEqual(await found({ has_det: 'None', has_delete_at: 'False' }, owner), []);
  });

  test('sizes are summed over all matches, not over the page', async () => {
    const { result } = await list({ has_delete_at: 'False', page_size: 1 }, owner);
    assert.deepEqual([result.count, result.total_count, result.total_filesize_mb], [1, 2, 3]);
    const filtered = await list({ has_det: 'False' }, owner);
    assert.equal(filtered.result.total_filesize_mb, 2);
  });

  test('extras are null unless asked for', async () => {
    const { result } = await list({}, owner);
    const [first] = result.items;
    assert.deepEqual([first?.memos, first?.customs, first?.filedatas], [null, null, null]);
    const query = { with_memo: 'True', with_custom: 'True', with_history: 'True' };
    const [full] = (await list(query, owner)).result.items;
    assert.deepEqual([full?.memos, full?.customs, full?.filedatas], [[], [], []]);
  });

  test('a list is a grid, and a page past the end is empty', async () => {
    assert.deepEqual(await found({ view_type: 'list' }, owner), [1, 2, 3]);
    const { result } = await list({ last_index: 99 }, owner);
    assert.deepEqual([result.count, result.total_count, result.last_index], [0, 3, 99]);
  });
});

describe('dates', async () => {
  const owner = await service.user();
  // In New York clocks went back at 2024-11-03 06:00Z (the day has 25 hours), and forward on 2025-03-09.
  await seedImages(service, owner, [
    { place: [1, 0], created_at: '2024-11-03T03:59:59.999Z' },
    { place: [2, 0], created_at: '2024-11-03T04:00:00Z' },
    { place: [3, 0], created_at: '2024-11-03T05:30:00.5Z' },
    { place: [4, 0], created_at: '2024-11-03T06:30:00.5Z' },
    { place: [5, 0], created_at: '2024-11-04T04:59:59.999999Z' },
    { place: [6, 0], created_at: '2024-11-04T05:00:00Z' },
    { place: [7, 0], created_at: '2025-03-10T03:59:59Z', updated_at: '2025-06-01T12:00:00Z' },
    { place: [8, 0], created_at: '2025-03-10T04:00:00Z', updated_at: '2025-06-02T12:00:00Z' },
  ]);
  const range = (start_date: string, end_date: string, more: Record<string, string> = {}) =>
    found({ days_or_date_range: 'date_range', start_date, end_date, ...more }, owner);

  test('a day is from midnight to midnight of the configured zone, however long', async () => {
    assert.deepEqual(await found({ date: '20241103' }, owner), [5, 4, 3, 2]);
    assert.deepEqual(await found({ date: '20241102' }, owner), [1]);
    assert.deepEqual(await found({ date: '20250309', view_type: 'list' }, owner), [7]);
  });

  test('a range of days includes both', async () => {
    assert.deepEqual(await range('20241103', '20241104'), [6, 5, 4, 3, 2]);
    assert.deepEqual(await range('20241103', '20241103'), [5, 4, 3, 2]);
  });

  test('a range of times includes both seconds, and the repeated hour', async () => {
    assert.deepEqual(await range('20241103_013000', '20241103_013000'), [4, 3]);
    assert.deepEqual(await range('20241103_013001', '20241104'), [6, 5, 4]);
    assert.deepEqual(await range('20241102', '20241102_235959'), [1]);
  });

  test('a range counts by updated_at where asked', async () => {
    assert.deepEqual(await range('20250601', '20250601', { search_date_by: 'updated_at' }), [7]);
    assert.deepEqual(await range('20250310', '20250601', { search_date_by: 'created_at' }), [8]);
  });

  test('date narrows a range further', async () => {
    assert.deepEqual(await range('20241101', '20250401', { date: '20250310' }), [8]);
  });

  test('days_range counts back from now', async () => {
    const recent = await service.user();
    const ago = (hours: number): string => new Date(Date.now() - hours * 3_600_000).toISOString();
    await seedImages(service, recent, [
      { place: [1, 0], created_at: ago(1) },
      { place: [2, 0], created_at: ago(6 * 24), updated_at: ago(2) },
      { place: [3, 0], created_at: ago(9 * 24) },
    ]);
    const days = (days_range: number, more = {}) =>
      found({ days_or_date_range: 'days_range', days_range, ...more }, recent);
    assert.deepEqual(await days(1), [1]);
    assert.deepEqual(await days(7), [1, 2]);
    assert.deepEqual(await days(1, { search_date_by: 'updated_at' }), [1, 2]);
  });
});
