import assert from 'node:assert/strict';
import { done, near, refused } from '../../testkit/expect.js';
import { area } from '../harness.js';
import { busy, days, same, shift, todayOf, together, total, zeros } from './busy-platform.js';

export const statistics = area('statistics', (check) => {
  check('totalStatistics', '§7.3 a platform without images has zeros', async (world) => {
    assert.deepEqual(await total(await world.platform()), zeros);
  });

  check(
    'totalStatistics',
    '§7.3 has counts since the beginning and the current state',
    async (world) => {
      const tenant = await world.platform();
      const expected = await busy(tenant);
      same(await total(tenant), expected);
    },
  );

  check(
    'dailyStatistics',
    '§7.4 counts what happened today, immediately and exactly',
    async (world) => {
      const tenant = await world.platform();
      const expected = await busy(tenant);
      const today = todayOf(tenant);
      const found = await days(tenant, today, shift(today, 1));
      assert.ok([1, 2].includes(found.length) && found[0]?.date === Number(today));
      same(together(found), expected);
    },
  );

  check(
    'dailyStatistics',
    '§7.1 a restore and a second trash count as they happen',
    async (world) => {
      const tenant = await world.platform();
      const user = await tenant.user();
      const image = await user.trash(await user.upload());
      assert.deepEqual((await total(tenant)).total_images, 0);
      done(await user.put(`/images/${image.id}`, { delete: 'False' }));
      assert.deepEqual((await total(tenant)).total_images, 1);
      await user.trash(image);
      const { delete_count, total_images, total_filesize_mb } = await total(tenant);
      assert.deepEqual([delete_count, total_images], [2, 0]);
      near(total_filesize_mb, image.filesize_mb);
    },
  );

  check(
    'dailyStatistics',
    '§7.1 an image permanently deleted from the trash counts once',
    async (world) => {
      const tenant = await world.platform();
      const user = await tenant.user();
      const folder = await user.folder('a');
      await user.upload({ folder_id: folder.id });
      await user.trashFolder(folder);
      done(await user.delete(`/folders/${folder.id}`));
      const { delete_count, total_images, total_filesize_mb } = await total(tenant);
      assert.deepEqual([delete_count, total_images, total_filesize_mb], [1, 0, 0]);
    },
  );

  check(
    'dailyStatistics',
    '§7.3 deleting a user removes its bytes, not its history',
    async (world) => {
      const tenant = await world.platform();
      const user = await tenant.user();
      await user.upload({ upload_type: 'camera' });
      done(await user.delete(''));
      const { upload_camera, delete_count, total_images, total_filesize_mb } = await total(tenant);
      assert.deepEqual(
        [upload_camera, delete_count, total_images, total_filesize_mb],
        [1, 1, 0, 0],
      );
    },
  );

  check(
    'dailyStatistics',
    '§7.2 one entry for every day, including days without activity',
    async (world) => {
      const tenant = await world.platform();
      await (await tenant.user()).upload();
      const today = todayOf(tenant);
      const found = await days(tenant, shift(today, -3), shift(today, 1));
      assert.deepEqual(
        found.slice(0, 4).map(({ date }) => date),
        [-3, -2, -1, 0].map((by) => Number(shift(today, by))),
      );
      assert.deepEqual(found[0]?.stats, zeros);
      assert.equal(found.at(-1)?.stats.total_images, 1);
    },
  );

  check('dailyStatistics', 'IF 29 sort_order desc', async (world) => {
    const tenant = await world.platform();
    const found = await days(tenant, '20240228', '20240301', 'desc');
    assert.deepEqual(
      found.map(({ date }) => date),
      [20240301, 20240229, 20240228],
    );
  });

  check('dailyStatistics', '§7.2 days after today are omitted', async (world) => {
    const tenant = await world.platform();
    const today = todayOf(tenant);
    const found = await days(tenant, today, shift(today, 5));
    assert.ok([1, 2].includes(found.length) && found[0]?.date === Number(today));
    assert.deepEqual(await days(tenant, shift(today, 2), shift(today, 5)), []);
  });

  check('dailyStatistics', '§7.2 up to 3,660 days, from year 1 on', async (world) => {
    const tenant = await world.platform();
    assert.equal((await days(tenant, '20100101', '20200108')).length, 3660);
    assert.equal((await days(tenant, '00010101', '00010102')).length, 2);
  });

  check('totalStatistics', '§7.3 includes only the platform', async (world) => {
    const [mine, other] = [await world.platform(), await world.platform()];
    await (await other.user()).upload();
    assert.deepEqual(await total(mine), zeros);
  });

  const invalid: [what: string, start_date: string, end_date: string, field: string][] = [
    ['a nonexistent day', '20240230', '20240301', 'start_date'],
    ['an end before the start', '20240302', '20240301', 'end_date'],
    ['the year 0', '00000101', '20240101', 'start_date'],
    ['a month that does not exist', '20240101', '20241301', 'end_date'],
    ['a day in words', '20240101', '2024-01-02', 'end_date'],
    ['a time', '20240101', '20240102_000000', 'end_date'],
    ['3,661 days', '20100101', '20200109', 'end_date'],
  ];
  const refusals: [string, Record<string, string>, string, string][] = [
    ...invalid.map(([what, start_date, end_date, field]): (typeof refusals)[number] => [
      what,
      { start_date, end_date },
      'invalid_field',
      field,
    ]),
    ['start_date is required', { end_date: '20240101' }, 'missing_field', 'start_date'],
    ['end_date is required', { start_date: '20240101' }, 'missing_field', 'end_date'],
    ['an empty start', { start_date: '', end_date: '20240101' }, 'missing_field', 'start_date'],
    ['an empty end', { start_date: '20240101', end_date: '' }, 'missing_field', 'end_date'],
    [
      'another sort_order',
      { start_date: '20240101', end_date: '20240102', sort_order: 'up' },
      'invalid_field',
      'sort_order',
    ],
  ];
  for (const [what, query, code, field] of refusals) {
    check('dailyStatistics', `§7.2 ${what}: 400`, async (world) => {
      refused(await (await world.platform()).statistics('', query), 400, code, field);
    });
  }
});
