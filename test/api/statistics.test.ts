import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { v7 as uuidv7 } from 'uuid';
import { row } from '../../src/database/sql.js';
import type {
  AllStatistics,
  DayStatistics,
  Statistics,
} from '../../src/library/statistics/schemas.js';
import { rollUp } from '../../src/library/statistics/roll-up.js';
import {
  largestPlatforms,
  lastDays,
  UsageStatistics,
} from '../../src/library/statistics/usage-statistics.js';
import { WallClock } from '../../src/base/time.js';
import { done, refused } from '../../testkit/expect.js';
import { parsed } from '../../testkit/parsed.js';
import { uploadedAt } from '../../testkit/ledger.js';
import { filePart, jpeg } from '../../testkit/pictures.js';
import type { Image } from '../../testkit/records.js';
import { ownService } from '../../testkit/service.js';
import type { Tenant } from '../../testkit/world.js';

const service = await ownService({ after });
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

const daily = (platform: Tenant, query: Record<string, string>) =>
  client.get<DayStatistics[]>(`/api/v2/platforms/${platform.id}/stats`, {
    as: ['Platform', platform.token],
    query,
  });
const total = async (platform: Tenant): Promise<Statistics> => {
  const path = `/api/v2/platforms/${platform.id}/stats/total`;
  return (await client.get<Statistics>(path, { as: ['Platform', platform.token] })).result;
};

async function setting() {
  const platform = await service.platform();
  const user = await service.user(platform);
  return { platform, user, album: user };
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
      const answer = await album.call<Image>('POST', `/images/${camera.id}/filedata`, { form });
      assert.equal(answer.status, 200);
    }
    // Trashed, restored, and trashed again: two moves to the trash.
    for (const word of ['True', 'False', 'True'])
      await album.put<Image>(`/images/${gallery.id}`, { delete: word });
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
    await uploadedAt(db, { id: album.id, platformId: platform.id }, ['2020-01-01'], 0);
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

describe('statistics of all platforms', () => {
  const ofAll = async (query: Record<string, string>) =>
    client.get<AllStatistics>('/api/v1/statistics', {
      as: ['Admin', await service.adminToken()],
      query,
    });
  const range = { start_date: '20230201', end_date: '20230202' };

  test('have the counts of each in the range and its states at the end', async () => {
    const [one, other] = [await setting(), await setting()];
    await uploadedAt(db, one.user, [
      '2023-01-31 12:00:00+09',
      '2023-02-01 12:00:00+09',
      '2023-02-02 12:00:00+09',
      '2023-02-03 12:00:00+09',
    ]);
    await uploadedAt(db, other.user, ['2023-02-02 12:00:00+09']);
    const of = (all: AllStatistics, id: string) => {
      const stats = all.platforms.find(({ platform_id }) => platform_id === id)?.stats;
      return [stats?.upload_gallery, stats?.total_images];
    };
    const all = done(await ofAll(range));
    assert.deepEqual(of(all, one.platform.id), [2, 3]);
    assert.deepEqual(of(all, other.platform.id), [1, 1]);
    assert.deepEqual(
      all.days.map(({ date, stats }) => [date, stats.upload_gallery]),
      [
        [20230201, 1],
        [20230202, 2],
      ],
    );
    const ofOther = done(await ofAll({ ...range, platform_id: other.platform.id }));
    assert.deepEqual([ofOther.total.total_images, ofOther.days[0]?.stats.total_upload], [1, 0]);
    assert.equal(ofOther.platforms.length, all.platforms.length);
  });

  test('of an unknown platform are refused', async () => {
    for (const platform_id of [uuidv7(), 'nobody']) {
      refused(await ofAll({ ...range, platform_id }), 400, 'platform_not_found');
    }
  });

  test('cover ten years at most', async () => {
    const longest = { start_date: '20100101', end_date: '20200108' };
    assert.equal(done(await ofAll(longest)).days.length, 3_660);
    const longer = { ...longest, end_date: '20200109' };
    refused(await ofAll(longer), 400, 'invalid_field', 'end_date');
  });
});

test('uploads of all kinds are counted on each of the last days', async () => {
  const before = await uploadsOf(today());
  const { album } = await setting();
  for (const upload_type of ['camera', 'gallery', 'request', 'camera']) {
    await album.upload({ upload_type });
  }
  assert.equal(await uploadsOf(today()), before + 4);
  await rollUp(db, { zone: 'Asia/Seoul' });
  assert.equal(await uploadsOf(today()), before + 4);
});

/** Uploads of a day, in the order of days up to today. */
async function uploadsOf(day: string): Promise<number> {
  const days = await lastDays(db, 'Asia/Seoul', 30);
  const dates = days.map(({ date }) => date);
  assert.deepEqual(
    dates,
    dates.toSorted((a, b) => a - b),
  );
  return days.find(({ date }) => date === Number(day))?.uploads ?? 0;
}

test('the platforms that store most are listed one by one, the others together', async () => {
  const all = await largestPlatforms(db, 1_000);
  assert.ok(all.length > 3 && all.every(({ name, platforms }) => name !== null && platforms === 1));
  const shown = await largestPlatforms(db, 2);
  const sizes = all.map(({ bytes }) => Number(bytes)).sort((a, b) => b - a);
  assert.deepEqual(
    shown
      .filter(({ name }) => name !== null)
      .map(({ bytes }) => Number(bytes))
      .sort((a, b) => b - a),
    sizes.slice(0, 2),
  );
  const [rest, ...more] = shown.filter(({ name }) => name === null);
  assert.deepEqual([rest?.platforms, more], [all.length - 2, []]);
});
