import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { OwnedSession } from '../../src/http/auth/sessions.js';
import { Client } from '../../testkit/client.js';
import { done, refused } from '../../testkit/expect.js';
import { settled } from '../../testkit/feeds.js';
import { clientId, clientSecret, OfficeProvider } from '../../testkit/oidc-provider.js';
import { OfficeVisitor } from '../../testkit/office-visitor.js';
import { lastFirst } from '../../testkit/scope.js';
import { ownService } from '../../testkit/service.js';

/** What the exchange of a code answers. */
interface Exchanged {
  readonly access_token?: string;
  readonly expires_in?: number;
  readonly platforms?: readonly { readonly id: string; readonly name: string }[];
}

interface AuditPage {
  readonly entries: readonly {
    readonly act: string;
    readonly actor: string;
    readonly token: { readonly id: string; readonly name: string } | null;
  }[];
}

// A proxy in front takes the path away.
const publicUrl = 'https://photos.example/app';
const [start, callback] = [`${publicUrl}/console/sign-in`, `${publicUrl}/console/signed-in`];
const exit = `${publicUrl}/console/sign-out`;
const signedIn = `${publicUrl}/console/#code=`;

const people = {
  kim: { name: 'Kim Min-ji', groups: ['staff', 'imgstore-admins'] },
  lee: {
    name: 'Lee <b>Jun</b>',
    groups: ['harbour'],
    email: 'lee@a.example',
    email_verified: true,
  },
  park: { preferred_username: 'park', groups: ['harbour', 'bridge'] },
  choi: { name: 'Choi <i>', groups: ['staff'], email: 'choi@a.example', email_verified: true },
  jung: { name: 'Jung', email: 'boss@a.example', email_verified: false },
  yoon: { name: 'Yoon', email: 'boss@a.example', email_verified: true },
} as const;

const scope = lastFirst({ after });
const service = await ownService(scope);
const provider = await OfficeProvider.start(scope, { redirectUri: callback, people });
const secretFile = join(service.home.dir, 'oidc-secret');
const [harbour, bridge] = [await service.platform('Harbour'), await service.platform('Bridge')];
const node = await service.node();
const client = new Client(node.url);

describe('signing in at an OpenID Connect provider', () => {
  const restart = async (): Promise<void> => {
    await node.stop();
    await node.start({
      public_url: publicUrl,
      'oidc.issuer': provider.issuer,
      'oidc.client_id': clientId,
      'oidc.client_secret_file': secretFile,
      'oidc.admins': ['groups=imgstore-admins', 'email=boss@a.example'],
      'oidc.platforms': [`groups=harbour:${harbour.id}`, `groups=bridge:${bridge.id}`],
    });
  };
  before(async () => {
    await writeFile(secretFile, `${clientSecret}\n`);
    await restart();
  });

  const visitor = (): OfficeVisitor => new OfficeVisitor(publicUrl, node.url);

  /** Signs a person in at the provider. @returns the code for the console. */
  async function codeOf(person: keyof typeof people): Promise<string> {
    provider.person = person;
    return (await visitor().follow(start, signedIn)).slice(signedIn.length);
  }

  const exchange = (code: string, form: Record<string, string> = {}) =>
    client.post<Exchanged>('/api/v1/auth/console', {
      form: { code, ...form },
      headers: { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0' },
    });

  async function tokenOf(person: keyof typeof people): Promise<string> {
    const { access_token } = done(await exchange(await codeOf(person)));
    assert.ok(access_token);
    return access_token;
  }

  const sessions = (): Promise<OwnedSession[]> => service.service.tenants.sessions.list();

  const asClerk = <R>(token: string, path = '') =>
    service.client.get<R>(`/api/v1/platforms/${harbour.id}${path}`, { as: ['Platform', token] });

  test('asks the provider for nothing before somebody signs in', async () => {
    assert.equal((await client.raw('GET', '/console/')).status, 200);
    assert.deepEqual(provider.asked, []);
    const settings = (await (await client.raw('GET', '/console/settings.json')).json()) as object;
    assert.deepEqual('office' in settings && settings.office, {
      url: start,
      exit,
      provider: new URL(provider.issuer).host,
    });
  });

  test('an administrator gets a session of 12 hours, which the audit names', async () => {
    provider.person = 'kim';
    const browser = visitor();
    const code = (await browser.follow(start, signedIn)).slice(signedIn.length);
    const [begun = '', ended = ''] = browser.given;
    assert.match(
      begun,
      /^__Host-imgstore_sign_in=[\w-]+; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax; Secure$/,
    );
    assert.match(ended, /^__Host-imgstore_sign_in=; Max-Age=0;/);
    const { access_token: token = '', expires_in } = done(await exchange(code));
    assert.equal(expires_in, 12 * 60 * 60);
    refused(await exchange(code), 401, 'unauthorized');
    const as = ['Admin', token] as const;
    done(await service.client.post('/api/v1/platforms', { as }));
    const [session] = await sessions();
    const { id, name, device, platform_id, user_id } = session ?? {};
    assert.deepEqual(
      [name, device, platform_id, user_id],
      ['Kim Min-ji', 'Firefox on Linux', null, null],
    );
    const { entries } = done(await service.client.get<AuditPage>('/api/v1/audit', { as }));
    assert.deepEqual(
      entries.slice(0, 2).map(({ act, actor, token: used }) => [act, actor, used]),
      ['platform.create', 'console.session'].map((act) => [act, 'admin', { id, name }]),
    );
  });

  test("a clerk has one platform's session, which ends on another node with the users' tokens", async () => {
    const user = await harbour.user();
    const token = await tokenOf('lee');
    const path = `/users?platform_user_id=${user.record.platform_user_id}`;
    const [found] = done(await asClerk<{ access_token: string }[]>(token, path));
    const as = ['User', found?.access_token ?? ''] as const;
    const folders = `/api/v1/users/${user.id}/folders`;
    const form = { title: 'of the clerk' };
    done(await service.client.post(folders, { as, form }));
    const [session] = await sessions();
    const used = { id: session?.id, name: 'Lee <b>Jun</b>' };
    await settled(service.db);
    const feed = done(
      await user.tenant.call<{ changes: { type: string; token?: object }[] }>('GET', '/changes'),
    );
    assert.deepEqual(feed.changes.find(({ type }) => type === 'folder')?.token, used);
    const audit = done(await asClerk<AuditPage>(token, '/audit'));
    assert.deepEqual(audit.entries.find(({ token: by }) => by)?.token, used);
    refused(await client.get('/api/v1/status', { as: ['Admin', token] }), 401, 'unauthorized');
    await service.service.tenants.sessions.end(session?.id);
    for (const there of [client, service.client]) {
      const path = `/api/v1/platforms/${harbour.id}`;
      refused(await there.get(path, { as: ['Platform', token] }), 401, 'token_revoked');
      refused(await there.get(folders, { as }), 401, 'token_revoked');
    }
    assert.ok((await sessions()).every(({ id }) => id !== session?.id));
  });

  test('of several platforms one is chosen, and the code lasts until then', async () => {
    const code = await codeOf('park');
    const choice = [
      { id: bridge.id, name: 'Bridge' },
      { id: harbour.id, name: 'Harbour' },
    ];
    assert.deepEqual(done(await exchange(code)), { platforms: choice });
    assert.deepEqual(done(await exchange(code)), { platforms: choice });
    const other = await service.platform();
    for (const platform_id of [other.id, 'x']) {
      refused(await exchange(code, { platform_id }), 400, 'platform_not_found');
    }
    const { access_token: token = '' } = done(await exchange(code, { platform_id: harbour.id }));
    done(await asClerk(token));
    assert.equal((await sessions())[0]?.name, 'park');
    refused(await exchange(code, { platform_id: bridge.id }), 401, 'unauthorized');
  });

  test('signing out ends the session on the server', async () => {
    const token = await tokenOf('yoon');
    const as = ['Admin', token] as const;
    const { device } = done(
      await client.delete<{ device: string }>('/api/v1/auth/session', { as }),
    );
    assert.equal(device, 'Firefox on Linux');
    refused(await service.client.get('/api/v1/status', { as }), 401, 'token_revoked');
  });

  test('signing out at the provider, too, leads to its page for that', async () => {
    const response = await visitor().get(exit);
    assert.equal(response.status, 302);
    const location = response.headers.get('location');
    assert.equal(location, `${provider.issuer}/session/end?client_id=${clientId}`);
    assert.deepEqual(response.headers.getSetCookie(), []);
    assert.equal((await visitor().get(location)).status, 200);
  });

  test('of a provider without such a page, people are told so', async () => {
    await restart(); // it forgets what it knows of the provider
    const { issuer } = provider;
    const endpoints = {
      authorization_endpoint: `${issuer}/auth`,
      token_endpoint: `${issuer}/token`,
    };
    provider.instead = (_request, response) =>
      void response
        .setHeader('Content-Type', 'application/json')
        .end(JSON.stringify({ issuer, ...endpoints, jwks_uri: `${issuer}/jwks` }));
    const response = await visitor().get(exit);
    assert.equal(response.status, 404);
    assert.ok((await response.text()).includes(`Sign out at ${new URL(issuer).host} itself.`));
    provider.instead = undefined;
    await restart();
  });

  /** The page that a sign-in ends with that fails, and its status. */
  async function problemOf(person: keyof typeof people | ''): Promise<[number, string]> {
    provider.person = person;
    const browser = visitor();
    const back = await browser.follow(start, `${callback}?`);
    const response = await browser.get(back);
    assert.equal(response.headers.get('content-type'), 'text/html; charset=utf-8');
    assert.match(response.headers.get('content-security-policy') ?? '', /default-src 'none'/);
    return [response.status, await response.text()];
  }

  test('whoever matches nothing is told what decides, and has no session', async () => {
    const before = await sessions();
    for (const person of ['choi', 'jung'] as const) {
      const [status, page] = await problemOf(person);
      assert.equal(status, 403);
      assert.match(page, /these claims of the provider: groups, email\./);
      assert.ok(!/imgstore-admins|boss@|staff/.test(page), page);
      assert.ok(!page.includes('<i>'), page);
    }
    assert.deepEqual(await sessions(), before);
  });

  test('what the provider says is text', async () => {
    const [status, page] = await problemOf('');
    assert.equal(status, 403);
    assert.ok(page.includes('access_denied: not &#60;b&#62;today&#60;/b&#62;'), page);
  });

  test('an answer of the provider works once, in the browser that asked', async () => {
    provider.person = 'kim';
    const [mine, other] = [visitor(), visitor()];
    const back = await mine.follow(start, `${callback}?`);
    assert.equal((await visitor().get(back)).status, 400, 'a browser that has not begun');
    await other.get(start);
    assert.equal((await other.get(back)).status, 400, 'a browser that has begun another sign-in');
    const [cookie = ''] = mine.given;
    const replay = () =>
      client.raw('GET', new URL(back).pathname.slice('/app'.length) + new URL(back).search, {
        headers: { cookie: cookie.split(';')[0] ?? '' },
      });
    assert.equal((await mine.get(back)).status, 302);
    assert.equal((await mine.get(back)).status, 400, 'the cookie is gone');
    assert.equal((await replay()).status, 403, 'the code is spent');
    const forged = `${back.replace(/state=[^&]+/, 'state=x')}`;
    await mine.get(start);
    assert.equal((await mine.get(forged)).status, 400);
  });

  test('an ID token with another nonce is refused', async () => {
    provider.person = 'kim';
    const browser = visitor();
    const asked = await browser.follow(start, provider.issuer);
    assert.match(asked, /[?&]code_challenge_method=S256(&|$)/);
    const back = await browser.follow(asked.replace(/nonce=[^&]+/, 'nonce=x'), `${callback}?`);
    assert.equal((await browser.get(back)).status, 503);
  });

  test('a provider that fails is said so, and asked again with the next sign-in', async () => {
    await restart(); // it forgets what it knows of the provider
    provider.instead = (_request, response) => void response.destroy();
    const response = await visitor().get(start);
    assert.equal(response.status, 503);
    assert.match(await response.text(), /The provider does not answer/);
    provider.instead = undefined;
    assert.equal((await visitor().get(start)).status, 302);
  });

  test('too many steps of one client are refused', async () => {
    let status = 0;
    for (let n = 0; n < 1_000 && status !== 429; n += 1) {
      ({ status } = await visitor().get(callback));
    }
    assert.equal(status, 429);
  });
});
