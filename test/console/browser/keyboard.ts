import { test } from 'node:test';
import { seedFolder, seedImages } from '../../../testkit/image-rows.js';
import { assertFocus, focused } from '../focus.js';
import { assertNoProblems, openConsole, type ConsoleWorld } from '../harness.js';
import { msg } from '../words.js';

export function testKeyboard(world: ConsoleWorld): void {
  const { service } = world;

  test('dialogs and menus give the focus back to where they were opened', async (t) => {
    const user = await service.user();
    await seedFolder(service, user, 'Site A');
    await seedImages(service, user, [{}, {}]);
    const opening = { path: '/library', token: user.token };
    const { page, problems } = await openConsole(world, t, opening);
    const { keyboard } = page;
    await page.locator('.tile').nth(1).waitFor();
    await page.getByRole('grid').focus();
    await keyboard.press('m');
    await page.getByRole('dialog').waitFor();
    await assertFocus(page, 'asking for a folder');
    await keyboard.press('Escape');
    await focused(page, msg('library.imageOf'));

    await keyboard.press('x');
    await page.getByRole('button', { name: msg('action.link'), exact: true }).focus();
    await keyboard.press('Enter');
    await page.getByLabel(msg('links.title')).and(page.locator(':focus')).waitFor();
    await keyboard.press('Enter');
    await page.getByRole('dialog').locator('code').waitFor();
    await assertFocus(page, 'making a link');
    await keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await assertFocus(page, 'the link has been made');

    await page.getByRole('link', { name: msg('links.heading') }).focus();
    await keyboard.press('Enter');
    await page.getByRole('button', { name: msg('links.end') }).press('Enter');
    await page
      .getByRole('dialog')
      .getByRole('button', { name: msg('links.end') })
      .press('Enter');
    await page.getByText(msg('links.none')).waitFor();
    await assertFocus(page, 'the link has ended');

    const folder = page.getByRole('treeitem', { name: 'Site A' });
    await folder.press('Delete');
    await folder.waitFor({ state: 'detached' });
    await focused(page, msg('library.root'));
    assertNoProblems(problems.filter((problem) => !problem.includes('404')));
  });
}
