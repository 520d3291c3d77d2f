import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { feedReaders } from '../../src/base/telemetry/metrics.js';
import { EventReader } from '../../testkit/event-reader.js';
import { eventually } from '../../testkit/eventually.js';
import { testService } from '../../testkit/service.js';
import type { Member, Tenant } from '../../testkit/world.js';

const service = await testService();
const { tokens, users, platforms } = service.service.tenants;
const nodes = [service.client, await service.secondNode(), await service.secondNode()];

/** The answer of each node to the next request of the platform and of the user. */
async function statusesFor(platform: Tenant, user: Member): Promise<(string | number)[]> {
  const asked = nodes.flatMap((node) => [
    node.get(`/api/v1/platforms/${platform.id}/users`, { as: ['Platform', platform.token] }),
    node.get(`/api/v1/users/${user.id}`, { as: ['User', user.token] }),
  ]);
  return (await Promise.all(asked)).map(({ status, error }) => error?.code ?? status);
}

const three = (...each: (string | number)[]) => [...each, ...each, ...each];

describe('suspension on three nodes', () => {
  test('of a platform refuses it and its users from the next request until it is resumed', async () => {
    const platform = await service.platform();
    const user = await service.user(platform);
    const other = await service.user();
    // Requested before, so that a stale cache of either token would be noticed.
    assert.deepEqual(await statusesFor(platform, user), three(200, 200));
    await platforms.suspend(platform.id, true);
    assert.deepEqual(
      await statusesFor(platform, user),
      three('platform_suspended', 'platform_suspended'),
    );
    const { status } = await nodes[1]!.get(`/api/v1/users/${other.id}`, {
      as: ['User', other.token],
    });
    assert.equal(status, 200, 'nobody else is concerned');
    await platforms.suspend(platform.id, false);
    assert.deepEqual(await statusesFor(platform, user), three(200, 200));
  });

  test('of a user refuses only this user', async () => {
    const platform = await service.platform();
    const [user, other] = [await service.user(platform), await service.user(platform)];
    await users.suspend(user.id, true);
    assert.deepEqual(await statusesFor(platform, user), three(200, 'user_suspended'));
    assert.deepEqual(await statusesFor(platform, other), three(200, 200));
    await users.suspend(user.id, false);
    assert.deepEqual(await statusesFor(platform, user), three(200, 200));
  });

  test('refuses refresh tokens without using them up', async () => {
    const user = await service.user();
    const pair = await users.issueTokens(user.id);
    const refresh = async (n: number) =>
      nodes[n]!.post<{ access_token: string }>('/api/v1/auth/refresh', {
        json: { refresh_token: pair.refresh_token },
      });
    await users.suspend(user.id, true);
    const refused = await refresh(1);
    assert.deepEqual([refused.status, refused.error?.code], [403, 'user_suspended']);
    assert.equal((await tokens.inspect(pair.refresh_token)).state, 'user_suspended');
    await users.suspend(user.id, false);
    assert.equal((await tokens.inspect(pair.refresh_token)).state, 'valid');
    assert.equal((await refresh(2)).status, 200);
    assert.equal((await tokens.inspect(pair.refresh_token)).state, 'token_spent');
  });

  test('ends requests that wait for changes', async () => {
    const platform = await service.platform();
    const [user, other] = [await service.user(platform), await service.user(platform)];
    const wait = (node: number, { id, token }: Member) =>
      nodes[node]!.get<{ changes: unknown[] }>(`/api/v1/users/${id}/changes?after=1&wait=25`, {
        as: ['User', token],
      });
    const before = feedReaders.of().value;
    const feed = new URL(`/api/v1/platforms/${platform.id}/changes`, nodes[2]!.base);
    const events = await EventReader.open(feed.href, {
      Authorization: `Platform ${platform.token}`,
      Accept: 'text/event-stream',
    });
    const waiting = wait(0, user);
    let others = 0;
    const waitingOther = wait(1, other).finally(() => (others += 1));
    await eventually('all three wait', () => feedReaders.of().value === before + 3);
    await users.suspend(user.id, true);
    assert.deepEqual((await waiting).result?.changes, [], 'long before its time');
    assert.equal(others, 0, 'another user goes on waiting');
    await platforms.suspend(platform.id, true);
    await waitingOther;
    assert.ok(await events.ended(), 'so does a stream of events');
  });
});
