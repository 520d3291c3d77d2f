import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { row, rows } from '../../src/database/sql.js';
import type { ImageRecord } from '../../src/images/schemas.js';
import type { DayStatistics, Statistics } from '../../src/statistics/schemas.js';
import { rollUp } from '../../src/statistics/roll-up.js';
import { UsageStatistics } from '../../src/statistics/service.js';
import { WallClock } from '../../src/time.js';
import { Album, refusal } from '../../testkit/album.js';
import { uploadedAt } from '../../testkit/ledger.js';
import { filePart, jpeg } from '../../testkit/pictures.js';
import { testService } from '../../testkit/service.js';
import type { TestPlatform } from '../../testkit/service.js';

const service = await testService({ after });
const { client, db } = service;
const mb = (bytes: number): number => Math.round((bytes / 1_048_576) * 1e6) / 1e6;
const day = (time = new Date()): string => new WallClock('Asia/Seoul').format(time).slice(0, 8);

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

describe('statistics of what is done through the API', () => {
  test('count uploads by kind, edits and deletions, and tell the sizes', async () => {
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
    // To the trash, back, and there again: two moves to the trash.
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
    const { result } = await daily(platform, { start_date: day(), end_date: day() });
    assert.deepEqual(result, [{ date: Number(day()), stats: expected }]);
    await rollUp(db, { zone: 'Asia/Seoul' });
    assert.deepEqual(await total(platform), expected);
    await uploadedAt(db, { id: album.user.id, platformId: platform.id }, ['2020-01-01'], 0);
    assert.equal((await total(platform)).total_images, 3);
  });

  test('a deletion counts an image once: when it went to the trash, else when it went for good', async () => {
    const { platform, user, album } = await setting();
    const folder = await album.folder('with two');
    const ids = [await album.upload(), await album.upload(), await album.upload()].map((i) => i.id);
    for (const id of ids.slice(0, 2)) await album.update(id, { folder_id: folder });
    await album.trashFolder(folder);
    assert.equal((await total(platform)).delete_count, 2);
    await rows(db, 'DELETE FROM users WHERE id = $1', [user.id]);
    const { upload_gallery, total_images, delete_count, total_filesize_mb } = await total(platform);
    assert.deepEqual([upload_gallery, total_images, delete_count, total_filesize_mb], [3, 0, 3, 0]);
  });
});

describe('days of statistics', () => {
  const images = (days: readonly DayStatistics[]) =>
    days.map(({ date, stats }) => [date, stats.total_upload, stats.total_images]);

  test('begin and end at midnight of the configured zone; quiet days are told', async () => {
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
        images(await newYork.days(platform.id, { start_date, end_date, sort_order: 'asc' }));
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

  test('after today are left out', async () => {
    const { platform } = await setting();
    const tomorrow = day(new Date(Date.now() + 86_400_000));
    const later = day(new Date(Date.now() + 20 * 86_400_000));
    const { result } = await daily(platform, { start_date: day(), end_date: later });
    assert.equal(result[0]?.date, Number(day()));
    assert.ok(result.length <= 2); // two, when midnight passes meanwhile
    const none = await daily(platform, { start_date: tomorrow, end_date: later });
    assert.ok(none.status === 200 && none.result.length <= 1);
  });

  test('of a range as long as is allowed, and of the first years', async () => {
    const { platform } = await setting();
    const longest = { start_date: '20100101', end_date: '20200107' };
    assert.equal((await daily(platform, longest)).result.length, 3_659);
    const full = { start_date: '20100101', end_date: '20200108' };
    assert.equal((await daily(platform, full)).result.length, 3_660);
    const early = await daily(platform, { start_date: '00010101', end_date: '00010102' });
    assert.equal(early.result.length, 2);
  });

  const good = { start_date: '20240101', end_date: '20240102' };
  const wrong: [string, Record<string, string>, string, string][] = [
    ['no start', { start_date: '' }, 'missing_field', 'start_date'],
    ['no end', { end_date: '' }, 'missing_field', 'end_date'],
    ['a day that does not exist', { start_date: '20230229' }, 'invalid_field', 'start_date'],
    ['the year 0', { start_date: '00000101' }, 'invalid_field', 'start_date'],
    ['a month that does not exist', { end_date: '20241301' }, 'invalid_field', 'end_date'],
    ['another way to write a day', { end_date: '2024-01-02' }, 'invalid_field', 'end_date'],
    ['a time', { end_date: '20240102_000000' }, 'invalid_field', 'end_date'],
    ['an end before the start', { end_date: '20231231' }, 'invalid_field', 'end_date'],
    ['3,661 days', { end_date: '20340108' }, 'invalid_field', 'end_date'],
    ['an unknown order', { sort_order: 'up' }, 'invalid_field', 'sort_order'],
  ];
  for (const [what, query, code, field] of wrong) {
    test(`are refused for ${what}`, async () => {
      const { platform } = await setting();
      assert.deepEqual(refusal(await daily(platform, { ...good, ...query })), [400, code, field]);
    });
  }

  test('are told to the platform alone, and of it alone', async () => {
    const [mine, other] = [await setting(), await setting()];
    await other.album.upload();
    assert.equal((await total(mine.platform)).total_upload, 0);
    for (const path of ['stats', 'stats/total']) {
      const address = `/api/v2/platforms/${other.platform.id}/${path}`;
      const foreign = await client.get(address, {
        as: ['Platform', mine.platform.token],
        query: good,
      });
      assert.deepEqual([foreign.status, foreign.error?.code], [403, 'forbidden']);
      const user = await client.get(address, { as: ['User', mine.user.token], query: good });
      assert.deepEqual([user.status, user.error?.code], [401, 'unauthorized']);
    }
  });
});
