import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { rows } from '../../src/database/sql.js';
import { seedFolder, seedImages } from '../../testkit/image-rows.js';
import { assertAccessible } from './accessible.js';
import { assertNoProblems, atPage, openConsole, type ConsoleWorld } from './harness.js';
import { msg } from './words.js';

const missing = (problem: string): boolean => !problem.includes('404');

const shows = (page: Page, count: number): Promise<void> =>
  page
    .getByRole('status')
    .filter({ hasText: count === 1 ? msg('library.count', { count: 1 }) : `${count} items ·` })
    .first()
    .waitFor();

export function testFiltering(world: ConsoleWorld): void {
  const { service } = world;

  /** Four images in a folder, and two in one below it. */
  async function library() {
    const user = await service.user();
    const site = await seedFolder(service, user, 'Site A');
    const roof = await seedFolder(service, user, 'Roof');
    await rows(service.db, 'UPDATE folders SET parent_id = $2 WHERE id = $1', [roof, site]);
    const ids = await seedImages(service, user, [
      { folder_id: site, camera: 'Leica M11', place: [37.5, 127], filename: 'bridge.jpg' },
      { folder_id: site, camera: 'Leica M11' },
      { folder_id: site, place: [37.5, 127] },
      { folder_id: site },
      { folder_id: roof, camera: 'Leica M11', filename: 'bridge 2.jpg' },
      { folder_id: roof },
      { filename: 'bridge 3.jpg', camera: 'Leica M11' },
    ]);
    await rows(
      service.db,
      `INSERT INTO customs (id, user_id, image_id, key, value)
       SELECT gen_random_uuid(), $1, id::uuid, 'floor', 'B' || n
       FROM unnest($2::text[]) WITH ORDINALITY AS image (id, n)`,
      [user.id, ids.slice(3, 6)],
    );
    const { result: set } = await service.client.post<{ id: string }>(
      `/api/v1/users/${user.id}/upload-sets`,
      {
        as: ['User', user.token],
        json: {
          title: 'Report',
          hashes: (
            await rows<{ hash: string }>(
              service.db,
              `SELECT encode(hash, 'hex') AS hash FROM images WHERE id = ANY ($1::uuid[])`,
              [ids.slice(0, 1)],
            )
          ).map(({ hash }) => hash),
        },
      },
    );
    await rows(service.db, 'UPDATE images SET upload_set_id = $2 WHERE id = $1', [ids[0], set.id]);
    return { user, site };
  }

  test('a folder is narrowed, searched, and shown with what is below it', async (t) => {
    const { user, site } = await library();
    const opening = { path: `/library?folder=${site}`, token: user.token };
    const { page, problems } = await openConsole(world, t, opening);
    await atPage(page, 'Site A');
    await shows(page, 5);
    const filters = page.getByRole('group', { name: msg('library.filters') });
    await filters.getByRole('button', { name: msg('library.filters') }).click();
    const chosen = async (label: string, option: string, count: number): Promise<void> => {
      await page.getByLabel(label, { exact: true }).selectOption(option);
      await shows(page, count);
    };
    await chosen(msg('picture.place'), msg('placed.True'), 2);
    await chosen(msg('field.camera'), 'Leica M11', 1);
    await chosen(msg('picture.place'), msg('placed.False'), 1);
    await chosen(msg('picture.place'), msg('placed.any'), 2);
    await page.getByLabel(msg('library.below')).check();
    await shows(page, 3);
    await assertAccessible(page, 'filters');
    assert.match(page.url(), /folder=.*below=1.*camera=Leica/);
    await chosen(msg('field.camera'), msg('placed.any'), 6);
    await chosen(msg('thing.custom'), 'floor', 3);
    await chosen(msg('library.customValue'), 'B2', 1);
    await chosen(msg('thing.custom'), msg('placed.any'), 6);
    const set = page.getByLabel(msg('library.set'), { exact: true });
    await set.selectOption({ index: 1 });
    await shows(page, 1);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: `${msg('library.filters')}: 2` }).waitFor();
    await page.getByRole('button', { name: msg('library.showAll') }).click();
    await shows(page, 6);
    await atPage(page, 'Site A');

    // A tick selects all of a day, whatever folders they are in.
    await page
      .getByRole('checkbox', { name: msg('library.selectDay') })
      .first()
      .click();
    await page.getByText(msg('library.selected', { count: 6 })).waitFor();
    await page.getByRole('button', { name: msg('library.selectNone') }).click();

    const search = page.getByRole('search');
    await search.getByLabel(msg('library.searchFolder')).fill('bridge');
    await page.keyboard.press('Enter');
    await shows(page, 2);
    await search.getByRole('button', { name: msg('library.searchAll') }).click();
    await shows(page, 3);
    await search.getByLabel(msg('library.search')).waitFor();
    await page.goBack();
    await shows(page, 2);
    assertNoProblems(problems.filter(missing));
  });

  for (const width of [390, 1280, 1920]) {
    test(`search, chips and uploads are rows of one line at ${width} pixels`, async (t) => {
      const { user, site } = await library();
      const browser = { viewport: { width, height: 900 } };
      const path = `/library?folder=${site}&below=1&camera=Leica+M11&placed=True`;
      const { page, problems } = await openConsole(world, t, { path, token: user.token, browser });
      await page.locator('.tile').first().waitFor();
      const tops = await page.evaluate<number[]>(`
        [...document.querySelectorAll('.filters .chip')].map((chip) => chip.getBoundingClientRect().top)`);
      assert.equal(new Set(tops).size, 1, 'the chips are beside each other');
      await page.locator('.filters .chip').last().click();
      const wide = await page.evaluate<number>('document.documentElement.scrollWidth');
      assert.ok(wide <= width, `${wide} pixels wide`);
      await assertAccessible(page, `filters at ${width}`);
      assertNoProblems(problems.filter(missing));
    });
  }
}
