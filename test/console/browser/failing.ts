import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventually } from '../../../testkit/eventually.js';
import { assertAccessible } from '../accessible.js';
import { assertNoProblems, atPage, openConsole, signIn, type ConsoleWorld } from '../harness.js';
import { msg } from '../words.js';

export function testFailing(world: ConsoleWorld): void {
  const { service } = world;

  test('a URL that is not percent-encoded UTF-8 has a page that says so, and a way on', async (t) => {
    const { token } = await service.user();
    const { page, problems } = await openConsole(world, t, { path: '/library/images/%E0', token });
    await page.getByText(msg('shell.nothing')).waitFor();
    await page
      .locator('#page')
      .getByRole('link', { name: msg('library.title') })
      .click();
    await atPage(page, msg('library.all'));
    assertNoProblems(problems);
  });

  test('an error while a page is drawn leaves the menu, says what happened, and passes', async (t) => {
    const { page, problems } = await openConsole(world, t, { path: '/platforms' });
    let broken = true;
    await page.route('**/api/v1/status', async (route) => {
      const answer = (await (await route.fetch()).json()) as { result: object };
      await route.fulfill({ json: broken ? { ...answer, result: { totals: {} } } : answer });
    });
    await page.getByLabel(msg('signIn.token')).fill(await service.adminToken());
    await page.getByRole('button', { name: msg('action.signIn') }).click();
    await atPage(page, msg('platforms.title'));
    const overview = page
      .getByRole('navigation')
      .getByRole('link', { name: msg('overview.title') });
    const note = page.getByRole('alert').filter({ hasText: msg('shell.broken') });
    await overview.click();
    await note.getByText(/undefined/).waitFor();
    await note.getByRole('link', { name: msg('shell.start') }).waitFor();
    await assertAccessible(page, 'broken page');
    assert.ok(problems.length > 0, 'developers see it in the console of the browser');

    await page.getByRole('link', { name: msg('platforms.title') }).click();
    await atPage(page, msg('platforms.title'));
    await overview.click();
    await note.waitFor();
    broken = false;
    await note.getByRole('button', { name: msg('action.retry') }).click();
    await atPage(page, msg('overview.title'));
    await page.getByText(msg('overview.ready')).waitFor();
  });

  test('a page whose answer takes long says that it waits', async (t) => {
    const { page } = await openConsole(world, t, { path: '/platforms' });
    let answer = (): void => undefined;
    const answering = new Promise<void>((resolve) => (answer = resolve));
    await page.route('**/api/v1/status', async (route) => {
      await answering;
      await route.continue();
    });
    await signIn(page, await service.adminToken());
    await atPage(page, msg('platforms.title'));
    const line = page.locator('.waiting-line');
    await line.waitFor({ state: 'detached' });
    await page
      .getByRole('navigation')
      .getByRole('link', { name: msg('overview.title') })
      .click();
    await line.waitFor();
    await eventually('the line is seen', async () => {
      return (await page.evaluate<string>(opacity)) === '1';
    });
    answer();
    await page.getByText(msg('overview.ready')).waitFor();
    await line.waitFor({ state: 'detached' });
  });
}

const opacity = `getComputedStyle(document.querySelector('.waiting-line')).opacity`;
