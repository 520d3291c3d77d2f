import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { secondMs } from '../../../src/base/units.js';
import { operatorName } from '../../../src/http/audit/acts.js';
import { eventually } from '../../../testkit/eventually.js';
import {
  asksForToken,
  assertNoProblems,
  atPage,
  type ConsoleWorld,
  keptIn,
  openConsole,
  signIn,
} from '../harness.js';
import { msg } from '../words.js';

const hour = 3_600;

export function testSessions(world: ConsoleWorld): void {
  const { service } = world;
  const { tenants } = service.service;
  const adminTokenFor = (seconds: number): Promise<string> =>
    service.db.transaction((tx) =>
      tenants.tokens.issueOfSession({}, { id: randomUUID(), name: '', lifetime: seconds }, tx),
    );

  test('anything but a token of this console is ignored in the storage of a tab', async (t) => {
    const { page, problems } = await openConsole(world, t, { token: await service.adminToken() });
    await atPage(page, msg('overview.title'));
    const [name = ''] = await page.evaluate<string[]>('Object.keys(sessionStorage)');
    await page.evaluate(`sessionStorage.setItem('${name}', '{"token":1}')`);
    await page.reload();
    await asksForToken(page);
    assert.deepEqual(await keptIn(page), []);
    assertNoProblems(problems);
  });

  test('a refused or expired token leaves the storage of its tab at once', async (t) => {
    const revoked = await service.platform();
    const { page } = await openConsole(world, t, { token: revoked.token });
    await atPage(page, msg('users.title'));
    // A request still on its way would be refused before the reload, which forgets why a session ended.
    await page.waitForLoadState('networkidle');
    await tenants.tokens.revokePlatform(revoked.id);
    await page.reload();
    await page.getByText(msg('signIn.refused')).waitFor();
    assert.deepEqual(await keptIn(page), []);

    await signIn(page, await service.adminToken());
    const [name = ''] = await page.evaluate<string[]>('Object.keys(sessionStorage)');
    const expired = await adminTokenFor(-hour);
    await page.evaluate(`sessionStorage.setItem('${name}', '${expired}')`);
    await page.reload();
    await page.getByText(msg('signIn.expired')).waitFor();
    assert.deepEqual(await keptIn(page), []);
  });

  test('a session ends when its token expires, and continues at the same page', async (t) => {
    const { page } = await openConsole(world, t, { own: true });
    await page.clock.install();
    await signIn(page, await adminTokenFor(hour));
    await atPage(page, msg('overview.title'));
    await page.goto(`${world.url}/platforms`);
    await atPage(page, msg('platforms.title'));
    await page.clock.fastForward(hour * secondMs);
    await page.getByText(msg('signIn.expired')).waitFor();
    assert.deepEqual(await keptIn(page), []);
    await signIn(page, await service.adminToken());
    await atPage(page, msg('platforms.title'));
  });

  test('a user who signs out does not stay', async (t) => {
    const user = await service.user();
    const { code } = await tenants.consoleSignIn.makeUserCode(undefined, user.id);
    const { page } = await openConsole(world, t, { own: true, path: `/#sign-in=${code}` });
    await page.getByRole('button', { name: msg('action.signIn') }).click();
    await atPage(page, msg('library.all'));
    await page.getByRole('button', { name: msg('shell.account') }).click();
    await page.getByRole('menuitem', { name: msg('action.signOut') }).click();
    await asksForToken(page);
    await eventually('it has ended', async () => {
      return (await tenants.sessions.ofUser(undefined, user.id)).length === 0;
    });
    await page.reload();
    await asksForToken(page);
    // Its link is spent, and says so.
    await page.goto(`${world.url}/#sign-in=${code}`);
    await page.getByRole('button', { name: msg('action.signIn') }).click();
    await page.getByText(msg('problem.user_link_used')).waitFor();
  });

  test('a link signs in an open tab, whoever is signed in there', async (t) => {
    const user = await service.user();
    const codes = [await tenants.consoleSignIn.makeCode(), await tenants.consoleSignIn.makeCode()];
    const { page, problems } = await openConsole(world, t);
    await asksForToken(page);
    // As if it were pasted into the address bar: only the hash changes.
    await page.evaluate(`location.hash = 'code=${codes[0]}'`);
    await atPage(page, msg('overview.title'));
    assert.equal(page.url(), `${world.url}/overview`);

    const other = await openConsole(world, t, { path: '/library', token: user.token });
    await atPage(other.page, msg('library.all'));
    await other.page.evaluate(`location.hash = 'code=${codes[1]}'`);
    await atPage(other.page, msg('overview.title'));
    assert.equal(other.page.url(), `${world.url}/overview`);
    await other.page
      .getByRole('button', {
        name: msg('shell.account', { name: `${operatorName()} · ${msg('scope.admin')}` }),
      })
      .waitFor();

    // A link that is spent signs in nobody, and says so.
    await other.page.goto(`${world.url}/#code=${codes[0]}`);
    await other.page.getByText(msg('problem.link_used')).waitFor();
    assert.equal(other.page.url(), `${world.url}/`);
    assert.deepEqual(await keptIn(other.page), []);
    await signIn(other.page, user.token);
    await atPage(other.page, msg('library.all'));
    await other.page.getByRole('button', { name: msg('shell.account') }).click();
    await other.page.getByRole('menuitem', { name: msg('action.signOut') }).click();
    await asksForToken(other.page);
    assert.equal(await other.page.getByRole('alert').count(), 0, 'the problem is over');
    assertNoProblems([...problems, ...other.problems]);
  });
}
