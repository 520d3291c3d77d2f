import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { eventually } from '../../testkit/eventually.js';

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

const focusOf = (page: Page): Promise<string | undefined> =>
  page.evaluate<string | undefined>(focus);

/** Waits until a part of the page has the focus. */
export const focused = (page: Page, name: string): Promise<void> =>
  eventually(`the focus is on ${name}`, async () => ((await focusOf(page)) ?? '').startsWith(name));

/** Something has the focus, and shows it. */
export const assertFocus = (page: Page, after: string): Promise<void> =>
  eventually(
    `the focus is to be seen after ${after}`,
    async () => (await focusOf(page)) !== undefined,
  );

/** Presses Tab until it has come to a part of the page. */
export async function tabTo(page: Page, name: string): Promise<void> {
  for (let presses = 0; presses < 40; presses += 1) {
    const now = await focusOf(page);
    assert.ok(now !== undefined, 'each stop of Tab is to be seen');
    if (now.startsWith(name)) return;
    await page.keyboard.press('Tab');
  }
  assert.fail(`Tab does not reach ${name}`);
}
