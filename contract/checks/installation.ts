import assert from 'node:assert/strict';
import { done, hasFields, near, refused } from '../../testkit/expect.js';
import { area } from '../harness.js';

interface Limits {
  readonly max_users: number | null;
  readonly user_count: number;
  readonly used_storage_mb: number;
  readonly image_count: number;
}

interface Account {
  readonly id: string;
  readonly platform_user_id: string;
  readonly image_count: number;
  readonly used_storage_mb: number;
}

interface Accounts {
  readonly total_count: number;
  readonly last_index: number;
  readonly items: readonly Account[];
}

/** Operations for the console (extensions). */
export const installation = area('installation', (check) => {
  check('getStatus', 'E1 returns parts, totals, days and jobs to administrators', async (world) => {
    const as = ['Admin', world.adminToken] as const;
    const status = done(await world.client.get<Record<string, unknown>>('/api/v1/status', { as }));
    hasFields(status, ['version', 'parts', 'totals', 'platforms', 'days', 'reclaim', 'jobs']);
    assert.equal((status.days as unknown[]).length, 30);
  });

  check(
    'platformLimits',
    'E2 the storage of users adds up, with both types of token',
    async (world) => {
      const user = await (await world.platform()).user();
      const image = await user.upload();
      const limits = done(await user.tenant.call<Limits>('GET', '/limits'));
      assert.deepEqual([limits.user_count, limits.image_count, limits.max_users], [1, 1, null]);
      near(limits.used_storage_mb, image.filesize_mb);
      const as = ['Admin', world.adminToken] as const;
      assert.deepEqual(done(await user.tenant.call<Limits>('GET', '/limits', { as })), limits);
    },
  );

  check('listAccounts', 'E2 pages of users, searched by part of their names', async (world) => {
    const tenant = await world.platform();
    const names = ['Kim 100%', 'kim_2', 'Lee'];
    for (const name of names) await tenant.user(name);
    const list = async (query: Record<string, string>) =>
      done(await tenant.call<Accounts>('GET', '/accounts', { query }));
    const namesOf = ({ items }: Accounts) => items.map((account) => account.platform_user_id);
    assert.deepEqual(namesOf(await list({})), names);
    assert.deepEqual(namesOf(await list({ search: 'KIM' })), names.slice(0, 2));
    assert.deepEqual(namesOf(await list({ search: '%' })), names.slice(0, 1));
    const first = await list({ page_size: '2' });
    assert.deepEqual([first.total_count, first.last_index], [3, 2]);
    const rest = await list({ page_size: '2', last_index: '2' });
    assert.deepEqual(namesOf(rest), names.slice(2));
    refused(
      await tenant.call('GET', '/accounts', { query: { page_size: '0' } }),
      400,
      'invalid_field',
    );
  });

  check('exchangeConsoleCode', 'E3 an unknown code is refused', async (world) => {
    const exchange = (form: Record<string, string>) =>
      world.client.post('/api/v1/auth/console', { form });
    refused(await exchange({}), 400, 'missing_field');
    refused(await exchange({ code: 'A'.repeat(43) }), 401, 'unauthorized');
  });
});
