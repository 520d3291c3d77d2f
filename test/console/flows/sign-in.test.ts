import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { needsChromium, openChromium } from '../../../testkit/chromium.js';
import { eventually } from '../../../testkit/eventually.js';
import { hosted } from '../../../testkit/hosted-command.js';
import { clientId, clientSecret, OfficeProvider } from '../../../testkit/oidc-provider.js';
import { lastFirst } from '../../../testkit/scope.js';
import { ownService } from '../../../testkit/service.js';
import { asksForToken, atPage, databaseUrlOf, keptIn, openConsole } from '../harness.js';
import { msg } from '../words.js';

describe('people who sign in at a provider, in Chromium', needsChromium, async () => {
  if (needsChromium.skip !== undefined) return;
  const scope = lastFirst({ after });
  const service = await ownService(scope);
  const { sessions } = service.service.tenants;
  const [harbour, bridge] = [await service.platform('Harbour'), await service.platform('Bridge')];
  const node = await service.node();
  const provider = await OfficeProvider.start(scope, {
    redirectUri: `${node.url}/console/signed-in`,
    people: {
      kim: { name: 'Kim Min-ji', groups: ['admins'] },
      lee: { name: 'Lee Jun', groups: ['harbour', 'bridge'] },
    },
  });
  const secretFile = join(service.home.dir, 'oidc-secret');
  await writeFile(secretFile, clientSecret);
  await node.stop();
  await node.start({
    public_url: node.url,
    'oidc.issuer': provider.issuer,
    'oidc.client_id': clientId,
    'oidc.client_secret_file': secretFile,
    'oidc.admins': ['groups=admins'],
    'oidc.platforms': [`groups=harbour:${harbour.id}`, `groups=bridge:${bridge.id}`],
  });
  const world = { service, browser: await openChromium(scope), url: `${node.url}/console` };

  const begin = (page: Page): Promise<void> =>
    page
      .getByRole('link', { name: msg('signIn.with', { provider: new URL(provider.issuer).host }) })
      .click();
  const account = (page: Page, name: string) =>
    page.getByRole('button', { name: msg('shell.account', { name }) });

  test('an administrator signs in, and signs out on the server, too', async (t) => {
    provider.person = 'kim';
    const { page } = await openConsole(world, t, { own: true });
    await begin(page);
    await atPage(page, msg('overview.title'));
    assert.equal(page.url(), `${world.url}/overview`);
    await account(page, `Kim Min-ji · ${msg('scope.admin')}`).click();
    assert.equal((await sessions.list()).length, 1);
    await page.getByRole('menuitem', { name: msg('action.signOut') }).click();
    await asksForToken(page);
    assert.deepEqual(await keptIn(page), []);
    await eventually('the session ends', async () => (await sessions.list()).length === 0);

    // Whoever comes next would still be this person at the provider, unless they sign out there, too.
    provider.person = 'lee';
    await begin(page);
    await account(page, `Kim Min-ji · ${msg('scope.admin')}`).click();
    await page.getByRole('menuitem', { name: msg('action.signOut') }).click();
    await page.getByRole('link', { name: msg('signIn.leave') }).click();
    await page.getByRole('button', { name: 'Yes, sign me out' }).click();
    await page.waitForURL(/session\/end\/success/);
    await page.goto(world.url);
    await begin(page);
    await page.getByRole('button', { name: 'Harbour', exact: true }).waitFor();
  });

  test('an administrator, and a clerk who chose a platform, are out when the terminal ends their session', async (t) => {
    for (const [person, name] of [
      ['kim', `Kim Min-ji · ${msg('scope.admin')}`],
      ['lee', 'Lee Jun · Harbour'],
    ] as const) {
      provider.person = person;
      const { page } = await openConsole(world, t, { own: true });
      await begin(page);
      if (person === 'lee') {
        await page.getByRole('button', { name: 'Harbour', exact: true }).click();
      }
      await account(page, name).waitFor();
      await atPage(page, msg(person === 'kim' ? 'overview.title' : 'users.title'));
      const [session] = await sessions.list();
      const home = ['--home', service.home.dir, '--database-url', databaseUrlOf(service)];
      const ended = await hosted(['session', 'end', session?.id ?? '', ...home]);
      assert.equal(ended.code, 0, ended.stderr);
      // The next request to the other node is refused.
      await page.reload();
      await page.getByText(msg('signIn.refused')).waitFor();
      assert.deepEqual(await keptIn(page), []);
    }
  });
});
