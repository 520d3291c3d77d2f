import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { readPhoto } from '../../testkit/photos.js';
import { seedFolder } from '../../testkit/image-rows.js';
import { assertAccessible } from './accessible.js';
import { dropFiles } from './dropping.js';
import { assertNoProblems, atPage, openConsole, type ConsoleWorld } from './harness.js';

/** Tiles of images whose pictures have loaded. */
export const shownTiles = (page: Page) =>
  page.locator('.tile').filter({ has: page.locator('img') });

export function testLibrary(world: ConsoleWorld): void {
  const { service } = world;

  test('a dropped photograph is shown, opened, described, trashed and restored', async (t) => {
    const user = await service.user();
    const { page, problems } = await openConsole(world, t, { path: '/library', token: user.token });
    await atPage(page, 'All images');
    await page.getByText('There are no images here yet.').waitFor();
    const files = [
      { name: 'site.jpg', type: 'image/jpeg', bytes: await readPhoto('DSCN0010.jpg') },
      { name: 'notes.txt', type: 'text/plain', bytes: Buffer.from('no image') },
    ];
    await dropFiles(page, files);
    await page.getByText('1 file uploaded').waitFor();
    await page.getByText('This file is not an image of a supported format.').waitFor();
    await shownTiles(page).first().waitFor();
    await page.getByText('1 item ·').waitFor();
    await assertAccessible(page);

    await page.getByRole('grid').focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Memos' }).waitFor();
    await page.getByText('43.46').waitFor();
    await page.getByRole('region', { name: /^Map of the place 43\.46/ }).waitFor();
    const picture = page
      .getByRole('img', { name: /^Image of/ })
      .locator('img')
      .nth(1);
    await assertLoaded(picture);
    await page.getByRole('group', { name: /^Picture/ }).press('1');
    await page.getByRole('button', { name: '100%' }).waitFor();
    await page.getByLabel('Memo', { exact: true }).fill('by the gate');
    await page.getByRole('button', { name: 'Add memo' }).click();
    await page.getByRole('listitem').filter({ hasText: 'by the gate' }).waitFor();
    await page.getByRole('button', { name: 'Edit the address' }).click();
    await page.getByLabel('Building').fill('City Hall');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('City Hall').waitFor();
    await assertAccessible(page);

    await page.getByRole('button', { name: 'Move to the trash' }).click();
    await page.getByRole('button', { name: 'Restore' }).waitFor();
    await page.getByRole('link', { name: 'Back to the library' }).click();
    await page.getByText('There are no images here yet.').waitFor();
    await page.getByRole('link', { name: 'Trash' }).click();
    await shownTiles(page).first().waitFor();
    await page.getByRole('grid').focus();
    await page.keyboard.press('Space');
    await page.getByText('1 selected').waitFor();
    await page.getByRole('button', { name: 'Restore' }).click();
    await page.getByText('The trash is empty.').waitFor();
    await page.getByRole('link', { name: 'Photos' }).click();
    await shownTiles(page).first().waitFor();
    assertNoProblems(problems);
  });

  test('images are moved into folders with the mouse or only with the keyboard', async (t) => {
    const user = await service.user();
    const folder = await seedFolder(service, user, 'Site A');
    const { page, problems } = await openConsole(world, t, { path: '/library', token: user.token });
    const bytes = await readPhoto('landscape_6.jpg');
    await dropFiles(page, [
      { name: 'a.jpg', type: 'image/jpeg', bytes },
      { name: 'b.jpg', type: 'image/jpeg', bytes: await readPhoto('Canon_40D.jpg') },
    ]);
    await shownTiles(page).nth(1).waitFor();
    const branch = page.getByRole('treeitem', { name: 'Site A' });
    await shownTiles(page).first().dragTo(branch);
    await page.getByText('1 item moved.').waitFor();

    await page.getByRole('grid').focus();
    await page.keyboard.press('Control+a');
    await page.getByText('2 selected').waitFor();
    await page.keyboard.press('m');
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('treeitem', { name: 'Site A' }).focus();
    await page.keyboard.press('Enter');
    await dialog.getByRole('button', { name: 'Move here' }).press('Enter');
    await page.getByText('2 items moved.').waitFor();
    await branch.click();
    await atPage(page, 'Site A');
    await page.getByText('2 items ·').waitFor();
    const rows = await service.db.query<{ folder_id: string }[]>(
      'SELECT folder_id FROM images WHERE user_id = $1',
      [user.id],
    );
    assert.deepEqual(
      rows.map(({ folder_id }) => folder_id),
      [folder, folder],
    );
    assertNoProblems(problems);
  });

  test('a platform sees only the library of its own users', async (t) => {
    const [own, foreign] = [await service.platform(), await service.user()];
    const user = await service.user(own);
    const { page } = await openConsole(world, t, { path: '/users', token: own.token });
    await page.getByRole('link', { name: /^Open the library of/ }).click();
    await atPage(page, 'All images');
    await page.getByText('There are no images here yet.').waitFor();
    assert.equal(new URL(page.url()).pathname, `/console/users/${user.id}/library`);

    await page.evaluate(`
      history.pushState(null, '', '/console/users/${foreign.id}/library');
      dispatchEvent(new PopStateEvent('popstate'));
    `);
    await page.getByText('There is no such user.').first().waitFor();
    assert.equal(await page.locator('.tile').count(), 0);
  });
}

async function assertLoaded(picture: ReturnType<Page['locator']>): Promise<void> {
  await picture.waitFor();
  await picture.evaluate((image) => (image as unknown as { decode(): Promise<void> }).decode());
}
