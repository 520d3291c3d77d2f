import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { eventually } from '../../testkit/eventually.js';
import { seedFolder, seedImages } from '../../testkit/image-rows.js';
import { assertNoProblems, atPage, openConsole, type ConsoleWorld } from './harness.js';
import { msg } from './words.js';

/**
 * What has the focus, as readers see it; undefined if nothing has, or if it cannot be seen. A part of the
 * page that only the page itself gives the focus to needs no mark.
 */
const focus = `(() => {
  const node = document.activeElement;
  if (!node || node === document.body) return undefined;
  const within = node.getAttribute('aria-activedescendant');
  const shown = within === null ? node : document.getElementById(within);
  if (!shown) return undefined;
  const { left, right, top, bottom } = shown.getBoundingClientRect();
  const isInView = right > left && bottom > 0 && top < innerHeight && left < innerWidth;
  const isMarked = getComputedStyle(shown).outlineStyle !== 'none'
    || shown.matches('[tabindex="-1"], .search input') && within === null;
  const name = shown.getAttribute('aria-label') || shown.title || shown.textContent.trim() || shown.id;
  return isInView && isMarked ? name || shown.className : undefined;
})()`;

export function testKeyboard(world: ConsoleWorld): void {
  const { service } = world;

  /** Waits until a part of the page has the focus. */
  const focused = (page: Page, name: string): Promise<void> =>
    eventually(`the focus is on ${name}`, async () =>
      ((await page.evaluate<string | undefined>(focus)) ?? '').startsWith(name),
    );

  /** Something has the focus, and shows it. */
  const assertFocus = async (page: Page, after: string): Promise<void> => {
    await eventually(
      `the focus is to be seen after ${after}`,
      async () => (await page.evaluate<string | undefined>(focus)) !== undefined,
    );
  };

  const tabTo = async (page: Page, name: string): Promise<void> => {
    for (let presses = 0; presses < 40; presses += 1) {
      const now = await page.evaluate<string | undefined>(focus);
      assert.ok(now !== undefined, 'each stop of Tab is to be seen');
      if (now.startsWith(name)) return;
      await page.keyboard.press('Tab');
    }
    assert.fail(`Tab does not reach ${name}`);
  };

  test('the keyboard alone signs in, looks at pictures, trashes, undoes, and goes to the map and back', async (t) => {
    const user = await service.user();
    await seedImages(
      service,
      user,
      Array.from({ length: 4 }, (_, n) => ({ created_at: `2025-01-0${n + 1}T03:00:00Z` })),
    );
    const { page, problems } = await openConsole(world, t, { path: '/library', browser: {} });
    const { keyboard } = page;
    await page.getByLabel(msg('signIn.token')).waitFor();
    await keyboard.insertText(user.token);
    await keyboard.press('Enter');
    await page.locator('.tile').nth(3).waitFor();
    await assertFocus(page, 'signing in');

    // Nothing else has the focus: arrows begin in the grid.
    await keyboard.press('ArrowRight');
    await focused(page, msg('library.imageOf', { time: 'Jan 4' }));
    await keyboard.press('ArrowRight');
    await focused(page, msg('library.imageOf', { time: 'Jan 3' }));
    await keyboard.press('Enter');
    await page.getByText(msg('picture.position', { n: 2, of: 4 })).waitFor();
    await assertFocus(page, 'opening');
    await keyboard.press('ArrowRight');
    await page.getByText(msg('picture.position', { n: 3, of: 4 })).waitFor();
    await keyboard.press('ArrowLeft');
    await page.getByText(msg('picture.position', { n: 2, of: 4 })).waitFor();
    await assertFocus(page, 'stepping');
    // A button that leads nowhere any more has the focus no longer.
    await tabTo(page, msg('picture.next'));
    await keyboard.press('Enter');
    await page.getByText(msg('picture.position', { n: 3, of: 4 })).waitFor();
    await keyboard.press('Enter');
    await page.getByText(msg('picture.position', { n: 4, of: 4 })).waitFor();
    await assertFocus(page, 'the last image');
    const panel = page.getByRole('complementary', { name: msg('picture.details') });
    await panel.getByRole('heading', { name: msg('picture.memos') }).waitFor();
    await tabTo(page, msg('picture.closeDetails'));
    await keyboard.press('Enter');
    await panel.waitFor({ state: 'detached' });
    await assertFocus(page, 'closing the panel');
    await keyboard.press('i');
    await panel.waitFor();
    await keyboard.press('Escape');
    await atPage(page, msg('library.all'));
    await focused(page, msg('library.imageOf', { time: 'Jan 1' }));

    // The last one goes: the one before it is where the keyboard is.
    await keyboard.press('x');
    await page.getByText(msg('library.selected', { count: 1 })).waitFor();
    await keyboard.press('Delete');
    await page.getByText(msg('library.count', { count: 3 })).waitFor();
    await focused(page, msg('library.imageOf', { time: 'Jan 2' }));
    await keyboard.press('Control+z');
    await page.getByText(msg('library.count', { count: 4 })).waitFor();
    await assertFocus(page, 'undoing');

    // The same with the buttons, which go with the selection.
    await keyboard.press('x');
    await keyboard.press('Shift+Tab');
    await focused(page, msg('action.trash'));
    await keyboard.press('Enter');
    await page.getByText(msg('library.count', { count: 3 })).waitFor();
    await focused(page, msg('library.imageOf'));
    await keyboard.press('Control+z');
    await page.getByText(msg('library.count', { count: 4 })).waitFor();

    await page.getByRole('link', { name: msg('map.title') }).focus();
    await keyboard.press('Enter');
    await page.locator('.map-view[aria-busy=false]').waitFor();
    await assertFocus(page, 'opening the map');
    await page.goBack(); // what Alt+ArrowLeft does in a window
    await atPage(page, msg('library.all'));
    await assertFocus(page, 'coming back');

    await tabTo(page, msg('shell.account'));
    await keyboard.press('Enter');
    await page.getByRole('menuitem', { name: msg('action.signOut') }).press('Enter');
    await page.getByLabel(msg('signIn.token')).waitFor();
    await assertFocus(page, 'signing out');
    assertNoProblems(problems.filter((problem) => !problem.includes('404')));
  });

  test('dialogs and menus give the focus back to where they were opened', async (t) => {
    const user = await service.user();
    await seedFolder(service, user, 'Site A');
    await seedImages(service, user, [{}, {}]);
    const opening = { path: '/library', token: user.token, browser: {} };
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
