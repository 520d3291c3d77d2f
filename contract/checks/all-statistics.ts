import assert from 'node:assert/strict';
import { done, refused } from '../../testkit/expect.js';
import type { Statistics } from '../../testkit/records.js';
import type { World } from '../../testkit/world.js';
import { area } from '../harness.js';
import { busy, days, same, shift, todayOf } from './busy-platform.js';
import type { Day } from './busy-platform.js';

interface All {
  readonly days: readonly Day[];
  readonly total: Statistics;
  readonly platforms: readonly {
    readonly platform_id: string;
    readonly platform: string;
    readonly stats: Statistics;
  }[];
}

const ofAll = async (world: World, query: Record<string, string>) =>
  world.client.request<All>('GET', '/api/v1/statistics', {
    as: ['Admin', world.adminToken],
    query,
  });

export const allStatistics = area('statistics of all platforms', (check) => {
  check('getAllStatistics', 'E4 the statistics of one platform equal its own', async (world) => {
    const tenant = await world.platform();
    const expected = await busy(tenant);
    const today = todayOf(tenant);
    const range = { start_date: shift(today, -1), end_date: shift(today, 1) };
    const found = done(await ofAll(world, { ...range, platform_id: tenant.id }));
    same(found.total, expected);
    assert.deepEqual(found.days, await days(tenant, range.start_date, range.end_date));
  });

  check(
    'getAllStatistics',
    'E4 the statistics of each platform in the range equal its own',
    async (world) => {
      const tenant = await world.platform();
      const expected = await busy(tenant);
      const today = todayOf(tenant);
      const query = { start_date: shift(today, -1), end_date: shift(today, 1) };
      const found = done(await ofAll(world, query));
      const mine = found.platforms.find(({ platform_id: id }) => id === tenant.id);
      assert.equal(mine?.platform, tenant.record.platform);
      same(mine?.stats, expected);
      assert.ok(found.total.total_upload >= expected.total_upload);
    },
  );

  check('getAllStatistics', 'E4 an unknown platform or day: 400', async (world) => {
    const query = { start_date: '20240101', end_date: '20240102' };
    refused(await ofAll(world, { ...query, platform_id: 'x' }), 400, 'platform_not_found');
    refused(await ofAll(world, { ...query, end_date: '2024' }), 400, 'invalid_field', 'end_date');
  });
});
