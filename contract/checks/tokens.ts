import assert from 'node:assert/strict';
import { done, refused } from '../../testkit/expect.js';
import { area } from '../harness.js';
import type { TokenPair, User } from '../../testkit/records.js';
import type { World } from '../../testkit/world.js';

const refresh = (world: World, token: string, key?: string) =>
  world.client.post<TokenPair>('/api/v1/auth/refresh', {
    form: { refresh_token: token },
    ...(key !== undefined && { headers: { 'Idempotency-Key': key } }),
  });

const decode = (part = ''): Record<string, unknown> =>
  JSON.parse(Buffer.from(part, 'base64url').toString()) as Record<string, unknown>;

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

const rejected = ['unauthorized', 'token_revoked', 'token_expired'];

export const tokens = area('tokens', (check) => {
  check('refreshToken', '§3.4 a refresh token yields a new pair that works', async (world) => {
    const user = await world.user();
    const pair = done(await refresh(world, user.record.refresh_token));
    assert.equal(pair.token_type, 'bearer');
    assert.notEqual(pair.refresh_token, user.record.refresh_token);
    done(await user.call('GET', '', { as: ['User', pair.access_token] }));
    done(await refresh(world, pair.refresh_token));
  });

  check('refreshToken', '§3.4 works for platforms, too', async (world) => {
    const tenant = await world.platform();
    const pair = done(await refresh(world, tenant.record.refresh_token));
    done(await tenant.call('GET', '', { as: ['Platform', pair.access_token] }));
  });

  check('refreshToken', '§3.4 a spent token revokes its whole family', async (world) => {
    const user = await world.user();
    const pair = done(await refresh(world, user.record.refresh_token));
    const next = done(await refresh(world, pair.refresh_token));
    refused(await refresh(world, user.record.refresh_token), 401, rejected);
    refused(await refresh(world, next.refresh_token), 401, rejected);
    const read = (token: string) => user.call('GET', '', { as: ['User', token] });
    refused(await read(next.access_token), 401, 'token_revoked');
    refused(await read(pair.access_token), 401, 'token_revoked');
    refused(await read(user.token), 401, 'token_revoked');
  });

  check('refreshToken', '§3.4 other families stay valid', async (world) => {
    const user = await world.user();
    const query = { platform_user_id: user.record.platform_user_id };
    const [found] = done(await user.tenant.call<User[]>('GET', '/users', { query }));
    const pair = done(await refresh(world, user.record.refresh_token, 'a'));
    refused(await refresh(world, user.record.refresh_token, 'b'), 401, rejected);
    refused(await refresh(world, pair.refresh_token), 401, rejected);
    done(await user.call('GET', '', { as: ['User', found?.access_token ?? ''] }));
  });

  check('refreshToken', '§3.4 the token is not accepted in the query', async (world) => {
    const { record } = await world.user();
    const query = { refresh_token: record.refresh_token };
    const answer = await world.client.post('/api/v1/auth/refresh', { query });
    refused(answer, 400, 'missing_field', 'refresh_token');
    done(await refresh(world, record.refresh_token));
  });

  check(
    'refreshToken',
    '§3.4 many repeats at once get the same successor, and access tokens that work',
    async (world) => {
      for (const key of [undefined, 'a-key']) {
        const user = await world.user();
        const answers = await Promise.all(
          Array.from({ length: 5 }, () => refresh(world, user.record.refresh_token, key)),
        );
        const pairs = answers.map((answer) => done(answer));
        assert.equal(new Set(pairs.map((pair) => pair.refresh_token)).size, 1);
        for (const { access_token: token } of pairs) {
          done(await user.call('GET', '', { as: ['User', token] }));
        }
        done(await refresh(world, pairs[0]?.refresh_token ?? ''));
      }
    },
  );

  check(
    'refreshToken',
    '§3.4 a malformed key is refused before the token is used',
    async (world) => {
      const { refresh_token: token } = (await world.user()).record;
      refused(await refresh(world, token, 'a b'), 400, 'invalid_field', 'Idempotency-Key');
      done(await refresh(world, token));
    },
  );

  check('refreshToken', '§3.4 refresh_token is required', async (world) => {
    const answer = await world.client.post('/api/v1/auth/refresh');
    refused(answer, 400, 'missing_field', 'refresh_token');
  });

  check('refreshToken', '§3.1 an access token is not a refresh token', async (world) => {
    const user = await world.user();
    refused(await refresh(world, user.token), 401, rejected);
    refused(await refresh(world, 'no.token.atall'), 401, rejected);
  });

  check('getUser', '§3.1 a refresh token is not an access token', async (world) => {
    const user = await world.user();
    refused(await user.call('GET', '', { as: ['User', user.record.refresh_token] }), 401, rejected);
  });

  check('getUser', '§3.1 tokens carry the specified claims', async (world) => {
    const user = await world.user();
    const [header, payload] = user.token.split('.').map((part, at) => (at < 2 ? decode(part) : {}));
    assert.equal(typeof header?.kid, 'string');
    for (const claim of ['iss', 'sub', 'scope', 'typ', 'jti', 'iat', 'exp', 'platform_id']) {
      assert.ok(claim in (payload ?? {}), claim);
    }
    assert.deepEqual(
      [payload?.sub, payload?.scope, payload?.typ, payload?.platform_id],
      [user.id, 'user', 'access', user.tenant.id],
    );
  });

  check('getUser', '§3.1 the algorithm is pinned', async (world) => {
    const user = await world.user();
    const [header, payload, signature] = user.token.split('.');
    const forged = [
      ...['none', 'None', 'NONE'].map((alg) => [encode({ ...decode(header), alg }), payload, '']),
      ['x'],
      ['a', 'b', 'c'],
      ['', '', ''],
      [header, '', ''],
      [header, Buffer.from('not JSON').toString('base64url'), 'AAAA'],
      [encode({ ...decode(header), alg: 'HS512' }), payload, signature],
      [header, encode({ ...decode(payload), sub: 'x' }), signature],
      [encode({ ...decode(header), kid: 'other' }), payload, signature],
    ];
    for (const parts of forged) {
      const answer = await user.call('GET', '', { as: ['User', parts.join('.')] });
      refused(answer, 401, rejected);
    }
  });

  check('getUser', '§3.7 the scheme word is case-insensitive', async (world) => {
    const user = await world.user();
    for (const word of ['user', 'USER', 'uSeR']) {
      const headers = { authorization: `${word} ${user.token}` };
      done(await user.call('GET', '', { as: undefined, headers }));
    }
  });

  check('getUser', '§2.3 a malformed Authorization is 401 with WWW-Authenticate', async (world) => {
    const user = await world.user();
    for (const authorization of [
      '',
      'User',
      'User ',
      user.token,
      `Basic ${user.token}`,
      `Users ${user.token}`,
      'User a b c',
    ]) {
      const answer = await user.call('GET', '', { as: undefined, headers: { authorization } });
      refused(answer, 401, 'unauthorized');
      const challenge = answer.headers.get('www-authenticate');
      assert.equal(challenge, 'User realm="imgstore", error="unauthorized"');
    }
  });
});
