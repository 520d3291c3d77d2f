import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, describe, test } from 'node:test';
import jwt from 'jsonwebtoken';
import { encode } from '../../src/auth/token-codec.js';
import type { TokenPair } from '../../src/auth/tokens.js';
import type { Answer, Client } from '../../testkit/client.js';
import { testService } from '../../testkit/service.js';
import type { TestUser } from '../../testkit/service.js';

const service = await testService({ after }, { 'tokens.user_ttl': '90s' });
const { client } = service;
const { tokens, keyring, platforms, users } = service.service.tenants;
const user = await service.user();

/** Whether a token is let in. */
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
const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

describe('the Authorization header', () => {
  const header = (authorization: string, path = `/api/v1/users/${user.id}`) =>
    client.get(path, { headers: { authorization } });

  test('is required', async () => {
    assertRefused(await client.get(`/api/v1/users/${user.id}`), 'unauthorized');
  });

  for (const word of ['User', 'user', 'USER', 'uSeR']) {
    test(`takes the scheme word as ${word}`, async () => {
      assert.equal((await header(`${word} ${user.token}`)).status, 200);
    });
  }

  for (const word of ['Admin', 'Platform', 'Bearer', 'Users']) {
    test(`refuses a user's token under ${word}`, async () => {
      assertRefused(await header(`${word} ${user.token}`), 'unauthorized');
    });
  }

  test('is refused without a token, without a word, or with more than both', async () => {
    for (const value of ['User', 'User ', user.token, `User ${user.token} more`]) {
      assertRefused(await header(value), 'unauthorized');
    }
  });

  test('does not let a token in under the scheme word of another scope', async () => {
    const admin = await service.adminToken();
    assertRefused(await header(`User ${admin}`), 'unauthorized');
    const platform = await service.platform();
    assertRefused(await header(`User ${platform.token}`), 'unauthorized');
    for (const token of [user.token, platform.token]) {
      assertRefused(await header(`Admin ${token}`, '/api/v1/platforms'), 'unauthorized', 'Admin');
    }
    const path = `/api/v1/platforms/${platform.id}`;
    for (const token of [user.token, admin]) {
      assertRefused(await header(`Platform ${token}`, path), 'unauthorized', 'Platform');
    }
  });
});

describe('a token', () => {
  test('says whose it is, which key signed it, and how long it lives', () => {
    const claims = payloadOf(user.token);
    assert.equal(claims.iss, 'imgstore');
    assert.equal(claims.sub, user.id);
    assert.equal(claims.platform_id, user.platformId);
    assert.deepEqual([claims.scope, claims.typ], ['user', 'access']);
    assert.match(String(claims.jti), /^[0-9a-f-]{36}$/);
    assert.equal(Number(claims.exp) - Number(claims.iat), 90);
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

  test('is no access token when it is a refresh token', async () => {
    assertRefused(await read((await freshPair(user)).refresh_token), 'unauthorized');
  });

  test('is refused without a signature (alg none)', async () => {
    const { kid } = (jwt.decode(user.token, { complete: true }) as jwt.Jwt).header;
    for (const alg of ['none', 'None', 'NONE']) {
      const unsigned = `${part({ alg, typ: 'JWT', kid })}.${part(payloadOf(user.token))}.`;
      assertRefused(await read(unsigned), 'unauthorized');
    }
  });

  test('is refused with another algorithm, also with the right key', async () => {
    const { id: keyid, secret } = await keyring.current();
    for (const algorithm of ['HS384', 'HS512'] as const) {
      const token = jwt.sign(payloadOf(user.token), secret, { algorithm, keyid });
      assertRefused(await read(token), 'unauthorized');
    }
    const right = jwt.sign(payloadOf(user.token), secret, { algorithm: 'HS256', keyid });
    assert.equal((await read(right)).status, 200);
  });

  test('is refused with another key, an unknown one, a strange one, or none named', async () => {
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

  test('is refused when its payload was changed', async () => {
    const [header, , signature] = user.token.split('.');
    const changed = { ...payloadOf(user.token), sub: (await service.user()).id };
    assertRefused(await read(`${header}.${part(changed)}.${signature}`), 'unauthorized');
  });

  test('is refused from another issuer', async () => {
    const { id: keyid, secret } = await keyring.current();
    const token = jwt.sign({ ...payloadOf(user.token), iss: 'other' }, secret, { keyid });
    assertRefused(await read(token), 'unauthorized');
  });

  test('is refused when it is no JWT at all', async () => {
    const header = part({ alg: 'HS256', typ: 'JWT', kid: (await keyring.current()).id });
    const notJson = Buffer.from('not json').toString('base64url');
    for (const token of ['x', 'a.b.c', '..', `${header}.${notJson}.AAAA`, `${header}..`]) {
      assertRefused(await read(token), 'unauthorized');
    }
  });
});

describe('a refresh token', () => {
  test('is traded once for a new pair that works', async () => {
    const first = await freshPair(user);
    const { status, result } = await refresh(first.refresh_token);
    assert.equal(status, 200);
    assert.equal(result.token_type, 'bearer');
    assert.notEqual(result.refresh_token, first.refresh_token);
    assert.equal((await read(result.access_token)).status, 200);
    assert.equal((await refresh(result.refresh_token)).status, 200);
  });

  test('revokes its whole family when it comes back, access tokens too', async () => {
    const first = await freshPair(user);
    const { result: second } = await refresh(first.refresh_token);
    assertRefused(await refresh(first.refresh_token), 'token_revoked', 'Refresh');
    assertRefused(await refresh(second.refresh_token), 'token_revoked', 'Refresh');
    assertRefused(await read(second.access_token), 'token_revoked');
    assertRefused(await read(first.access_token), 'token_revoked');
    assert.equal((await read(user.token)).status, 200, 'another family is left alone');
  });

  test('used twice at the same time gives at most one pair, and that one is revoked', async () => {
    const { refresh_token: token } = await freshPair(user);
    const answers = await Promise.all([1, 2, 3, 4].map(() => refresh(token)));
    const won = answers.filter(({ status }) => status === 200);
    assert.equal(won.length, 1);
    assertRefused(await read(won[0]?.result.access_token ?? ''), 'token_revoked');
  });

  test('is not an access token, nor the other way round', async () => {
    assertRefused(await refresh(user.token), 'unauthorized', 'Refresh');
    assertRefused(await refresh('rubbish'), 'unauthorized', 'Refresh');
  });

  test('is required by the operation', async () => {
    const { status, error } = await client.post('/api/v1/auth/refresh');
    assert.deepEqual([status, error?.code, error?.field], [400, 'missing_field', 'refresh_token']);
  });

  test('works for platforms and administrators as well', async () => {
    const { id } = await service.platform();
    const { result } = await refresh((await platforms.issueTokens(id)).refresh_token);
    const asPlatform = await client.get(`/api/v1/platforms/${id}`, {
      as: ['Platform', result.access_token],
    });
    assert.equal(asPlatform.status, 200);
    const { result: admin } = await refresh((await tokens.issue({})).refresh_token);
    const asAdmin = await client.get('/api/v1/platforms', { as: ['Admin', admin.access_token] });
    assert.equal(asAdmin.status, 200);
  });
});

describe('revoking', () => {
  test("a platform's tokens ends them and its users' at once, on every node", async () => {
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

describe('somebody else', () => {
  test("is 403, the same whether or not the id exists, on a user's path", async () => {
    const other = await service.user();
    const answers = await Promise.all(
      [other.id, '01890a5d-ac96-774b-bcce-b302099a8057', 'nobody'].map((id) =>
        client.get(`/api/v1/users/${id}`, { as: ['User', user.token] }),
      ),
    );
    for (const { status, error } of answers) {
      assert.deepEqual([status, error], [403, answers[0]?.error]);
      assert.equal(error?.code, 'forbidden');
    }
  });

  test("is 403, the same whether or not the id exists, on a platform's path", async () => {
    const [own, other] = [await service.platform(), await service.platform()];
    for (const id of [other.id, '01890a5d-ac96-774b-bcce-b302099a8057', 'nobody']) {
      for (const path of ['', '/info', '/images', '/users', `/users/${user.id}`]) {
        const { status, error } = await client.get(`/api/v1/platforms/${id}${path}`, {
          as: ['Platform', own.token],
        });
        assert.deepEqual([status, error?.code], [403, 'forbidden']);
      }
    }
  });

  test('is recognised in any case of the letters of an id', async () => {
    const path = `/api/v1/users/${user.id.toUpperCase()}`;
    assert.equal((await client.get(path, { as: ['User', user.token] })).status, 200);
  });
});
