import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { signedToken } from '../../testkit/signed-token.js';
import { ownService, testService } from '../../testkit/service.js';

const limited = await ownService(
  { after },
  { 'rate_limit.per_token': '5', 'rate_limit.failed_auth': '4', trust_proxy: '1' },
);
const { client } = limited;

const read = (id: string, token: string, ip = '192.0.2.1') =>
  client.get(`/api/v1/users/${id}`, {
    as: ['User', token],
    headers: { 'x-forwarded-for': ip },
  });

test('a token over its limit gets 429 with Retry-After; other tokens are not affected', async () => {
  const [user, other] = [await limited.user(), await limited.user()];
  for (let i = 0; i < 5; i += 1) assert.equal((await read(user.id, user.token)).status, 200);
  const { status, error, headers } = await read(user.id, user.token);
  assert.deepEqual([status, error?.code], [429, 'rate_limited']);
  const wait = Number(headers.get('retry-after'));
  assert.ok(Number.isInteger(wait) && wait >= 1 && wait <= 12, String(wait));
  assert.equal((await read(other.id, other.token)).status, 200);
});

test('forbidden requests count, too', async () => {
  const [user, other] = [await limited.user(), await limited.user()];
  for (let i = 0; i < 5; i += 1) assert.equal((await read(other.id, user.token)).status, 403);
  assert.equal((await read(user.id, user.token)).status, 429);
});

test('an IP with too many failed authentications gets 429; valid tokens still work', async () => {
  const user = await limited.user();
  for (let i = 0; i < 4; i += 1) {
    assert.equal((await read(user.id, 'rubbish', '192.0.2.2')).status, 401);
  }
  const { status, error, headers } = await read(user.id, 'rubbish', '192.0.2.2');
  assert.deepEqual([status, error?.code], [429, 'rate_limited']);
  assert.match(headers.get('retry-after') ?? '', /^\d+$/);
  assert.equal((await read(user.id, 'rubbish', '192.0.2.3')).status, 401, 'another IP');
  assert.equal((await read(user.id, user.token, '192.0.2.2')).status, 200, 'a good token');
});

test('an IP with too many failed authentications still learns that a token has expired', async () => {
  const user = await limited.user();
  const { keyring } = limited.service.tenants;
  const holder = { platformId: user.platformId, userId: user.id };
  const token = await signedToken(keyring, holder, -1);
  for (let i = 0; i < 6; i += 1) await read(user.id, 'rubbish', '192.0.2.9');
  const { status, error } = await read(user.id, token, '192.0.2.9');
  assert.deepEqual([status, error?.code], [401, 'token_expired']);
});

test('whoever bears a link to tiles has a limit of their own', async () => {
  const user = await limited.user();
  const as = ['User', user.token] as const;
  const answer = await client.raw('GET', `/api/v1/users/${user.id}/map/tilejson`, { as });
  const { tiles } = (await answer.json()) as { tiles: string[] };
  const url = (tiles[0] ?? '').replace('{z}', '0').replace('{x}', '0').replace('{y}', '0');
  const from = async (ip: string): Promise<number> =>
    (await fetch(url, { headers: { 'x-forwarded-for': ip } })).status;
  let status = 0;
  for (let i = 0; i < 20 && status !== 429; i += 1) status = await from('192.0.2.20');
  assert.equal(status, 429);
  assert.notEqual(await from('192.0.2.21'), 429);
});

test('invalid refresh tokens count as failed authentication', async () => {
  const statuses: number[] = [];
  for (let i = 0; i < 5; i += 1) {
    const { status } = await client.post('/api/v1/auth/refresh', {
      json: { refresh_token: 'rubbish' },
      headers: { 'x-forwarded-for': '2001:db8::' + String(i + 1) },
    });
    statuses.push(status);
  }
  assert.deepEqual(statuses, [401, 401, 401, 401, 429], 'one network of IPv6 is one client');
});

test('there is no limit by default', async () => {
  const free = await testService();
  const user = await free.user();
  const call = { as: ['User', user.token] as const };
  const statuses = new Set<number>();
  for (let i = 0; i < 150; i += 1) {
    statuses.add((await free.client.get(`/api/v1/users/${user.id}`, call)).status);
    statuses.add((await free.client.get(`/api/v1/users/${user.id}`)).status);
  }
  assert.deepEqual([...statuses].sort(), [200, 401]);
});
