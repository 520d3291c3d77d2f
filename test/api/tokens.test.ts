import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, describe, test } from 'node:test';
import jwt from 'jsonwebtoken';
import { encode } from '../../src/auth/token-codec.js';
import type { TokenPair } from '../../src/auth/tokens.js';
import type { Answer, Client } from '../../testkit/client.js';
import { testService } from '../../testkit/service.js';
import type { TestUser } from '../../testkit/service.js';

const service = await testService({ after }, { 'tokens.user_ttl': '90m' });
const { client } = service;
const { tokens, keyring, platforms, users } = service.service.tenants;
const user = await service.user();

/** Whether a token is accepted. */
const read = (
  token: string,
  who: TestUser = user,
  node: Client = client,
): Promise<Answer<unknown>> => node.get(`/api/v1/users/${who.id}`, { as: ['User', token] });

const refresh = (token: string, node: Client = client): Promise<Answer<TokenPair>> =>
  node.post<TokenPair>('/api/v1/auth/refresh', { urlencoded: { refresh_token: token } });

const freshPair = (who: TestUser): Promise<TokenPair> => users.issueTokens(who.id);

function assertRefused(answer: Answer<unknown>, code: string, scheme = 'User'): void {
  assert.deepEqual([answer.status, answer.error?.code], [401, code]);
  assert.equal(
    answer.headers.get('www-authenticate'),
    `${scheme} realm="imgstore", error="${code}"`,
  );
}

type Payload = Record<string, unknown>;
const payloadOf = (token: string): Payload => jwt.decode(token) as Payload;

describe('a token', () => {
  test('has its owner, its signing key, and its lifetime as claims', () => {
    const claims = payloadOf(user.token);
    assert.equal(claims.iss, 'imgstore');
    assert.equal(claims.sub, user.id);
    assert.equal(claims.platform_id, user.platformId);
    assert.deepEqual([claims.scope, claims.typ], ['user', 'access']);
    assert.match(String(claims.jti), /^[0-9a-f-]{36}$/);
    assert.equal(Number(claims.exp) - Number(claims.iat), 90 * 60);
    const { header } = jwt.decode(user.token, { complete: true }) as jwt.Jwt;
    assert.deepEqual([header.alg, typeof header.kid], ['HS256', 'string']);
  });

  test('is refused when it has expired', async () => {
    const key = await keyring.current();
    const holder = { platformId: user.platformId, userId: user.id };
    const grant = { holder, type: 'access', generation: 1 } as const;
    assert.equal((await read(encode(key, { ...grant, lifetime: 60 }).token)).status, 200);
    assertRefused(await read(encode(key, { ...grant, lifetime: -1 }).token), 'token_expired');
  });

  test('is refused with another algorithm, even with the right key', async () => {
    const { id: keyid, secret } = await keyring.current();
    for (const algorithm of ['HS384', 'HS512'] as const) {
      const token = jwt.sign(payloadOf(user.token), secret, { algorithm, keyid });
      assertRefused(await read(token), 'unauthorized');
    }
    const right = jwt.sign(payloadOf(user.token), secret, { algorithm: 'HS256', keyid });
    assert.equal((await read(right)).status, 200);
  });

  test('is refused with another key, and with an unknown, malformed, or missing key id', async () => {
    const { id, secret } = await keyring.current();
    const claims = payloadOf(user.token);
    const wrong = [
      jwt.sign(claims, randomBytes(32), { keyid: id }),
      jwt.sign(claims, secret, { keyid: '01890a5d-ac96-774b-bcce-b302099a8057' }),
      jwt.sign(claims, secret, { keyid: '../../etc/passwd' }),
      jwt.sign(claims, secret, { keyid: 'a\0b' }),
      jwt.sign(claims, secret),
    ];
    for (const token of wrong) assertRefused(await read(token), 'unauthorized');
  });

  test('is refused from another issuer', async () => {
    const { id: keyid, secret } = await keyring.current();
    const token = jwt.sign({ ...payloadOf(user.token), iss: 'other' }, secret, { keyid });
    assertRefused(await read(token), 'unauthorized');
  });
});

test('a refresh token of an administrator can be exchanged, too', async () => {
  const { result } = await refresh((await tokens.issue({})).refresh_token);
  const as = ['Admin', result.access_token] as const;
  assert.equal((await client.get('/api/v1/platforms', { as })).status, 200);
});

describe('revoking', () => {
  test('the tokens of a platform revokes them and those of its users at once, on every node', async () => {
    const second = await service.secondNode();
    const platform = await service.platform();
    const member = await service.user(platform);
    const pair = await freshPair(member);
    const path = `/api/v1/platforms/${platform.id}`;
    assert.equal((await read(member.token, member, second)).status, 200);
    assert.equal((await second.get(path, { as: ['Platform', platform.token] })).status, 200);

    await platforms.revokeTokens(platform.id);

    for (const node of [client, second]) {
      assertRefused(await read(member.token, member, node), 'token_revoked');
      assertRefused(await refresh(pair.refresh_token, node), 'token_revoked', 'Refresh');
      const answer = await node.get(path, { as: ['Platform', platform.token] });
      assertRefused(answer, 'token_revoked', 'Platform');
    }
    const { access_token: anew } = await platforms.issueTokens(platform.id);
    assert.equal((await second.get(path, { as: ['Platform', anew] })).status, 200);
    assert.equal((await read(user.token, user, second)).status, 200, 'others are left alone');
  });

  test('applies to every later request, even if many share one query', async () => {
    const second = await service.secondNode();
    const platform = await service.platform();
    const member = await service.user(platform);
    const readers = [client, second].flatMap((node) => Array.from({ length: 20 }, () => node));
    const burst = () => Promise.all(readers.map((node) => read(member.token, member, node)));
    for (const { status } of await burst()) assert.equal(status, 200);
    let over = false;
    const crowd = readers.map(async (node) => {
      while (!over) await read(member.token, member, node);
    });
    await platforms.revokeTokens(platform.id);
    for (const answer of await burst()) assertRefused(answer, 'token_revoked');
    over = true;
    await Promise.all(crowd);
  });

  test("a deleted user's tokens are refused at once, on every node", async () => {
    const second = await service.secondNode();
    const platform = await service.platform();
    const gone = await service.user(platform);
    const pair = await freshPair(gone);
    assert.equal((await read(gone.token, gone, second)).status, 200);
    const { status } = await client.delete(`/api/v1/users/${gone.id}`, {
      as: ['User', gone.token],
    });
    assert.equal(status, 200);
    for (const node of [client, second]) {
      assertRefused(await read(gone.token, gone, node), 'token_revoked');
      assertRefused(await read(pair.access_token, gone, node), 'token_revoked');
      assertRefused(await refresh(pair.refresh_token, node), 'token_revoked', 'Refresh');
    }
  });
});
