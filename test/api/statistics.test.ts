import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { row } from '../../src/database/sql.js';
import type { ImageRecord } from '../../src/library/images/schemas.js';
import type { DayStatistics, Statistics } from '../../src/library/statistics/schemas.js';
import { rollUp } from '../../src/library/statistics/roll-up.js';
import { UsageStatistics } from '../../src/library/statistics/service.js';
import { WallClock } from '../../src/base/time.js';
import { parsed } from '../../testkit/parsed.js';
import { Album } from '../../testkit/album.js';
import { uploadedAt } from '../../testkit/ledger.js';
import { filePart, jpeg } from '../../testkit/pictures.js';
import { testService } from '../../testkit/service.js';
import type { TestPlatform } from '../../testkit/service.js';

const service = await testService({ after });
const { client, db } = service;
const mb = (bytes: number): number => Math.round((bytes / 1_048_576) * 1e6) / 1e6;
const today = (): string => new WallClock('Asia/Seoul').format(new Date()).slice(0, 8);

/** What happened on all these days, and the state at the end of the last. */
function together(days: readonly DayStatistics[]): Record<string, number> {
  const events = ['camera', 'gallery', 'request'].map((kind) => `upload_${kind}`);
  const sums = [...events, 'total_upload', 'edit_count', 'delete_count'].map((name) => [
    name,
    days.reduce((sum, { stats }) => sum + stats[name as keyof Statistics], 0),
  ]);
  return { ...days.at(-1)?.stats, ...(Object.fromEntries(sums) as Record<string, number>) };
}

const daily = (platform: TestPlatform, query: Record<string, string>) =>
  client.get<DayStatistics[]>(`/api/v2/platforms/${platform.id}/stats`, {
    as: ['Platform', platform.token],
    query,
  });
const total = async (platform: TestPlatform): Promise<Statistics> => {
  const path = `/api/v2/platforms/${platform.id}/stats/total`;
  return (await client.get<Statistics>(path, { as: ['Platform', platform.token] })).result;
};

async function setting() {
  const platform = await service.platform();
  const user = await service.user(platform);
  return { platform, user, album: new Album(service, user) };
}

describe('statistics of API requests', () => {
  test('count uploads by type, edits and deletions, and have the sizes', async () => {
    const start = today();
    const { platform, album } = await setting();
    const [camera, gallery] = [
      await album.upload({ upload_type: 'camera' }),
      await album.upload(),
      await album.upload({ upload_type: 'request' }),
    ];
    const originals = await row<{ bytes: number }>(
      db,
      'SELECT sum(original_bytes)::bigint AS bytes FROM images WHERE platform_id = $1',
      [platform.id],
    );
    const edits = [await jpeg({ width: 90, height: 50 }), await jpeg({ width: 70, height: 70 })];
    for (const edit of edits) {
      const form = { image_data: filePart(edit) };
      const answer = await album.call<ImageRecord>('POST', `/${camera.id}/filedata`, { form });
      assert.equal(answer.status, 200);
    }
    // Trashed, restored, and trashed again: two moves to the trash.
    for (const word of ['True', 'False', 'True']) await album.update(gallery.id, { delete: word });
    const org = originals?.bytes ?? 0;
    const expected: Statistics = {
      upload_camera: 1,
      upload_gallery: 1,
      upload_request: 1,
      total_upload: 3,
      edit_count: 2,
      delete_count: 2,
      total_images: 2,
      org_filesize_mb: mb(org),
      org_latest_filesize_mb: mb(org + (edits[1]?.length ?? 0)),
      total_filesize_mb: mb(org + edits[0]!.length + edits[1]!.length),
    };
    assert.deepEqual(await total(platform), expected);
    // Midnight may have passed meanwhile.
    const { result } = await daily(platform, { start_date: start, end_date: today() });
    assert.deepEqual(together(result), expected);
    await rollUp(db, { zone: 'Asia/Seoul' });
    assert.deepEqual(await total(platform), expected);
    await uploadedAt(db, { id: album.user.id, platformId: platform.id }, ['2020-01-01'], 0);
    assert.equal((await total(platform)).total_images, 3);
  });
});

describe('days of statistics', () => {
  const images = (days: readonly DayStatistics[]) =>
    days.map(({ date, stats }) => [date, stats.total_upload, stats.total_images]);

  test('begin and end at midnight in the configured zone, and include days without activity', async () => {
    const { platform, user } = await setting();
    await uploadedAt(db, user, [
      '2024-02-27 23:59:59.999999+09',
      '2024-02-28 00:00:00+09',
      '2024-02-28 23:59:59.999999+09',
      '2024-03-01 00:00:00+09',
    ]);
    const query = { start_date: '20240228', end_date: '20240301' };
    const expected = [
      [20240228, 2, 3],
      [20240229, 0, 3],
      [20240301, 1, 4],
    ];
    const { result } = await daily(platform, query);
    assert.deepEqual(images(result), expected);
    assert.equal(result[1]?.stats.org_filesize_mb, 3);
    assert.deepEqual(images((await daily(platform, { ...query, sort_order: 'desc' })).result), [
      ...expected.toReversed(),
    ]);
    // Half rolled up, half not; then all.
    await rollUp(db, { zone: 'Asia/Seoul', batchSize: 2 });
    await uploadedAt(db, user, ['2024-02-29 12:00:00+09']);
    const late = [[20240228, 2, 3], [20240229, 1, 4], [20240301, 1, 5]]; // prettier-ignore
    assert.deepEqual(images((await daily(platform, query)).result), late);
    await rollUp(db, { zone: 'Asia/Seoul' });
    assert.deepEqual(images((await daily(platform, query)).result), late);
  });

  test('are 23 and 25 hours long when clocks change, and differ by zone without a roll-up for it', async () => {
    const { platform, user } = await setting();
    const newYork = new UsageStatistics(db, 'America/New_York');
    // 2024-03-10 lasts from 05:00Z to 04:00Z, 2024-11-03 from 04:00Z to 05:00Z.
    await uploadedAt(db, user, [
      '2024-03-10 04:59:59Z',
      '2024-03-10 05:00:00Z',
      '2024-03-11 03:59:59Z',
      '2024-03-11 04:00:00Z',
      '2024-11-03 03:59:59Z',
      '2024-11-03 04:00:00Z',
      '2024-11-04 04:59:59Z',
      '2024-11-04 05:00:00Z',
    ]);
    const look = async () => {
      const of = async (start_date: string, end_date: string) =>
        images(
          parsed(await newYork.days(platform.id, { start_date, end_date, sort_order: 'asc' })),
        );
      assert.deepEqual(await of('2024-03-09', '2024-03-11'), [
        [20240309, 1, 1],
        [20240310, 2, 3],
        [20240311, 1, 4],
      ]);
      assert.deepEqual(await of('2024-11-02', '2024-11-04'), [
        [20241102, 1, 5],
        [20241103, 2, 7],
        [20241104, 1, 8],
      ]);
    };
    await look();
    await rollUp(db, { zone: 'Asia/Seoul' });
    await look();
    assert.deepEqual((await rollUp(db, { zone: 'America/New_York' })).remade, true);
    await look();
    assert.equal((await total(platform)).total_images, 8);
    await rollUp(db, { zone: 'Asia/Seoul' });
    await look();
  });
});
