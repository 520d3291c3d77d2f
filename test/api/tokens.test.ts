import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, describe, test } from 'node:test';
import jwt from 'jsonwebtoken';
import { Tokens, type TokenPair } from '../../src/http/auth/tokens.js';
import { row, rows } from '../../src/database/sql.js';
import type { Answer, Client } from '../../testkit/client.js';
import { done } from '../../testkit/expect.js';
import { signedToken } from '../../testkit/signed-token.js';
import { ownService } from '../../testkit/service.js';
import type { Member } from '../../testkit/world.js';

const service = await ownService({ after }, { 'tokens.user_ttl': '90m' });
const { client } = service;
const { tokens, keyring, platforms, users } = service.service.tenants;
const user = await service.user();

/** Whether a token is accepted. */
const read = (token: string, who: Member = user, node: Client = client): Promise<Answer<unknown>> =>
  node.get(`/api/v1/users/${who.id}`, { as: ['User', token] });

const refresh = (token: string, node: Client = client, key?: string): Promise<Answer<TokenPair>> =>
  node.post<TokenPair>('/api/v1/auth/refresh', {
    urlencoded: { refresh_token: token },
    ...(key !== undefined && { headers: { 'Idempotency-Key': key } }),
  });

const freshPair = (who: Member): Promise<TokenPair> => users.issueTokens(who.id);

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

  test('of an administrator names no platform and no user', async () => {
    const { sub, scope, platform_id } = payloadOf(await service.adminToken());
    assert.deepEqual([sub, scope, platform_id], ['admin', 'admin', undefined]);
  });

  test('is not issued unless it could be recorded', async () => {
    await rows(
      service.db,
      `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
         $$ BEGIN RAISE EXCEPTION 'no tokens today' USING ERRCODE = '58030'; END $$`,
    );
    await rows(
      service.db,
      'CREATE TRIGGER refuse BEFORE INSERT ON refresh_tokens FOR EACH ROW EXECUTE FUNCTION refuse()',
    );
    try {
      await assert.rejects(freshPair(user), /no tokens today/);
    } finally {
      await rows(service.db, 'DROP FUNCTION refuse() CASCADE');
    }
  });

  test('is refused when it has expired', async () => {
    const holder = { platformId: user.platformId, userId: user.id };
    assert.equal((await read(await signedToken(keyring, holder, 60))).status, 200);
    assertRefused(await read(await signedToken(keyring, holder, -1)), 'token_expired');
  });

  test('cannot be refreshed with a token that has expired', async () => {
    const { id: keyid, secret } = await keyring.current();
    const claims = jwt.decode((await freshPair(user)).refresh_token) as jwt.JwtPayload;
    const now = Math.floor(Date.now() / 1000);
    const until = (exp: number): string => jwt.sign({ ...claims, exp }, secret, { keyid });
    const { status, error } = await refresh(until(now - 1));
    assert.deepEqual([status, error?.code], [401, 'token_expired']);
    assert.equal((await refresh(until(now + 60))).status, 200);
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

describe('a spent refresh token', () => {
  const other = service.secondNode();
  const keyed = (token: string, key: string): Promise<Answer<TokenPair>> =>
    refresh(token, client, key);

  /** Uses a refresh token, as if this long ago. */
  async function spendOne(
    key?: string,
    secondsAgo = 0,
  ): Promise<{ spent: string; successor: TokenPair }> {
    const { refresh_token: spent } = await freshPair(user);
    const successor = done(await refresh(spent, client, key));
    await rows(
      service.db,
      'UPDATE refresh_tokens SET spent_at = spent_at - make_interval(secs => $2) WHERE id = $1',
      [payloadOf(spent).jti, secondsAgo],
    );
    return { spent, successor };
  }

  async function assertSame(answer: Answer<TokenPair>, successor: TokenPair): Promise<void> {
    const again = done(answer);
    assert.equal(again.refresh_token, successor.refresh_token);
    assert.notEqual(again.access_token, successor.access_token, 'a fresh one');
    assert.equal((await read(again.access_token)).status, 200);
    assert.equal((await read(successor.access_token)).status, 200);
  }

  async function assertEnded(answer: Answer<TokenPair>, successor: TokenPair): Promise<void> {
    assertRefused(answer, 'token_revoked', 'Refresh');
    assertRefused(await read(successor.access_token), 'token_revoked');
    assertRefused(await refresh(successor.refresh_token), 'token_revoked', 'Refresh');
  }

  for (const key of [undefined, 'a-key']) {
    const how = key === undefined ? 'without a key' : 'with one key';
    test(`has one successor, from however many requests at once, ${how}`, async () => {
      const second = await other;
      const { refresh_token: token } = await freshPair(user);
      const pairs = (
        await Promise.all(
          Array.from({ length: 20 }, (_, n) => refresh(token, n % 2 ? second : client, key)),
        )
      ).map((answer) => done(answer));
      assert.equal(new Set(pairs.map((pair) => pair.refresh_token)).size, 1);
      for (const pair of pairs) assert.equal((await read(pair.access_token)).status, 200);
      const kept = await row<{ tokens: number }>(
        service.db,
        `SELECT count(*)::int AS tokens FROM refresh_tokens WHERE family_id = $1`,
        [payloadOf(token).fam],
      );
      assert.equal(kept?.tokens, 2);
      done(await refresh(pairs[0]?.refresh_token ?? '', second));
    });
  }

  test('is answered again within the grace, whether the first request had a key or not', async () => {
    for (const key of [undefined, 'a-key']) {
      const { spent, successor } = await spendOne(key, 50);
      await assertSame(await refresh(spent), successor);
      await assertSame(await refresh(spent, await other), successor);
    }
  });

  test('revokes its family after the grace', async () => {
    for (const key of [undefined, 'a-key']) {
      const { spent, successor } = await spendOne(key, 61);
      await assertEnded(await refresh(spent), successor);
    }
  });

  test('is answered again with its key for as long as keys are kept', async () => {
    const almost = await spendOne('a-key', 71.9 * 3600);
    await assertSame(await keyed(almost.spent, 'a-key'), almost.successor);
    const over = await spendOne('a-key', 72.1 * 3600);
    await assertEnded(await keyed(over.spent, 'a-key'), over.successor);
  });

  test('revokes its family with a key that the first request did not have', async () => {
    for (const key of [undefined, 'a-key']) {
      const { spent, successor } = await spendOne(key);
      await assertEnded(await keyed(spent, 'another-key'), successor);
    }
  });

  test('revokes its family once the successor has been used, with its key, too', async () => {
    for (const key of [undefined, 'a-key']) {
      const { spent, successor } = await spendOne(key);
      const next = done(await refresh(successor.refresh_token));
      await assertEnded(await refresh(spent, client, key), next);
      assertRefused(await read(successor.access_token), 'token_revoked');
    }
  });

  test('stays refused once its family is revoked, whatever the request', async () => {
    const { spent, successor } = await spendOne('a-key');
    await assertEnded(await keyed(spent, 'another-key'), successor);
    await assertEnded(await keyed(spent, 'a-key'), successor);
    await assertEnded(await refresh(spent), successor);
  });

  test('without a grace is answered again with its key alone', async () => {
    const strict = new Tokens(service.db, keyring, {
      'tokens.admin_ttl': 60,
      'tokens.platform_ttl': 60,
      'tokens.user_ttl': 60,
      'tokens.refresh_ttl': 60,
      'tokens.refresh_grace': 0,
      'idempotency.retention_hours': 1,
    });
    const { refresh_token: token } = await freshPair(user);
    const first = await strict.refresh(token, 'a-key');
    assert.equal((await strict.refresh(token, 'a-key')).refresh_token, first.refresh_token);
    await assert.rejects(strict.refresh(token), { code: 'token_revoked' });
    await assert.rejects(strict.refresh(token, 'a-key'), { code: 'token_revoked' });
    const { refresh_token: another } = await freshPair(user);
    const outcomes = await Promise.allSettled([1, 2, 3].map(() => strict.refresh(another)));
    assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 1);
  });

  test('has a successor signed as it was, and a fresh access token signed with the newest key', async () => {
    const { spent, successor } = await spendOne();
    await keyring.rotate();
    const again = done(await refresh(spent, await other));
    assert.equal(again.refresh_token, successor.refresh_token);
    const keyOf = (token: string) => jwt.decode(token, { complete: true })?.header.kid;
    assert.equal(keyOf(again.access_token), (await keyring.current()).id);
    assert.notEqual(keyOf(again.refresh_token), (await keyring.current()).id);
  });

  test('keeps the row of its successor as long as the fresh access token lives', async () => {
    const { spent, successor } = await spendOne('a-key');
    const { jti } = payloadOf(successor.refresh_token);
    await rows(
      service.db,
      `UPDATE refresh_tokens SET expires_at = now() + interval '1 minute' WHERE id = $1`,
      [jti],
    );
    const { access_token: fresh } = done(await keyed(spent, 'a-key'));
    const kept = await row<{ until: number }>(
      service.db,
      `SELECT extract(epoch FROM expires_at)::float8 AS until FROM refresh_tokens WHERE id = $1`,
      [jti],
    );
    assert.ok((kept?.until ?? 0) >= Number(payloadOf(fresh).exp), 'a thief could not be stopped');
  });

  test('is refused without effect while its user is suspended', async () => {
    const { spent, successor } = await spendOne();
    await users.suspend(user.id, true);
    const answer = await refresh(spent);
    await users.suspend(user.id, false);
    assert.deepEqual([answer.status, answer.error?.code], [403, 'user_suspended']);
    await assertSame(await refresh(spent), successor);
  });

  test('and its successor may be used at once: nobody waits for the other, and a theft is remembered', async () => {
    const second = await other;
    for (let n = 0; n < 5; n += 1) {
      const { spent, successor } = await spendOne('a-key');
      const answers = await Promise.all(
        [0, 1, 2, 3].flatMap((n) => [
          refresh(spent, n % 2 ? client : second, n === 3 ? 'a-thief' : 'a-key'),
          refresh(successor.refresh_token, n % 2 ? second : client, 'next'),
        ]),
      );
      for (const { status } of answers) assert.ok(status === 200 || status === 401, `${status}`);
      for (const { result } of answers) {
        if (result) assertRefused(await read(result.access_token), 'token_revoked');
      }
    }
  });
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
