import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import type { ImageList } from '../../src/library/images/list/schemas.js';
import { seedImages } from '../../testkit/image-rows.js';
import { ownService } from '../../testkit/service.js';
import type { Member } from '../../testkit/world.js';

const service = await ownService({ after }, { timezone: 'America/New_York' });

const list = (query: Record<string, string | number>, who: Member) =>
  service.client.get<ImageList>(who.images, { as: ['User', who.token], query });

/** Latitudes identify the images of these tests. */
const found = async (query: Record<string, string | number>, who: Member): Promise<unknown[]> => {
  const { status, result, error } = await list(query, who);
  assert.equal(status, 200, error?.message);
  assert.equal(result.total_count, result.items.length);
  return result.items.map(({ lat }) => lat);
};

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

  test('a day is from midnight to midnight in the configured zone, even with 23 or 25 hours', async () => {
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

  test('a range uses updated_at if requested', async () => {
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
