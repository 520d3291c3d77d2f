import assert from 'node:assert/strict';
import type { Answer } from '../../testkit/client.js';
import { done, nobody, refused, timePattern } from '../../testkit/expect.js';
import type { Member, Tenant, World } from '../../testkit/world.js';
import { area } from '../harness.js';

interface Session {
  readonly id: string;
  readonly created_at: string;
  readonly last_used_at: string;
  readonly device: string;
}

interface Tokens {
  readonly access_token: string;
  readonly expires_in: number;
}

const asPlatform = ({ token }: Tenant) => ['Platform', token] as const;

/** The code of a link for a user. */
async function codeOf(user: Member): Promise<string> {
  const as = asPlatform(user.tenant);
  const link = done(
    await user.call<{ url: string; expires_at: string }>('POST', '/sign-in', { as }),
  );
  assert.match(link.expires_at, timePattern);
  const [page, code = ''] = link.url.split('#sign-in=');
  assert.match(page ?? '', /\/console\/$/);
  return code;
}

const exchange = ({ tenant }: Member, code: string, stay = 'False'): Promise<Answer<Tokens>> =>
  tenant.client.post<Tokens>('/api/v1/auth/console', {
    form: { code, stay },
    headers: { 'user-agent': 'a phone' },
  });

const renew = ({ tenant }: Member, cookie?: string): Promise<Answer<Tokens>> =>
  tenant.client.post<Tokens>('/api/v1/auth/session', {
    headers: cookie === undefined ? {} : { cookie },
  });

/** Name and value of the cookie that an answer sets. */
const cookieIn = ({ headers }: Answer<unknown>): string =>
  (headers.get('set-cookie') ?? '').split(';', 1)[0] ?? '';

/** A user who stays signed in. */
async function staying(world: World) {
  const user = await world.user();
  const answer = await exchange(user, await codeOf(user), 'True');
  return { user, token: done(answer).access_token, cookie: cookieIn(answer), answer };
}

const use = (user: Member, token: string) => user.call('GET', '', { as: ['User', token] });
const list = (user: Member) => user.call<Session[]>('GET', '/sessions');

export const sessions = area('sessions', (check) => {
  check('createSignIn', 'X15.2 a link signs in once', async (world) => {
    const user = await world.user();
    const code = await codeOf(user);
    const answer = await exchange(user, code);
    const { access_token: token } = done(answer);
    assert.equal(answer.headers.get('set-cookie'), null);
    done(await use(user, token));
    refused(await exchange(user, code), 401, 'unauthorized');
    refused(await exchange(user, 'x'), 401, 'unauthorized');
    refused(await exchange(user, ''), 400, ['invalid_field', 'missing_field'], 'code');
    assert.equal(done(await list(user)).length, 1);
  });

  check('signOut', 'X13.4 no narrow token ends a session, nor does none', async (world) => {
    const user = await world.user();
    const narrow = done(
      await user.post<{ access_token: string }>('/tokens', { name: 'narrow', allow: 'read' }),
    );
    const end = (token?: string) =>
      world.client.delete(
        '/api/v1/auth/session',
        token === undefined ? {} : { as: ['User', token] },
      );
    refused(await end(narrow.access_token), 403, 'not_allowed');
    refused(await end(), 401, 'unauthorized');
    refused(await end('x'), 401, 'unauthorized');
  });

  check('createSignIn', 'X15.2 for own users, by plain tokens', async (world) => {
    const user = await world.user();
    const as = asPlatform(await world.platform());
    refused(await user.call('POST', '/sign-in', { as }), 400, 'user_not_found');
    const form = { name: 'all', allow: 'read,users' };
    const narrow = done(
      await user.tenant.call<{ access_token: string }>('POST', '/tokens', { form }),
    );
    const asNarrow = ['Platform', narrow.access_token] as const;
    refused(await user.call('POST', '/sign-in', { as: asNarrow }), 403, 'not_allowed');
    refused(await user.call('POST', '/sign-in'), 401, 'unauthorized');
  });

  check('renewConsoleSession', 'X15.2 who stays gets another token', async (world) => {
    const { user, token, cookie, answer } = await staying(world);
    assert.match(answer.headers.get('set-cookie') ?? '', /; HttpOnly; SameSite=Strict/);
    const renewed = await renew(user, cookie);
    done(await use(user, done(renewed).access_token));
    done(await use(user, token));
    assert.notEqual(cookieIn(renewed), cookie);
    assert.equal(cookieIn(await renew(user, cookie)), cookieIn(renewed), 'its answer was lost');
    done(await renew(user, cookieIn(renewed)));
    refused(await renew(user, cookie), 401, 'token_revoked');
    refused(await use(user, token), 401, 'token_revoked');
    refused(await renew(user), 401, 'unauthorized');
  });

  check('listSessions', 'X15.2 lists devices, for the user and the platform', async (world) => {
    const { user } = await staying(world);
    const [one, ...others] = done(await list(user));
    assert.ok(one);
    assert.deepEqual(others, []);
    const { id, device, created_at, last_used_at } = one;
    assert.equal(device, 'a phone');
    assert.ok([created_at, last_used_at].every((time) => timePattern.test(time)));
    const as = asPlatform(user.tenant);
    const ofPlatform = await user.call<Session[]>('GET', '/sessions', { as });
    assert.deepEqual(
      done(ofPlatform).map((session) => session.id),
      [id],
    );
    const another = await world.user();
    refused(await another.call('DELETE', `/sessions/${id}`), 400, 'session_not_found');
  });

  check('signOut', 'X15.1 a session ends with its own token, and its cookie', async (world) => {
    const { user, token, cookie } = await staying(world);
    const path = '/api/v1/auth/session';
    const [session] = done(await list(user));
    const answer = await world.client.delete<Session>(path, { as: ['User', token] });
    assert.deepEqual(done(answer), session);
    assert.match(answer.headers.get('set-cookie') ?? '', /Max-Age=0/);
    refused(await use(user, token), 401, 'token_revoked');
    refused(await renew(user, cookie), 401, 'token_revoked');
    for (const as of [
      ['User', user.token],
      ['Platform', user.tenant.token],
      ['Admin', world.adminToken],
    ] as const) {
      refused(await world.client.delete(path, { as }), 400, 'session_not_found');
    }
  });

  check('endSession', 'X15.2 ends at once', async (world) => {
    const { user, token, cookie } = await staying(world);
    const [one] = done(await list(user));
    const path = `/sessions/${one?.id}`;
    assert.deepEqual(done(await user.call('DELETE', path)), [one]);
    refused(await use(user, token), 401, 'token_revoked');
    const answer = await renew(user, cookie);
    refused(answer, 401, 'token_revoked');
    assert.match(answer.headers.get('set-cookie') ?? '', /Max-Age=0/);
    for (const unknown of [path, '/sessions/x', `/sessions/${nobody}`]) {
      refused(await user.call('DELETE', unknown), 400, 'session_not_found');
    }
  });

  check('endSessions', 'X15.2 ends all of a user', async (world) => {
    const { user, token } = await staying(world);
    const second = done(await exchange(user, await codeOf(user), 'True'));
    const ended = await user.call<Session[]>('DELETE', '/sessions', {
      as: asPlatform(user.tenant),
    });
    assert.equal(done(ended).length, 2);
    for (const one of [token, second.access_token]) {
      refused(await use(user, one), 401, 'token_revoked');
    }
    assert.deepEqual(done(await user.call('DELETE', '/sessions')), []);
  });
});
