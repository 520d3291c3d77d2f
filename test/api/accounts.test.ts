import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { toMegabytes } from '../../src/base/units.js';
import { rows } from '../../src/database/sql.js';
import type { Status } from '../../src/ops/installation/routes.js';
import type { AccountList } from '../../src/library/users/schemas.js';
import type { ListedPlatform } from '../../src/library/platforms/schemas.js';
import type { AuditPage } from '../../src/ops/audit/schemas.js';
import { done, refused } from '../../testkit/expect.js';
import { seedImages } from '../../testkit/image-rows.js';
import { filePart } from '../../testkit/pictures.js';
import { ownService } from '../../testkit/service.js';
import type { Tenant } from '../../testkit/world.js';

const service = await ownService({ after });
const { client, db } = service;

type Query = Record<string, string | number>;

const accounts = async (platform: Tenant, query: Query = {}): Promise<AccountList> =>
  done(
    await client.get<AccountList>(`/api/v1/platforms/${platform.id}/accounts`, {
      as: ['Platform', platform.token],
      query,
    }),
  );

/** User 2 stores most, user 10 has the newest image, user 1 none and is suspended; all others nothing. */
async function firm() {
  const platform = await service.platform();
  const made = [];
  for (const name of ['user 2', 'user 10', 'user 1']) {
    made.push((await service.service.tenants.users.create(platform.id, name)).user_id);
  }
  const [second = '', tenth = '', first = ''] = made;
  const of = (id: string) => ({ id, platformId: platform.id });
  await seedImages(service, of(second), [
    { created_at: '2025-01-02T03:00:00Z', bytes: 9_000_000 },
    { created_at: '2025-01-01T03:00:00Z', bytes: 9_000_000 },
  ]);
  await seedImages(service, of(tenth), [{ created_at: '2025-03-01T03:00:00Z', bytes: 1_000 }]);
  await rows(db, 'UPDATE users SET max_storage_bytes = 18000000 WHERE id = $1', [second]);
  await service.service.tenants.users.suspend(first, true, platform.id);
  return { platform, second, tenth, first };
}

test('users are sorted in every way, in pages that neither skip nor repeat, and narrowed by state', async () => {
  const { platform, second, tenth, first } = await firm();
  const orders = {
    created_at: [second, tenth, first],
    name: [first, second, tenth],
    images: [first, tenth, second],
    storage: [first, tenth, second],
    last_upload: [first, second, tenth],
  };
  for (const [sort_by, expected] of Object.entries(orders)) {
    for (const [sort_order, wanted] of [
      ['asc', expected],
      ['desc', expected.toReversed()],
    ] as const) {
      const found: string[] = [];
      for (let cursor: string | null | undefined; cursor !== null;) {
        const query = { sort_by, sort_order, page_size: 1, ...(cursor && { cursor }) };
        const page = await accounts(platform, query);
        assert.equal(page.total_count, 3);
        found.push(...page.items.map(({ id }) => id));
        cursor = page.next_cursor;
      }
      assert.deepEqual(found, wanted, `${sort_by} ${sort_order}`);
    }
  }
  const idsOf = async (query: Query): Promise<string[]> =>
    (await accounts(platform, query)).items.map(({ id }) => id);
  assert.deepEqual(await idsOf({ state: 'suspended' }), [first]);
  assert.deepEqual(await idsOf({ state: 'active' }), [second, tenth]);
  assert.deepEqual(await idsOf({ state: 'full' }), [second]);
  assert.deepEqual(await idsOf({ user_id: tenth }), [tenth]);
  assert.deepEqual(await idsOf({ user_id: 'nobody' }), []);
  const other = await service.platform();
  assert.deepEqual((await accounts(other, { user_id: tenth })).items, []);
  const [account] = (await accounts(platform, { user_id: second })).items;
  assert.equal(account?.last_upload_at, '20250102_120000');
  const [none] = (await accounts(platform, { user_id: first })).items;
  assert.equal(none?.last_upload_at, null);
});

test('administrators see what platforms store, and who is over the quota', async () => {
  const { platform, second } = await firm();
  const as = ['Admin', await service.adminToken()] as const;
  const all = done(await client.get<ListedPlatform[]>('/api/v1/platforms', { as }));
  const listed = all.find(({ id }) => id === platform.id);
  assert.equal(listed?.image_count, 3);
  assert.equal(listed.used_storage_mb, toMegabytes(18_001_000));
  assert.match(listed.last_upload_at ?? '', /^\d{8}_\d{6}$/);
  const status = done(await client.get<Status>('/api/v1/status', { as }));
  assert.ok(status.over_quota.count >= 1);
  const user = status.over_quota.users.find(({ user_id }) => user_id === second);
  assert.deepEqual(user, {
    platform_id: platform.id,
    platform: listed.platform,
    user_id: second,
    platform_user_id: 'user 2',
    used_storage_mb: toMegabytes(18_000_000),
    max_storage_mb: toMegabytes(18_000_000),
  });
});

test('the audit says why uploads were refused, a few in a minute', async () => {
  const user = await service.user();
  const bad = { image_data: filePart(Buffer.from('no picture')) };
  for (let n = 0; n < 8; n += 1) {
    refused(await user.post('/images', bad), 400, 'unsupported_image');
  }
  const full = await service.user(user.tenant);
  await rows(db, 'UPDATE users SET max_storage_bytes = 1 WHERE id = $1', [full.id]);
  await rows(db, 'UPDATE users SET stored_bytes = 1 WHERE id = $1', [full.id]);
  refused(await full.post('/images', bad), 400, 'storage_quota_exceeded');
  const refusals = async (id: string): Promise<AuditPage['entries']> => {
    const { entries } = done(
      await client.get<AuditPage>(`/api/v1/platforms/${user.platformId}/audit`, {
        as: ['Platform', user.tenant.token],
        query: { user_id: id, act: 'upload.refuse' },
      }),
    );
    return entries;
  };
  const noted = await refusals(user.id);
  assert.equal(noted.length, 6);
  const [newest] = noted;
  assert.deepEqual([newest?.actor, newest?.details], ['user', { code: 'unsupported_image' }]);
  const [quota] = await refusals(full.id);
  assert.deepEqual(quota?.details, { code: 'storage_quota_exceeded' });
});
