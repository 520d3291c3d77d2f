import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import type { TokenPair } from '../../src/http/auth/tokens.js';
import { done } from '../../testkit/expect.js';
import { EventReader } from '../../testkit/event-reader.js';
import { ownService } from '../../testkit/service.js';

const service = await ownService({ after });
const { client, service: running } = service;
const { tokens, users } = running.tenants;
const second = await service.secondNode();

const read = async (id: string, token: string, node = second) => {
  const { status, error } = await node.get(`/api/v1/users/${id}`, { as: ['User', token] });
  return error?.code ?? status;
};

const refresh = async (token: string, node = second) => {
  const { status, error, result } = await node.post<TokenPair>('/api/v1/auth/refresh', {
    json: { refresh_token: token },
  });
  const outcome = error?.code ?? status;
  return { outcome, access: result?.access_token, refresh: result?.refresh_token };
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

  test('a family whose refresh token is used again after its successor, on the other node', async () => {
    const user = await service.user();
    const pair = await users.issueTokens(user.id);
    const first = await refresh(pair.refresh_token, client);
    const fresh = await refresh(first.refresh ?? '', client);
    assert.equal(await read(user.id, fresh.access ?? ''), 200);
    assert.equal((await refresh(pair.refresh_token)).outcome, 'token_revoked');
    assert.equal(await read(user.id, fresh.access ?? '', client), 'token_revoked');
    assert.equal(await read(user.id, fresh.access ?? ''), 'token_revoked');
  });

  test('what has been waiting for changes with the token, and nothing else', async () => {
    const [platform, untouched] = [await service.platform(), await service.platform()];
    const [user, other] = [await service.user(platform), await service.user(untouched)];
    const events = (owner: string, as: string, after = '1') =>
      EventReader.open(`${second.base}/api/v1/${owner}/changes?after=${after}`, {
        Authorization: as,
        Accept: 'text/event-stream',
      });
    const gone = [
      await events(`users/${user.id}`, `User ${user.token}`),
      await events(`users/${user.id}`, `Platform ${platform.token}`),
      await events(`platforms/${platform.id}`, `Platform ${platform.token}`, ''),
    ];
    const staying = await events(`users/${other.id}`, `User ${other.token}`);
    await tokens.revokePlatform(platform.id);
    for (const stream of gone) assert.ok(await stream.ended());
    const { id } = done(
      await client.post<{ id: string }>(`/api/v1/users/${other.id}/folders`, {
        as: ['User', other.token],
        json: { title: 'still read' },
      }),
    );
    assert.match((await staying.next()).data, new RegExp(id));
    await running.tenants.keyring.rotate({ revokeOld: true });
    assert.ok(await staying.ended());
  });
});
