import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT, UnsecuredJWT } from 'jose';
import type { Config } from '../../base/config/options.js';
import type { OperatorError } from '../../base/errors/operator.js';
import { OidcProvider, reasonOf } from './oidc.js';
import { providerSettings } from './oidc-settings.js';

const platform = '01900000-0000-7000-8000-000000000001';
const publicUrl = 'http://127.0.0.1:1';

/** Answers by path, which a test may change. */
const answers: Record<string, RequestListener> = {};
const server = createServer((request, response) => {
  const answer = answers[request.url?.split('?')[0] ?? ''];
  if (answer) answer(request, response);
  else response.writeHead(404).end();
});
server.keepAliveTimeout = 0; // of a busy machine, connections rest for long
server.listen(0, '127.0.0.1');
await once(server, 'listening');
after(() => {
  server.close();
  server.closeAllConnections();
});
const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}/realms/office`;

const keys = await generateKeyPair('ES256');
const json =
  (body: unknown): RequestListener =>
  (_request, response) =>
    void response.setHeader('content-type', 'application/json').end(JSON.stringify(body));
const discovery = '/realms/office/.well-known/openid-configuration';
const document = {
  issuer,
  authorization_endpoint: `${issuer}/auth`,
  token_endpoint: `${issuer}/token`,
  userinfo_endpoint: `${issuer}/userinfo`,
  jwks_uri: `${issuer}/keys`,
  response_types_supported: ['code'],
  id_token_signing_alg_values_supported: ['ES256'],
  scopes_supported: ['openid', 'groups'],
};
const jwk = { ...(await exportJWK(keys.publicKey)), kid: 'k', alg: 'ES256' };

answers[discovery] = json(document);
answers['/realms/office/keys'] = json({ keys: [jwk] });

const configOf = (changes: Partial<Config> = {}): Config =>
  ({
    'oidc.issuer': issuer,
    'oidc.client_id': 'imgstore',
    'oidc.admins': ['groups=admins', 'email=a=b@a.example', 'level=3'],
    'oidc.platforms': [`groups=site:a:${platform.toUpperCase()}`],
    public_url: publicUrl,
    ...changes,
  }) as Config;

function providerOf(patience?: number): OidcProvider {
  const settings = providerSettings(configOf());
  assert.ok(settings);
  return new OidcProvider(settings, patience);
}

type Sign = (claims: JWTPayload) => Promise<string>;
const signed: Sign = (claims) =>
  new SignJWT(claims).setProtectedHeader({ alg: 'ES256', kid: 'k' }).sign(keys.privateKey);

/** Signs in somebody of whom the provider says this. @param sign makes the ID token. */
async function signIn(told: JWTPayload, info: Record<string, unknown> = {}, sign = signed) {
  const provider = providerOf();
  const { flow } = await provider.begin();
  const now = Math.floor(Date.now() / 1000);
  const id = { iss: issuer, aud: 'imgstore', sub: 's', iat: now, exp: now + 60, nonce: flow.nonce };
  const tokens = { access_token: 'x', token_type: 'bearer' };
  answers['/realms/office/token'] = (request, response) => {
    sign({ ...id, ...told }).then(
      (id_token) => json({ ...tokens, id_token })(request, response),
      () => response.destroy(),
    );
  };
  answers['/realms/office/userinfo'] = json({ sub: 's', ...info });
  return provider.finish(`code=c&state=${flow.state}`, flow);
}

test('claims of the ID token count, and those of userinfo that it does not have', async () => {
  const admin = { name: 'Kim', platformIds: null };
  const clerk = { name: 'Kim', platformIds: [platform] };
  const name = 'Kim';
  for (const [told, info, person] of [
    [{ name, groups: ['x', 'admins'] }, {}, admin],
    [{ name }, { groups: 'admins' }, admin],
    [{ name, groups: ['site:a'] }, { groups: ['admins'] }, clerk],
    [{ name, groups: ['site:a', 'admins'] }, {}, admin],
    [{ name, level: 3 }, {}, admin],
    [{ name, groups: 'Admins' }, {}, undefined],
    [{ name, groups: { admins: true } }, {}, undefined],
    [{ name, groups: ['admins,site:a'] }, {}, undefined],
    [{ name, email: 'a=b@a.example', email_verified: true }, {}, admin],
    [{ name, email: 'a=b@a.example' }, {}, undefined],
    [{ name, email: 'a=b@a.example', email_verified: 'true' }, {}, undefined],
    [{ name, email: 'a=b@a.example', email_verified: false }, {}, undefined],
    [{ name, email: 'a=b@a.example' }, { email_verified: true }, undefined],
    [{ name }, { email: 'a=b@a.example', email_verified: true }, admin],
  ] as const) {
    const found = await signIn(told, info);
    assert.deepEqual(found.person, person, JSON.stringify([told, info]));
  }
});

test('a person is called by name, else user name, else e-mail address', async () => {
  const called = async (told: JWTPayload): Promise<string> => (await signIn(told)).name;
  const all = { name: ' Kim\u202e\n', preferred_username: 'kim', email: 'kim@a.example' };
  assert.equal(await called(all), 'Kim\\u202e');
  assert.equal(await called({ ...all, name: '' }), 'kim');
  assert.equal(await called({ ...all, name: ['x'], preferred_username: undefined }), all.email);
  assert.equal(await called({}), 's');
  assert.equal((await called({ name: 'x'.repeat(1_000) })).length, 200);
});

test('an ID token that is not signed, or by somebody else, or for another, is refused', async () => {
  const stranger = (await generateKeyPair('ES256')).privateKey;
  const good = { groups: ['admins'] };
  for (const [told, sign] of [
    [{}, async (claims) => new UnsecuredJWT(claims).encode()],
    [
      {},
      (claims) => new SignJWT(claims).setProtectedHeader({ alg: 'ES256', kid: 'k' }).sign(stranger),
    ],
    [
      {},
      (claims) => new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).sign(Buffer.alloc(32)),
    ],
    [{ nonce: 'another' }, signed],
    [{ iss: `${issuer}/` }, signed],
    [{ aud: 'another' }, signed],
    [{ exp: 1 }, signed],
  ] as readonly (readonly [JWTPayload, Sign])[]) {
    await assert.rejects(signIn({ ...good, ...told }, {}, sign), JSON.stringify(told));
  }
  assert.ok((await signIn(good)).person);
});

test('the scopes of the claims that decide are asked for where there are such', async () => {
  const { location } = await providerOf().begin();
  const { searchParams } = new URL(location);
  assert.equal(searchParams.get('scope'), 'openid profile email groups');
  assert.equal(searchParams.get('redirect_uri'), `${publicUrl}/console/signed-in`);
  assert.equal(searchParams.get('code_challenge_method'), 'S256');
});

test('what is wrong with a provider is said, and it is asked again', async () => {
  const [usual, impatient] = [providerOf(), providerOf(1)];
  const reason = (provider: OidcProvider): Promise<string> =>
    provider.begin().then(
      () => 'none',
      (error: unknown) => reasonOf(error),
    );
  for (const [answer, said] of [
    [json({ ...document, issuer: `${issuer}/` }), `it calls itself ${issuer}/`],
    [(_request, response) => void response.writeHead(404).end(), 'HTTP response status code'],
    [(_request, response) => void response.writeHead(302, { location: '/' }).end(), 'status code'],
    [(_request, response) => void response.end('<p>'), 'content-type'],
    [(_request, response) => void response.destroy(), 'other side closed'],
    [json({ ...document, padding: 'x'.repeat(2 ** 20) }), 'more than 1048576 bytes'],
    [() => undefined, 'timed out'],
    [
      (_request, response) => {
        response.setHeader('content-type', 'application/json').write('{');
        const beats = setInterval(() => response.write(' '), 100);
        response.on('close', () => clearInterval(beats));
      },
      'due to timeout',
    ],
  ] as readonly (readonly [RequestListener, string])[]) {
    answers[discovery] = answer;
    const found = await reason(said.includes('time') ? impatient : usual);
    assert.ok(found.includes(said), `${found}: ${said}`);
  }
  answers[discovery] = json(document);
  assert.equal(await reason(usual), 'none');
});

test('settings that lack one another are named', () => {
  const none = {
    'oidc.issuer': undefined,
    'oidc.client_id': undefined,
    'oidc.admins': [],
    'oidc.platforms': [],
  };
  assert.equal(providerSettings(configOf(none)), undefined);
  for (const [changes, missing] of [
    [{ ...none, 'oidc.client_id': 'x' }, 'oidc.issuer'],
    [{ public_url: undefined }, 'public_url'],
    [{ 'oidc.client_id': undefined, public_url: undefined }, 'oidc.client_id, public_url'],
    [{ 'oidc.admins': [], 'oidc.platforms': [] }, 'oidc.admins'],
  ] satisfies readonly [Partial<Config>, string][]) {
    assert.throws(
      () => providerSettings(configOf(changes)),
      (error: OperatorError) => error.message.endsWith(` is missing ${missing}.`),
    );
  }
});
