import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hosted } from '../../../testkit/hosted-command.js';
import {
  assertNoProblems,
  atPage,
  databaseUrlOf,
  openConsole,
  signIn,
  type ConsoleWorld,
} from '../harness.js';
import { msg } from '../words.js';

export function testSigningIn(world: ConsoleWorld): void {
  const { service } = world;

  test('the link of "imgstore console" signs in once, and stays nowhere', async (t) => {
    const home = ['--home', service.home.dir, '--database-url', databaseUrlOf(service)];
    const ran = await hosted(['console', ...home, '--json']);
    assert.equal(ran.code, 0, ran.stderr);
    const { url } = JSON.parse(ran.stdout) as { url: string };
    const path = url.slice(world.url.length);
    const { page, problems } = await openConsole(world, t, { path });
    await atPage(page, msg('overview.title'));
    assert.equal(page.url(), `${world.url}/overview`);
    const kept: string = await page.evaluate(
      'JSON.stringify([localStorage, sessionStorage, history.state])',
    );
    assert.ok(!kept.includes(url.split('=').at(-1) ?? ''));
    assertNoProblems(problems);
    const again = await openConsole(world, t, { path });
    await again.page.getByText(msg('problem.link_used')).waitFor();
    const [act] = await service.db.query<{ act: string }[]>(
      `SELECT act FROM audit_acts ORDER BY id DESC LIMIT 1`,
    );
    assert.equal(act?.act, 'console.session');
  });

  test('a link is refused after ten minutes', async (t) => {
    const code = await service.service.tenants.consoleSignIn.makeCode();
    await service.db.query(`UPDATE console_codes SET expires_at = now() - interval '1 second'`);
    const { page } = await openConsole(world, t, { path: `/#code=${code}` });
    await page.getByText(msg('problem.link_used')).waitFor();
    const { status } = await service.client.post('/api/v1/auth/console', { form: { code } });
    assert.equal(status, 401);
  });

  test('a malformed token is refused at once', async (t) => {
    const { page, problems } = await openConsole(world, t);
    await page.getByLabel(msg('signIn.token')).fill('eyJhbGciOiJIUzI1NiJ9.eyJ');
    await page.getByRole('button', { name: msg('action.signIn') }).click();
    await page.getByText(msg('signIn.noToken')).waitFor();
    assertNoProblems(problems);
  });

  test('after a token that the server refuses, another one leads back to the same page', async (t) => {
    const token = await service.adminToken();
    const forged = `${token.slice(0, token.lastIndexOf('.'))}.AAAA`;
    const { page } = await openConsole(world, t, { path: '/platforms' });
    await page.getByLabel(msg('signIn.token')).fill(forged);
    await page.getByRole('button', { name: msg('action.signIn') }).click();
    await page.getByText(msg('signIn.refused')).waitFor();
    await signIn(page, token);
    await atPage(page, msg('platforms.title'));
    assert.equal(new URL(page.url()).pathname, '/console/platforms');
  });

  test('being offline is shown; once online again, the page continues by itself', async (t) => {
    const platform = await service.platform('offline');
    await service.service.tenants.users.create(platform.id, 'Kim');
    const { page } = await openConsole(world, t, { token: platform.token, own: true });
    await page.getByRole('cell', { name: 'Kim', exact: true }).waitFor();
    await page.context().setOffline(true);
    await page.getByLabel(msg('users.search')).fill('K');
    await page.getByText(msg('problem.offline')).waitFor();
    await page.context().setOffline(false);
    await page.getByText(msg('problem.offline')).waitFor({ state: 'detached' });
    await page.getByRole('cell', { name: 'Kim', exact: true }).waitFor();
  });
}
