import assert from 'node:assert/strict';
import { createHmac, createPublicKey, type JsonWebKey } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import type { ServiceError } from '../../src/base/errors/catalogue.js';
import { onlyValue } from '../../src/database/sql.js';
import { beginRemoval } from '../../src/library/tree/platform-removal.js';
import { done, refused } from '../../testkit/expect.js';
import { IdentityProvider } from '../../testkit/identity-provider.js';
import { Issuer, KeyHost, loopbackIdentities, seconds } from '../../testkit/issuer.js';
import { ownService } from '../../testkit/service.js';
import type { Member, Tenant } from '../../testkit/world.js';

const service = await ownService({ after }, loopbackIdentities);
const { client } = service;
const provider = await IdentityProvider.start({ after });
/** Must not be asked. */
const host = await KeyHost.start({ after });

interface User {
  readonly id: string;
  readonly platform_user_id: string;
}

const me = (token: string, by = client) =>
  by.get<User>('/api/v1/users/me', { as: ['User', token] });

/** The refusal of a token: its code and message. */
async function refusalOf(token: string): Promise<[code: string, message: string]> {
  const { status, error } = await me(token);
  assert.equal(status, 401, JSON.stringify(error));
  return [error?.code ?? '', error?.message ?? ''];
}

const usersOf = ({ id }: Tenant): Promise<number> =>
  onlyValue(service.db, 'SELECT count(*)::int AS users FROM users WHERE platform_id = $1', [id]);

/** Another issuer for each test: no two platforms have one. */
let issuers = 0;
const newIssuer = (options = {}) => Issuer.of(`https://login-${(issuers += 1)}.example/`, options);

/** A platform with an identity of its own. */
async function identified(form: Record<string, string> = {}, options = {}) {
  const [platform, issuer] = [await service.platform(), await newIssuer(options)];
  await issuer.identifies(client, platform, form);
  return { platform, issuer };
}

const named = async (platform: Tenant, name: string): Promise<Member> => platform.user(name);

describe('tokens of a real provider', () => {
  let platform: Tenant;
  before(async () => {
    platform = await service.platform();
    const form = { issuer: provider.issuer, audience: 'imgstore', jwks_url: provider.jwksUrl };
    done(await platform.call('PUT', '/identity', { form }));
  });

  test('are the user whom they name, on every node', async () => {
    const user = await named(platform, 'surveyor-17');
    const token = await provider.token('surveyor-17');
    for (const by of [client, await service.secondNode()]) {
      const { id, platform_user_id: name } = done(await me(token, by));
      assert.deepEqual([id, name], [user.id, 'surveyor-17']);
    }
    const [code, message] = await refusalOf(await provider.token('nobody'));
    assert.equal(code, 'unauthorized');
    assert.match(message, /no user whose platform_user_id.+claim sub.+create_users/);
    assert.ok(!message.includes('nobody'));
  });

  test('are good under load while the keys are rotated', async () => {
    await named(platform, 'busy');
    const ended = new AbortController();
    const before = await provider.token('busy');
    let [token, answered] = [before, 0];
    const load = Array.from({ length: 8 }, async (_, n) => {
      while (!ended.signal.aborted) {
        done(await me(n % 2 === 0 ? before : token));
        answered += 1;
      }
    });
    const enough = async (): Promise<void> => {
      for (const from = answered; answered < from + 50;) await me(token);
    };
    await enough();
    await provider.rotate();
    token = await provider.token('busy');
    await enough();
    ended.abort();
    await Promise.all(load);
  });
});

describe('signatures', () => {
  const good = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'EdDSA'];
  for (const alg of good) {
    test(`${alg} is accepted`, async () => {
      const { platform, issuer } = await identified({}, { alg });
      const user = await named(platform, 'u');
      assert.equal(done(await me(await issuer.sign('u'))).id, user.id);
    });
  }
});

describe('forged tokens', () => {
  let issuer: Issuer;
  let other: Issuer;
  let platform: Tenant;
  before(async () => {
    ({ platform, issuer } = await identified({ create_users: 'True' }));
    ({ issuer: other } = await identified({ create_users: 'True' }));
  });

  const none = (): Buffer => Buffer.alloc(0);
  const noise = (): Buffer => Buffer.alloc(256, 7);
  const hmac =
    (key: string) =>
    (input: string): Buffer =>
      createHmac('sha256', key).update(input).digest();
  const pem = (): string =>
    createPublicKey({ key: issuer.jwk as JsonWebKey, format: 'jwk' }).export({
      type: 'spki',
      format: 'pem',
    }) as string;
  const day = 24 * 3600;
  const forge = (...how: Parameters<Issuer['forge']>): string => issuer.forge(...how);

  const algorithm = /must be signed with one of RS256/;
  const signature = /signature of the token is not one of the key set/;
  const noKey = /No key of the key set.+has the kid/;
  const unknownIssuer = /No platform has the issuer.+to the letter, with or without a slash/;
  const audience = /has the issuer of the token, but not its audience/;
  const future = /iat is in the future/;
  const ahead = /exp is more than 24 hours ahead/;
  const critical = /\(crit\) and not understood/;
  const noJwt = /invalid|not a signed JWT/;
  const invalid = /The token is invalid/;
  const shape = /claim sub must be text of 1 to 255 characters/;

  const forgeries: readonly (readonly [what: string, token: () => string, says: RegExp])[] = [
    ['alg none', () => forge({ alg: 'none' }, {}, none), algorithm],
    ['alg None', () => forge({ alg: 'None' }, {}, none), algorithm],
    ['alg none with a signature', () => forge({ alg: 'none' }), algorithm],
    ['alg NONE with noise', () => forge({ alg: 'NONE' }, {}, noise), algorithm],
    ['HS256 with the public key', () => forge({ alg: 'HS256' }, {}, hmac(pem())), algorithm],
    ['HS256 with the key set', () => forge({ alg: 'HS256' }, {}, hmac(issuer.jwks)), algorithm],
    [
      'HS256 with the modulus',
      () => forge({ alg: 'HS256' }, {}, hmac(issuer.jwk.n ?? '')),
      algorithm,
    ],
    ['HS512', () => forge({ alg: 'HS512' }, {}, hmac('secret')), algorithm],
    ['no alg', () => forge({ alg: undefined }), algorithm],
    ['an alg that is no text', () => forge({ alg: ['RS256'] }), algorithm],
    ['ES512', () => forge({ alg: 'ES512' }), algorithm],
    ['ES256K', () => forge({ alg: 'ES256K' }), algorithm],
    ['RSA1_5', () => forge({ alg: 'RSA1_5' }), algorithm],
    ['ES256 with a key of RSA', () => forge({ alg: 'ES256' }), noKey],
    ['EdDSA with a key of RSA', () => forge({ alg: 'EdDSA' }), noKey],
    ['RS512, signed as RS256', () => forge({ alg: 'RS512' }), signature],
    ['PS256, signed as RS256', () => forge({ alg: 'PS256' }), signature],
    ['no signature', () => forge({}, {}, none), signature],
    ['a signature of noise', () => forge({}, {}, noise), signature],
    ['a signature of one byte', () => forge({}, {}, () => Buffer.from([1])), signature],
    [
      'a signature of another text',
      () => `${forge({}).replace(/\.[^.]+$/, '')}.${forge({}, { sub: 'x' }).split('.')[2]}`,
      signature,
    ],
    [
      'a changed payload',
      () =>
        forge({})
          .split('.')
          .map((part, n) => (n === 1 ? forge({}, { sub: 'x' }).split('.')[1] : part))
          .join('.'),
      signature,
    ],
    ['a key of another platform', () => other.forge({}, { iss: issuer.name }), signature],
    [
      'a key of another platform under its kid',
      () => other.forge({ kid: 'k1' }, { iss: issuer.name }),
      signature,
    ],
    ['a kid that nobody has', () => forge({ kid: 'k2' }), noKey],
    ['a kid with a path', () => forge({ kid: '../../../etc/passwd' }), noKey],
    ['a kid with a URL', () => forge({ kid: host.url }), noKey],
    ['a kid of SQL', () => forge({ kid: "' OR 1=1 --" }), noKey],
    ['an empty kid', () => forge({ kid: '' }), noKey],
    ['a kid that is no text', () => forge({ kid: 7 }), noKey],
    ['jku of somebody else', () => other.forge({ jku: host.url }, { iss: issuer.name }), signature],
    ['x5u of somebody else', () => other.forge({ x5u: host.url }, { iss: issuer.name }), signature],
    ['a jwk of its own', () => other.forge({ jwk: other.jwk }, { iss: issuer.name }), signature],
    ['an x5c of its own', () => other.forge({ x5c: ['AAAA'] }, { iss: issuer.name }), signature],
    ['crit', () => forge({ crit: ['exp'], exp: 1 }), critical],
    ['crit of a word of its own', () => forge({ crit: ['x'], x: 1 }), critical],
    ['crit that is no list', () => forge({ crit: 'x' }), /well-formed/],
    ['b64 false', () => forge({ crit: ['b64'], b64: false }), /crit|signature|well-formed/],
    [
      'an issuer without its slash',
      () => forge({}, { iss: issuer.name.slice(0, -1) }),
      unknownIssuer,
    ],
    ['an issuer with two', () => forge({}, { iss: `${issuer.name}/` }), unknownIssuer],
    [
      'an issuer in another case',
      () => forge({}, { iss: issuer.name.toUpperCase() }),
      unknownIssuer,
    ],
    ['an issuer nobody has', () => forge({}, { iss: 'https://evil.example' }), unknownIssuer],
    ['an issuer with a NUL', () => forge({}, { iss: `${issuer.name}\0` }), /no issuer/],
    ['an issuer that is half a character', () => forge({}, { iss: '\ud800' }), /no issuer/],
    ['an issuer that is no text', () => forge({}, { iss: 7 }), /no issuer/],
    ['no issuer', () => forge({}, { iss: undefined }), invalid],
    ['our own issuer', () => forge({}, { iss: 'imgstore' }), invalid],
    ['another audience', () => forge({}, { aud: 'another' }), audience],
    ['a part of the audience', () => forge({}, { aud: 'imgstor' }), audience],
    ['audiences without ours', () => forge({}, { aud: ['a', 'b'] }), audience],
    ['no audience', () => forge({}, { aud: undefined }), /no audience/],
    ['an empty list of audiences', () => forge({}, { aud: [] }), /no audience/],
    ['an audience that is no text', () => forge({}, { aud: { imgstore: 1 } }), /no audience/],
    [
      'too many audiences',
      () => forge({}, { aud: Array.from({ length: 101 }, (_, n) => `${n}`) }),
      /too many audiences/,
    ],
    ['exp in a year', () => forge({}, { exp: seconds() + 365 * day }), ahead],
    ['exp in a day and an hour', () => forge({}, { exp: seconds() + day + 3600 }), ahead],
    [
      'exp without end',
      () =>
        forge({}).replace(
          /\.[^.]+\./,
          `.${Buffer.from(`{"iss":"${issuer.name}","aud":"imgstore","sub":"x","iat":1,"exp":1e999}`).toString('base64url')}.`,
        ),
      signature,
    ],
    ['no exp', () => forge({}, { exp: undefined }), /claim exp is missing/],
    ['exp as text', () => forge({}, { exp: String(seconds() + 60) }), /claim exp must be a number/],
    ['no iat', () => forge({}, { iat: undefined }), /claim iat is missing/],
    ['iat as text', () => forge({}, { iat: 'now' }), /claim iat must be a number/],
    ['iat in the future', () => forge({}, { iat: seconds() + 120, exp: seconds() + 600 }), future],
    [
      'nbf in the future',
      () => forge({}, { nbf: seconds() + 120 }),
      /claim nbf says that the token is not valid yet/,
    ],
    ['no sub', () => forge({}, { sub: undefined }), /no claim sub/],
    ['a sub that is a number', () => forge({}, { sub: 17 }), shape],
    ['a sub that is a list', () => forge({}, { sub: ['u'] }), shape],
    ['an empty sub', () => forge({}, { sub: '' }), shape],
    ['a sub of 300 characters', () => forge({}, { sub: 'x'.repeat(300) }), shape],
    ['a sub with a NUL', () => forge({}, { sub: 'a\0b' }), shape],
    ['a sub that is half a character', () => forge({}, { sub: '\udc00' }), shape],
    ['four parts', () => `${forge({})}.x`, invalid],
    ['an encrypted one', () => `${forge({})}.x.y`, invalid],
    [
      'a payload that is no object',
      () => `${forge({}).split('.')[0]}.${Buffer.from('[]').toString('base64url')}.x`,
      noJwt,
    ],
    ['a header that is no JSON', () => `e30x.${forge({}).split('.').slice(1).join('.')}`, noJwt],
    ['blanks in base64url', () => forge({}).replace('.', '=.'), noJwt],
  ];

  test('there are at least sixty', () => assert.ok(forgeries.length >= 60));

  for (const [what, forged, says] of forgeries) {
    test(`${what}: 401 that says why, and nothing of it`, async () => {
      const [code, message] = await refusalOf(forged());
      assert.equal(code, 'unauthorized');
      assert.match(message, says);
      assert.doesNotMatch(message, /forged|evil|passwd|eyJ|https?:/);
    });
  }

  test('an expired one is token_expired, a minute late it is good', async () => {
    const [code] = await refusalOf(forge({}, { iat: seconds() - 600, exp: seconds() - 90 }));
    assert.equal(code, 'token_expired');
    done(await me(forge({}, { sub: 'late', iat: seconds() - 600, exp: seconds() - 30 })));
  });

  test('one of 64 KB is refused before anything of it is read', async () => {
    const long = forge({}, { x: 'x'.repeat(48 * 1024) });
    const answer = await me(long);
    assert.ok([401, 431].includes(answer.status), String(answer.status));
    const [, message] = await refusalOf(forge({}, { x: 'x'.repeat(8_000) }));
    assert.match(message, /more than 10,000 characters/);
  });

  test('no host was asked, no user was made but by the good one', async () => {
    assert.equal(host.asked, 0);
    assert.equal(await usersOf(platform), 1);
  });
});

describe('whose token it is', () => {
  test('names are compared to the letter', async () => {
    const { platform, issuer } = await identified({ user_claim: 'preferred_username' });
    const [composed, decomposed] = ['Kim-é'.normalize('NFC'), 'Kim-é'.normalize('NFD')];
    const user = await named(platform, composed);
    const sign = (name: string) => issuer.sign('x', { preferred_username: name });
    assert.equal(done(await me(await sign(composed))).id, user.id);
    for (const name of [decomposed, composed.toUpperCase(), `${composed} `]) {
      assert.match((await refusalOf(await sign(name)))[1], /to the letter/);
    }
  });

  test('claims that every object has are none of a token', async () => {
    for (const user_claim of ['constructor', '__proto__', 'toString']) {
      const { issuer } = await identified({ user_claim });
      assert.match((await refusalOf(await issuer.sign('u')))[1], /has no claim/);
    }
  });

  test('a token that fits two platforms is refused, with one audience it is good', async () => {
    const [one, two] = [await service.platform(), await service.platform()];
    const issuer = await newIssuer();
    await issuer.identifies(client, one, { audience: 'one', create_users: 'True' });
    const form = { issuer: issuer.name, audience: 'one', jwks: issuer.jwks };
    refused(await two.call('PUT', '/identity', { form }), 409, 'issuer_taken');
    await issuer.identifies(client, two, { audience: 'two', create_users: 'True' });
    const both = await issuer.sign('u', { aud: ['one', 'two'] });
    assert.match((await refusalOf(both))[1], /identities of two platforms/);
    const { id } = done(await me(await issuer.sign('u', { aud: ['two', 'three'] })));
    done(await two.call('GET', `/users/${id}`));
    assert.deepEqual([await usersOf(one), await usersOf(two)], [0, 1]);
  });

  test('a user is made once, however many requests come at once', async () => {
    const { platform, issuer } = await identified({ create_users: 'True' });
    const second = await service.secondNode();
    const tokens = await Promise.all(
      Array.from({ length: 12 }, (_, n) => issuer.sign('new one', { n })),
    );
    const answers = await Promise.all(
      tokens.map((token, n) => me(token, n % 2 === 0 ? client : second)),
    );
    assert.equal(new Set(answers.map((answer) => done(answer).id)).size, 1);
    assert.equal(await usersOf(platform), 1);
  });

  test('who was deleted is not made anew by a token from before', async () => {
    const { platform, issuer } = await identified({ create_users: 'True' });
    const [used, unused] = [await issuer.sign('u'), await issuer.sign('u', { n: 2 })];
    const { id } = done(await me(used));
    await service.service.tenants.users.get(platform.id, id);
    const plain = done(
      await platform.call<{ access_token: string }[]>('GET', '/users', {
        query: { platform_user_id: 'u' },
      }),
    )[0]?.access_token;
    done(await client.delete(`/api/v1/users/${id}`, { as: ['User', plain ?? ''] }));
    for (const token of [used, unused]) {
      assert.deepEqual((await refusalOf(token))[0], 'token_revoked');
    }
    assert.equal(await usersOf(platform), 0);
    const later = await issuer.sign('u', { iat: seconds() + 2 });
    assert.notEqual(done(await me(later)).id, id);
  });

  test('a platform that may have no more users gets none', async () => {
    const { platform, issuer } = await identified({ create_users: 'True' });
    await service.service.tenants.platforms.limit(platform.id, {
      maxBytes: null,
      maxImages: null,
      maxUsers: 0,
    });
    assert.match((await refusalOf(await issuer.sign('u')))[1], /may have no more users/);
  });
});

describe('what ends tokens, at once and on every node', () => {
  const both = async () => [client, await service.secondNode()];

  test('suspension of the user or the platform', async () => {
    const { platform, issuer } = await identified({ create_users: 'True' });
    const token = await issuer.sign('u');
    const { id } = done(await me(token));
    const { users, platforms } = service.service.tenants;
    for (const by of await both()) done(await me(token, by));
    await users.suspend(id, true);
    for (const by of await both()) refused(await me(token, by), 403, 'user_suspended');
    await users.suspend(id, false);
    await platforms.suspend(platform.id, true);
    for (const by of await both()) refused(await me(token, by), 403, 'platform_suspended');
    refused(await me(await issuer.sign('new')), 403, 'platform_suspended');
    await platforms.suspend(platform.id, false);
    for (const by of await both()) done(await me(token, by));
    assert.equal(await usersOf(platform), 1);
  });

  test('revocation, for those issued before', async () => {
    const { platform, issuer } = await identified({ create_users: 'True' });
    const token = await issuer.sign('u');
    const later = await issuer.sign('u', { iat: seconds() + 30 });
    for (const by of await both()) done(await me(token, by));
    await service.service.tenants.platforms.revokeTokens(platform.id);
    for (const by of await both()) refused(await me(token, by), 401, 'token_revoked');
    for (const by of await both()) done(await me(later, by));
  });

  test('another identity, or none', async () => {
    const { platform, issuer } = await identified({ create_users: 'True' });
    const token = await issuer.sign('u');
    for (const by of await both()) done(await me(token, by));
    await issuer.identifies(client, platform, { allow: 'upload' });
    for (const by of await both()) refused(await me(token, by), 403, 'not_allowed');
    await (await Issuer.of(issuer.name)).identifies(client, platform);
    for (const by of await both()) refused(await me(token, by), 401, 'unauthorized');
    await issuer.identifies(client, platform);
    for (const by of await both()) done(await me(token, by));
    done(await platform.call('DELETE', '/identity'));
    for (const by of await both()) refused(await me(token, by), 401, 'unauthorized');
  });

  test('deletion of the platform, whose issuer is free', async () => {
    const { platform, issuer } = await identified({ create_users: 'True' });
    const token = await issuer.sign('u');
    done(await me(token));
    await beginRemoval(service.db, platform.id);
    refused(await me(token), 401, 'unauthorized');
    await issuer.identifies(client, await service.platform());
  });

  test('deletion of the platform, though its identity was set in the same moment', async () => {
    const { platform, issuer } = await identified({ create_users: 'True' });
    const token = await issuer.sign('u');
    const row = 'SELECT to_jsonb(i) FROM identities i WHERE platform_id = $1';
    const identity = await onlyValue<unknown>(service.db, row, [platform.id]);
    await beginRemoval(service.db, platform.id);
    const set = 'INSERT INTO identities SELECT * FROM jsonb_populate_record(NULL::identities, $1)';
    await service.db.query(set, [identity]);
    refused(await me(token), 401, 'unauthorized');
  });
});

describe('what a token may', () => {
  test('no tokens, no quota, no deletion of its user, whatever it is allowed', async () => {
    const { issuer } = await identified({ create_users: 'True' });
    const as = ['User', await issuer.sign('u')] as const;
    const form = { name: 'x', allow: 'read' };
    const making = await client.post('/api/v1/users/me/tokens', { as: [...as], form });
    refused(making, 403, 'not_allowed');
    assert.deepEqual(making.error?.details, { needs: 'full' });
    const quota = { max_storage_mb: '1' };
    refused(await client.put('/api/v1/users/me', { as: [...as], form: quota }), 403, 'not_allowed');
    refused(await client.delete('/api/v1/users/me', { as: [...as] }), 403, 'not_allowed');
    refused(await client.get('/api/v1/platforms', { as: ['Admin', as[1]] }), 401, 'unauthorized');
  });

  test('an archive ends with the identity that made it', async () => {
    const { platform, issuer } = await identified({ create_users: 'True' });
    const as = ['User', await issuer.sign('u')] as const;
    const archive = await client.post<{ url: string }>('/api/v1/users/me/images/archive', {
      as: [...as],
    });
    const { url } = done(archive);
    assert.equal((await fetch(url)).status, 200);
    done(await platform.call('DELETE', '/identity'));
    assert.equal((await fetch(url)).status, 403);
  });

  test('the audit names acts by the token, which has no name', async () => {
    const { platform, issuer } = await identified({ create_users: 'True' });
    const as = ['User', await issuer.sign('u')] as const;
    const link = { kind: 'view' };
    const folder = await client.post<{ id: string }>('/api/v1/users/me/folders', {
      as: [...as],
      form: { title: 'f' },
    });
    const form = { ...link, folder_id: done(folder).id };
    done(await client.post('/api/v1/users/me/links', { as: [...as], form }));
    done(await platform.call('DELETE', '/identity'));
    const { entries } = done(
      await platform.call<{ entries: { act: string; token: unknown }[] }>('GET', '/audit'),
    );
    const made = entries.find(({ act }) => act === 'link.create');
    assert.equal(made?.token, null);
    const ofIdentity = entries.map(({ act }) => act).filter((act) => act.startsWith('identity.'));
    assert.deepEqual(ofIdentity, ['identity.remove', 'identity.set']);
  });
});

describe('an identity', () => {
  let platform: Tenant;
  let issuer: Issuer;
  let secret: string;
  before(async () => {
    platform = await service.platform();
    issuer = await newIssuer();
    secret = JSON.stringify({ keys: [{ kty: 'oct', k: 'AAAA', kid: 'k1' }] });
  });

  const keys = (...list: readonly object[]): string => JSON.stringify({ keys: list });
  const put = (form: Record<string, string | undefined>) => {
    const whole = { issuer: issuer.name, audience: 'a', jwks: issuer.jwks, ...form };
    const given = Object.entries(whole).filter(([, value]) => value !== undefined);
    return platform.call('PUT', '/identity', { form: Object.fromEntries(given) });
  };

  const wrong: readonly (readonly [string, () => Record<string, string | undefined>, string])[] = [
    ['no issuer', () => ({ issuer: undefined }), 'issuer'],
    ['our own issuer', () => ({ issuer: 'imgstore' }), 'issuer'],
    ['an issuer that is too long', () => ({ issuer: 'x'.repeat(2_049) }), 'issuer'],
    ['no audience', () => ({ audience: '' }), 'audience'],
    ['neither URL nor keys', () => ({ jwks: '' }), 'jwks_url'],
    ['both', () => ({ jwks_url: 'https://a.example/' }), 'jwks_url'],
    ['a private IP', () => ({ jwks: '', jwks_url: 'https://10.0.0.1/' }), 'jwks_url'],
    ['a metadata service', () => ({ jwks: '', jwks_url: 'http://169.254.169.254/' }), 'jwks_url'],
    ['a URL of a file', () => ({ jwks: '', jwks_url: 'file:///etc/passwd' }), 'jwks_url'],
    ['a URL with a password', () => ({ jwks: '', jwks_url: 'https://a:b@a.example/' }), 'jwks_url'],
    ['keys that are no JSON', () => ({ jwks: '{' }), 'jwks'],
    ['keys that are no set', () => ({ jwks: '{"kty":"RSA"}' }), 'jwks'],
    ['no key', () => ({ jwks: keys() }), 'jwks'],
    ['a secret', () => ({ jwks: secret }), 'jwks'],
    ['a key for encryption', () => ({ jwks: keys({ ...issuer.jwk, use: 'enc' }) }), 'jwks'],
    ['a key with a secret part', () => ({ jwks: keys({ ...issuer.jwk, d: 'AA' }) }), 'jwks'],
    ['a key that is none', () => ({ jwks: keys({ kty: 'RSA', n: '%', e: 'AQAB' }) }), 'jwks'],
    ['101 keys', () => ({ jwks: keys(...Array.from({ length: 101 }, () => ({}))) }), 'jwks'],
    ['an empty claim', () => ({ user_claim: '' }), 'user_claim'],
    ['a word of platforms', () => ({ allow: 'read,users' }), 'allow'],
    ['no word', () => ({ allow: '' }), 'allow'],
    ['perhaps new users', () => ({ create_users: 'perhaps' }), 'create_users'],
  ];
  for (const [what, form, field] of wrong) {
    test(`has not ${what}`, async () => {
      refused(await put(form()), 400, ['invalid_field', 'missing_field'], field);
      refused(await platform.call('GET', '/identity'), 400, 'identity_not_found');
    });
  }

  test('of a key with 1,024 bits is refused, among others it is left out', async () => {
    const { generateKeyPairSync } = await import('node:crypto');
    const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 1_024 });
    const short = publicKey.export({ format: 'jwk' });
    refused(await put({ jwks: keys(short) }), 400, 'invalid_field', 'jwks');
    const made = done(await put({ jwks: keys(short, issuer.jwk) })) as {
      jwks: { keys: unknown[] };
    };
    assert.equal(made.jwks.keys.length, 1);
    done(await platform.call('DELETE', '/identity'));
  });

  test('is not made during maintenance, and makes no user then', async () => {
    const { platform: own, issuer: its } = await identified({ create_users: 'True' });
    const { setReadOnly } = await import('../../src/database/instance.js');
    await setReadOnly(service.db, true);
    try {
      refused(await me(await its.sign('u')), 503, 'unavailable');
    } finally {
      await setReadOnly(service.db, false);
    }
    assert.equal(await usersOf(own), 0);
    done(await me(await its.sign('u')));
  });

  test('that is broken says so by a ServiceError', async () => {
    const { foreignTokens } = service.service.tenants;
    await assert.rejects(
      foreignTokens.verify('x'),
      (error: ServiceError) => error.code === 'unauthorized',
    );
  });
});
