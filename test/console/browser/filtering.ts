import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventually } from '../../../testkit/eventually.js';
import { seedFolder, seedImages, type SeededImage } from '../../../testkit/image-rows.js';
import { assertAccessible } from '../accessible.js';
import { assertNoProblems, counted, openConsole, type ConsoleWorld } from '../harness.js';
import { msg } from '../words.js';

const tops = `[...document.querySelectorAll('.filters .chip')]
  .map((chip) => chip.getBoundingClientRect().top)`;

export function testFiltering(world: ConsoleWorld): void {
  const { service } = world;

  test('filters are a row of one line in every window', async (t) => {
    const user = await service.user();
    const folder_id = await seedFolder(service, user, 'Site A');
    await seedImages(service, user, [{ folder_id, camera: 'Leica M11', place: [37.5, 127] }]);
    const path = `/library?folder=${folder_id}&below=1&camera=Leica+M11&placed=True`;
    const { page, problems } = await openConsole(world, t, { path, token: user.token });
    await page.locator('.tile').first().waitFor();
    for (const width of [390, 1280, 1920]) {
      await page.setViewportSize({ width, height: 900 });
      await eventually('the chips are beside each other', async () => {
        const chips = await page.evaluate<number[]>(tops);
        return chips.length > 1 && new Set(chips).size === 1;
      });
      await page.locator('.filters .chip').last().click();
      const wide = await page.evaluate<number>('document.documentElement.scrollWidth');
      assert.ok(wide <= width, `${wide} pixels wide`);
      await assertAccessible(page, `filters at ${width}`);
      await page.keyboard.press('Escape');
    }
    assertNoProblems(problems.filter((problem) => !problem.includes('404')));
  });

  test('a calendar says how many pictures each day has, and narrows to days', async (t) => {
    const user = await service.user();
    const on = (day: string): SeededImage => ({ taken_at: `2024-05-${day}T03:00:00Z` });
    await seedImages(service, user, [on('02'), on('02'), on('07'), on('30')]);
    const path = '/library?from=2024-05-02&to=2024-05-02';
    const { page, problems } = await openConsole(world, t, { path, token: user.token });
    await counted(page, 2);
    await page.locator('.filters .chip').first().click();
    const dayOf = (day: string, count: number) =>
      page.getByRole('button', { name: `${day}, ${msg('library.count', { count })}`, exact: true });
    const first = dayOf('Thu, May 2, 2024', 2);
    await first.waitFor();
    assert.equal(await first.getAttribute('aria-pressed'), 'true');
    await assertAccessible(page, 'a calendar');
    // The next press ends a period, and one after that begins anew.
    await dayOf('Tue, May 7, 2024', 1).click();
    await counted(page, 3);
    assert.match(page.url(), /from=2024-05-02&to=2024-05-07/);
    await dayOf('Thu, May 30, 2024', 1).click();
    await counted(page, 1);
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    await page
      .getByRole('button', { name: 'Sat, Jun 1, 2024' })
      .and(page.locator(':focus'))
      .waitFor();
    assertNoProblems(problems.filter((problem) => !problem.includes('404')));
  });
}
