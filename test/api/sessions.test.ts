import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { rows } from '../../src/database/sql.js';
import { done, refused } from '../../testkit/expect.js';
import { testService } from '../../testkit/service.js';
import type { Member } from '../../testkit/world.js';

const service = await testService();
const { client } = service;
const { consoleSignIn, platforms, sessions, users } = service.service.tenants;

const codeOf = async ({ id, platformId }: Member): Promise<string> =>
  (await consoleSignIn.makeUserCode(platformId, id)).code;

const exchange = (code: string) =>
  client.post<{ access_token: string }>('/api/v1/auth/console', { form: { code, stay: 'True' } });

const cookieIn = ({ headers }: { readonly headers: Headers }): string =>
  (headers.get('set-cookie') ?? '').split(';', 1)[0] ?? '';

const renew = (cookie: string, by = client) =>
  by.post<{ access_token: string }>('/api/v1/auth/session', { headers: { cookie } });

/** A user who stays signed in. */
async function staying() {
  const user = await service.user();
  const answer = await exchange(await codeOf(user));
  const [session] = await sessions.ofUser(undefined, user.id);
  assert.ok(session);
  const token = done(answer).access_token;
  return { user, session: session.id, token, cookie: cookieIn(answer) };
}

const use = ({ id }: Member, token: string, by = client) =>
  by.get(`/api/v1/users/${id}`, { as: ['User', token] });

const age = (table: string, column: string, key: string, of: string, span: string) =>
  rows(service.db, `UPDATE ${table} SET ${column} = ${column} - $2::interval WHERE ${key} = $1`, [
    of,
    span,
  ]);

describe('a user who stays signed in', () => {
  test('comes back after two days, and after 29 more', async () => {
    const { user, session, cookie } = await staying();
    await age('sessions', 'last_used_at', 'id', session, '2 days');
    const next = await renew(cookie);
    done(await use(user, done(next).access_token));
    await age('sessions', 'last_used_at', 'id', session, '29 days');
    done(await renew(cookieIn(next)));
  });

  test('is signed out after 30 days without use', async () => {
    const { user, session, cookie } = await staying();
    const { iat, exp } = JSON.parse(
      Buffer.from(cookie.split('.')[1] ?? '', 'base64url').toString(),
    ) as { iat: number; exp: number };
    assert.equal(exp - iat, 30 * 24 * 60 * 60);
    await age('refresh_tokens', 'expires_at', 'family_id', session, '30 days');
    assert.deepEqual(await sessions.ofUser(undefined, user.id), []);
  });

  test('may repeat a renewal hours after its answer was lost', async () => {
    const { session, cookie } = await staying();
    const lost = cookieIn(await renew(cookie));
    await age('refresh_tokens', 'spent_at', 'family_id', session, '8 hours');
    assert.equal(cookieIn(await renew(cookie)), lost);
  });

  test('is out on every node when the session is ended', async () => {
    const { user, session, token, cookie } = await staying();
    const second = await service.secondNode();
    done(await use(user, token, second));
    await sessions.end(session);
    for (const by of [client, second]) {
      refused(await use(user, token, by), 401, 'token_revoked');
      refused(await renew(cookie, by), 401, 'token_revoked');
    }
  });

  test('waits while suspended, and ends with revocation and deletion', async () => {
    const { user, token, cookie } = await staying();
    await users.suspend(user.id, true);
    refused(await use(user, token), 403, 'user_suspended');
    refused(await renew(cookie), 403, 'user_suspended');
    await users.suspend(user.id, false);
    const next = await renew(cookie);
    const code = await codeOf(user);
    await platforms.revokeTokens(user.platformId);
    refused(await renew(cookieIn(next)), 401, 'token_revoked');
    refused(await exchange(code), 401, 'unauthorized');
    assert.deepEqual(await sessions.ofUser(undefined, user.id), []);

    const other = await staying();
    const link = await codeOf(other.user);
    done(await other.user.delete(''));
    refused(await renew(other.cookie), 401, 'token_revoked');
    refused(await exchange(link), 401, 'unauthorized');
  });

  test('has a link for ten minutes, which one of many who press its button at once spends', async () => {
    const user = await service.user();
    const late = await codeOf(user);
    await age('console_codes', 'expires_at', 'user_id', user.id, '10 minutes');
    refused(await exchange(late), 401, 'unauthorized');
    const code = await codeOf(user);
    const answers = await Promise.all(Array.from({ length: 6 }, () => exchange(code)));
    assert.equal(answers.filter(({ status }) => status === 200).length, 1);
    assert.equal((await sessions.ofUser(undefined, user.id)).length, 1);
  });
});
