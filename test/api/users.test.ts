import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { UserInfo } from '../../src/library/users/schemas.js';
import { ownService } from '../../testkit/service.js';

const service = await ownService(
  { after },
  { 'limits.default_user_storage_mb': '12', 'limits.max_user_storage_mb': '20000' },
);
const { client } = service;

test('platform and user see the default quota of a new user', async () => {
  const platform = await service.platform();
  const user = await service.user(platform);
  const expected = {
    image_count: 0,
    max_storage_mb: 12,
    used_storage_mb: 0,
    trash_image_count: 0,
  };
  const own = await client.get<UserInfo>(`/api/v1/users/${user.id}/info`, {
    as: ['User', user.token],
  });
  assert.deepEqual(own.result, expected);
  const seen = await client.get<UserInfo>(
    `/api/v1/platforms/${platform.id}/users/${user.id}/info`,
    { as: ['Platform', platform.token] },
  );
  assert.deepEqual(seen.result, expected);
});

test('a quota may be at most the ceiling', async () => {
  const user = await service.user();
  const update = (max_storage_mb: string) =>
    client.put<UserInfo>(`/api/v1/users/${user.id}`, {
      as: ['User', user.token],
      form: { max_storage_mb },
    });
  assert.equal((await update('20000')).result.max_storage_mb, 20_000);
  const { status, error } = await update('20000.1');
  assert.deepEqual([status, error?.code, error?.field], [400, 'invalid_field', 'max_storage_mb']);
});
