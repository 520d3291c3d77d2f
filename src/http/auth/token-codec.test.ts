import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import type { TokenState } from './auth.sql.js';
import { type VerifiedToken, VerifiedTokens } from './token-codec.js';

const claims = { scope: 'user', typ: 'access', jti: 'one' } as const;
const secondsFromNow = (seconds: number): number => Math.floor(Date.now() / 1000) + seconds;

/** Tokens that live for a minute, with counts of verifications and state queries. */
function tokens(state: () => TokenState = () => 'valid') {
  const done = { verified: 0, asked: 0 };
  const verified = new VerifiedTokens(
    (token): Promise<VerifiedToken> => {
      done.verified += 1;
      return Promise.resolve({
        claims: { ...claims, jti: token },
        issuedAt: secondsFromNow(0),
        expiresAt: secondsFromNow(60),
      });
    },
    () => {
      done.asked += 1;
      return Promise.resolve(state());
    },
  );
  return { verified, done };
}

test('a signature is checked once, the state of the token each time', async () => {
  const { verified, done } = tokens();
  for (let n = 0; n < 3; n += 1) assert.equal((await verified.check('a')).claims.jti, 'a');
  assert.deepEqual(done, { verified: 1, asked: 3 });
});

test('a remembered token expires', async () => {
  const { verified } = tokens();
  mock.timers.enable({ apis: ['Date'], now: Date.now() });
  try {
    await verified.check('a');
    mock.timers.tick(59_000);
    await verified.check('a');
    mock.timers.tick(1_000);
    await assert.rejects(verified.check('a'), { code: 'token_expired' });
  } finally {
    mock.timers.reset();
  }
});

test('a revoked token costs the share of its former holder one query, and no more', async () => {
  let state: TokenState = 'valid';
  const { verified, done } = tokens(() => state);
  await verified.check('a');
  state = 'token_revoked';
  await assert.rejects(verified.check('a'), { code: 'token_revoked' });
  await assert.rejects(verified.check('a'), { code: 'token_revoked' });
  assert.deepEqual(done, { verified: 1, asked: 2 });
});

test('requests that come with a new token at once share its state', async () => {
  const { verified, done } = tokens(() => 'token_revoked');
  const refused = Array.from({ length: 20 }, () => assert.rejects(verified.check('a')));
  await Promise.all(refused);
  assert.equal(done.asked, 1);
});

test('the token of a suspended holder is refused, and works again after resuming', async () => {
  let state: TokenState = 'valid';
  const { verified, done } = tokens(() => state);
  await verified.check('a');
  for (const suspended of ['platform_suspended', 'user_suspended'] as const) {
    state = suspended;
    await assert.rejects(verified.check('a'), { code: suspended, status: 403 });
  }
  state = 'valid';
  await verified.check('a');
  assert.equal(done.verified, 1, 'its signature is checked once');
});

test('the oldest of a thousand cached tokens is evicted for the next one', async () => {
  const { verified, done } = tokens();
  for (let n = 0; n <= 1_000; n += 1) await verified.check(`token ${n}`);
  await verified.check('token 1');
  assert.equal(done.verified, 1_001, 'the second is still cached');
  await verified.check('token 0');
  assert.equal(done.verified, 1_002, 'the first is not');
});
