import '../testing/browser';
import assert from 'node:assert/strict';
import { after, afterEach, describe, mock, test } from 'node:test';
import { forgetToken, keepToken, keptToken } from './remembered';
import { begin, end, ended, resume, session, sessionOf } from './session';

const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const tokenOf = (claims: object): string => `${part({ alg: 'HS256' })}.${part(claims)}.c2ln`;
const inSeconds = (seconds: number): number => Math.floor(Date.now() / 1_000) + seconds;
const user = { scope: 'user', typ: 'access', sub: 'u', platform_id: 'p' };

describe('a session', () => {
  afterEach(() => {
    end();
    mock.timers.reset();
  });
  after(() => forgetToken());

  test('a pasted token is read, with or without its scheme', () => {
    const token = tokenOf({ ...user, exp: 1_700_000_000 });
    const read = {
      token,
      scope: 'user',
      platformId: 'p',
      userId: 'u',
      id: undefined,
      name: undefined,
      expiresAt: 1_700_000_000_000,
    };
    assert.deepEqual(sessionOf(token), read);
    assert.deepEqual(sessionOf(` User ${token}\n`), read);
    const platform = sessionOf(tokenOf({ scope: 'platform', typ: 'access', sub: 'p' }));
    assert.deepEqual([platform?.platformId, platform?.userId], ['p', undefined]);
    assert.equal(platform?.expiresAt, Infinity);
  });

  test('anything else is no token of the console', () => {
    const others = ['', 'null', '{"token":1}', '.'.repeat(9), `x.${part(null)}.x`, 'eyJhbGci.eyJ'];
    const claims = [{ ...user, typ: 'refresh' }, { ...user, scope: 'owner' }, {}].map(tokenOf);
    for (const pasted of [...others, ...claims]) assert.equal(sessionOf(pasted), undefined, pasted);
  });

  test('the tab keeps the token of a session until it ends, and one that has expired meanwhile says so', () => {
    keepToken(tokenOf({ ...user, exp: inSeconds(-60) }));
    resume();
    assert.deepEqual([session.value, ended.value, keptToken()], [undefined, 'expired', null]);
    const next = sessionOf(tokenOf(user));
    assert.ok(next);
    begin(next);
    assert.deepEqual([ended.value, keptToken()], [undefined, next.token]);
    end('refused');
    assert.deepEqual([ended.value, keptToken()], ['refused', null]);
  });

  test('a session ends when its token expires, not before, also after longer than a timer lasts', () => {
    mock.timers.enable({ apis: ['setTimeout', 'Date'], now: Date.now() });
    resume();
    for (const seconds of [20, 40 * 86_400]) {
      const next = sessionOf(tokenOf({ ...user, exp: inSeconds(seconds) }));
      assert.ok(next);
      begin(next);
      // The clock is whole seconds behind at most.
      for (let days = 1; days < seconds / 86_400; days += 1) mock.timers.tick(86_400_000);
      mock.timers.tick(((seconds - 2) % 86_400) * 1_000);
      assert.equal(session.value, next);
      mock.timers.tick(2_000);
      assert.deepEqual([session.value, ended.value], [undefined, 'expired']);
    }
  });
});
