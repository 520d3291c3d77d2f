import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { testService } from '../../testkit/service.js';

const service = await testService({ after });
const { client, service: running } = service;
const { tokens, users } = running.tenants;
const second = await service.secondNode();

const read = async (id: string, token: string, node = second) => {
  const { status, error } = await node.get(`/api/v1/users/${id}`, { as: ['User', token] });
  return error?.code ?? status;
};

const refresh = async (token: string, node = second) => {
  const { status, error, result } = await node.post<{ access_token: string }>(
    '/api/v1/auth/refresh',
    { json: { refresh_token: token } },
  );
  return { outcome: error?.code ?? status, access: result?.access_token };
};

describe('a revocation on one node takes effect on the other', () => {
  test('tokens of a platform and its users, revoked from the terminal', async () => {
    const platform = await service.platform();
    const user = await service.user(platform);
    const list = async () => {
      const as = ['Platform', platform.token] as const;
      return (await second.get(`/api/v1/platforms/${platform.id}/users`, { as })).status;
    };
    // Requested before, so that a stale cache of either token would be noticed.
    assert.deepEqual([await read(user.id, user.token), await list()], [200, 200]);
    await tokens.revokePlatform(platform.id);
    assert.deepEqual([await read(user.id, user.token), await list()], ['token_revoked', 401]);
  });

  test('tokens of a deleted user', async () => {
    const user = await service.user();
    assert.equal(await read(user.id, user.token), 200);
    const as = ['User', user.token] as const;
    const { status } = await client.delete(`/api/v1/users/${user.id}`, { as });
    assert.equal(status, 200);
    assert.equal(await read(user.id, user.token), 'token_revoked');
  });

  test('a family whose refresh token is used twice, once on each node', async () => {
    const user = await service.user();
    const pair = await users.issueTokens(user.id);
    const fresh = await refresh(pair.refresh_token, client);
    assert.equal(await read(user.id, fresh.access ?? ''), 200);
    assert.equal((await refresh(pair.refresh_token)).outcome, 'token_revoked');
    assert.equal(await read(user.id, fresh.access ?? '', client), 'token_revoked');
    assert.equal(await read(user.id, fresh.access ?? ''), 'token_revoked');
  });
});
