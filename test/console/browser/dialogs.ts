import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { seedFolder, seedImages } from '../../../testkit/image-rows.js';
import { assertAccessible } from '../accessible.js';
import { assertNoProblems, atPage, openConsole, type ConsoleWorld } from '../harness.js';
import { msg } from '../words.js';

/** A key of a Korean keyboard that writes Hangul, pressed while nothing is typed into. */
const hangul = (page: Page, code: string, key: string): Promise<unknown> =>
  page.evaluate(`document.activeElement.dispatchEvent(new KeyboardEvent('keydown', {
    key: '${key}', code: '${code}', bubbles: true, cancelable: true }))`);

export function testDialogs(world: ConsoleWorld): void {
  const { service } = world;

  test('a dialog with words in it asks before it closes, and is not closed from beside', async (t) => {
    const platform = await service.platform();
    const user = await service.user(platform);
    const opening = { path: `/users/${user.id}`, token: platform.token };
    const { page, problems } = await openConsole(world, t, opening);
    const open = page.getByRole('button', { name: msg('holds.create'), exact: true });
    await open.click();
    const dialog = page.getByRole('dialog');
    const reason = dialog.getByLabel(msg('holds.reason'));
    // Nothing is lost yet.
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await open.click();
    await reason.fill('Case 118');
    const box = await reason.boundingBox();
    assert.ok(box);
    // Selects the text with the mouse, and lets it go beside the dialog.
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    await page.mouse.down();
    await page.mouse.move(20, 20, { steps: 3 });
    await page.mouse.up();
    assert.equal(await reason.inputValue(), 'Case 118');
    assert.equal(await dialog.getByText(msg('dialog.typed')).count(), 0);
    await page.mouse.click(20, 20);
    await dialog.getByText(msg('dialog.typed')).waitFor();
    await dialog
      .getByRole('button', { name: msg('dialog.stay') })
      .and(page.locator(':focus'))
      .waitFor();
    await assertAccessible(page, 'a dialog that asks');
    await page.keyboard.press('Escape');
    await dialog.getByText(msg('dialog.typed')).waitFor({ state: 'detached' });
    assert.equal(await reason.inputValue(), 'Case 118');
    await dialog.getByRole('button', { name: msg('action.close') }).click();
    await dialog.getByRole('button', { name: msg('dialog.leave') }).click();
    await dialog.waitFor({ state: 'detached' });
    assertNoProblems(problems);
  });

  test('shortcuts work while the keyboard writes Hangul', async (t) => {
    const user = await service.user();
    await seedFolder(service, user, 'Site A');
    const [image = ''] = await seedImages(service, user, [{}]);
    const { page } = await openConsole(world, t, { path: '/library', token: user.token });
    await page.getByRole('treeitem', { name: 'Site A' }).focus();
    await hangul(page, 'KeyM', 'ㅡ');
    const dialog = page.getByRole('dialog', { name: msg('library.moveTo', { count: 1 }) });
    await dialog.waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await page.goto(`${world.url}/library/images/${image}`);
    await page.getByRole('heading', { name: msg('picture.memos') }).waitFor();
    await hangul(page, 'KeyM', 'ㅡ');
    await page.getByRole('dialog', { name: msg('markUp.title') }).waitFor();
  });

  test('the skip link leads to the page; a date that is typed is one step back', async (t) => {
    const platform = await service.platform();
    const { page, problems } = await openConsole(world, t, {
      path: '/webhooks',
      token: platform.token,
    });
    await atPage(page, msg('webhooks.title'));
    await page.getByRole('link', { name: msg('shell.skip') }).press('Enter');
    assert.equal(await page.evaluate('document.activeElement.id'), 'page');
    assert.match(page.url(), /webhooks$/);
    await page.getByRole('link', { name: msg('audit.title') }).click();
    await atPage(page, msg('audit.title'));
    await page.getByRole('button', { name: msg('dates.title') }).click();
    const from = page.getByLabel(msg('dates.from'));
    for (const day of ['0002-05-01', '0020-05-01', '0202-05-01', '2024-05-01']) {
      await from.fill(day);
    }
    await page.waitForURL(/from=2024-05-01$/);
    await page.keyboard.press('Escape');
    await page.goBack();
    await page.waitForURL(/audit$/);
    await page.goBack();
    await atPage(page, msg('webhooks.title'));
    assertNoProblems(problems.filter((problem) => !problem.includes('400')));
  });
}
