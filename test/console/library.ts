import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { readPhoto } from '../../testkit/photos.js';
import { seedFolder } from '../../testkit/image-rows.js';
import { assertAccessible } from './accessible.js';
import { dropFiles } from './dropping.js';
import { assertNoProblems, atPage, openConsole, type ConsoleWorld } from './harness.js';
import { msg } from './words.js';

/** Tiles of images whose pictures have loaded. */
export const shownTiles = (page: Page) =>
  page.locator('.tile').filter({ has: page.locator('img') });

export function testLibrary(world: ConsoleWorld): void {
  const { service } = world;

  test('a dropped photograph is shown, opened, described, trashed and restored', async (t) => {
    const user = await service.user();
    const { page, problems } = await openConsole(world, t, { path: '/library', token: user.token });
    await atPage(page, msg('library.all'));
    await page.getByText(msg('library.none')).waitFor();
    const files = [
      { name: 'site.jpg', type: 'image/jpeg', bytes: await readPhoto('DSCN0010.jpg') },
      { name: 'notes.txt', type: 'text/plain', bytes: Buffer.from('no image') },
    ];
    await dropFiles(page, files);
    await page.getByText(msg('upload.finished', { count: 1 })).waitFor();
    await page.getByText(msg('problem.unsupported_image')).waitFor();
    await shownTiles(page).first().waitFor();
    await page.getByText(msg('library.count', { count: 1 })).waitFor();
    await assertAccessible(page);

    await page.getByRole('grid').focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: msg('picture.memos') }).waitFor();
    await page.getByText('43.46').waitFor();
    await page.getByRole('region', { name: msg('map.place') }).waitFor();
    const picture = page
      .getByRole('img', { name: msg('library.imageOf') })
      .locator('img')
      .nth(1);
    await assertLoaded(picture);
    await page.getByRole('group', { name: msg('picture.viewer') }).press('1');
    await page.getByRole('button', { name: '100%' }).waitFor();
    await page.getByLabel(msg('picture.memo'), { exact: true }).fill('by the gate');
    await page.getByRole('button', { name: msg('picture.addMemo') }).click();
    await page.getByRole('listitem').filter({ hasText: 'by the gate' }).waitFor();
    await page.getByRole('button', { name: msg('picture.editAddress') }).click();
    await page.getByLabel(msg('field.building_name')).fill('City Hall');
    await page.getByRole('button', { name: msg('action.save') }).click();
    await page.getByText('City Hall').waitFor();
    await assertAccessible(page);

    await page.getByRole('button', { name: msg('action.trash') }).click();
    await page.getByRole('button', { name: msg('action.restore') }).waitFor();
    await page.getByRole('link', { name: msg('picture.back') }).click();
    await page.getByText(msg('library.none')).waitFor();
    await page.getByRole('link', { name: msg('library.trash') }).click();
    await shownTiles(page).first().waitFor();
    await page.getByRole('grid').focus();
    await page.keyboard.press('Space');
    await page.getByText(msg('library.selected', { count: 1 })).waitFor();
    await page.getByRole('button', { name: msg('action.restore') }).click();
    await page.getByText(msg('library.noTrash')).waitFor();
    await page.getByRole('link', { name: msg('library.title') }).click();
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
    await page.getByText(msg('library.moved', { count: 1 })).waitFor();

    await page.getByRole('grid').focus();
    await page.keyboard.press('Control+a');
    await page.getByText(msg('library.selected', { count: 2 })).waitFor();
    await page.keyboard.press('m');
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('treeitem', { name: 'Site A' }).focus();
    await page.keyboard.press('Enter');
    await dialog.getByRole('button', { name: msg('action.moveHere') }).press('Enter');
    await page.getByText(msg('library.moved', { count: 2 })).waitFor();
    await branch.click();
    await atPage(page, 'Site A');
    await page.getByText(msg('library.count', { count: 2 })).waitFor();
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
    await page.getByRole('link', { name: msg('users.openLibraryOf') }).click();
    await atPage(page, msg('library.all'));
    await page.getByText(msg('library.none')).waitFor();
    assert.equal(new URL(page.url()).pathname, `/console/users/${user.id}/library`);

    await page.evaluate(`
      history.pushState(null, '', '/console/users/${foreign.id}/library');
      dispatchEvent(new PopStateEvent('popstate'));
    `);
    await page.getByText(msg('problem.user_not_found')).first().waitFor();
    assert.equal(await page.locator('.tile').count(), 0);
  });
}

async function assertLoaded(picture: ReturnType<Page['locator']>): Promise<void> {
  await picture.waitFor();
  await picture.evaluate((image) => (image as unknown as { decode(): Promise<void> }).decode());
}
