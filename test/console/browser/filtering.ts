import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seedFolder, seedImages } from '../../../testkit/image-rows.js';
import { assertAccessible } from '../accessible.js';
import { assertNoProblems, openConsole, type ConsoleWorld } from '../harness.js';

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
      const chips = await page.evaluate<number[]>(tops);
      assert.ok(chips.length > 1 && new Set(chips).size === 1, 'the chips are beside each other');
      await page.locator('.filters .chip').last().click();
      const wide = await page.evaluate<number>('document.documentElement.scrollWidth');
      assert.ok(wide <= width, `${wide} pixels wide`);
      await assertAccessible(page, `filters at ${width}`);
      await page.keyboard.press('Escape');
    }
    assertNoProblems(problems.filter((problem) => !problem.includes('404')));
  });
}
