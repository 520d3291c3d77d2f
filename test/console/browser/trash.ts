import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rows } from '../../../src/database/sql.js';
import { eventually } from '../../../testkit/eventually.js';
import { seedFolder, seedImages } from '../../../testkit/image-rows.js';
import { assertAccessible } from '../accessible.js';
import { assertNoProblems, atPage, openConsole, type ConsoleWorld } from '../harness.js';
import { msg } from '../words.js';
import type { Member } from '../../../testkit/world.js';

export function testTrash(world: ConsoleWorld): void {
  const { service } = world;

  const left = async ({ id }: Member): Promise<number> =>
    (await rows(service.db, 'SELECT id FROM images WHERE user_id = $1', [id])).length;

  /** A user with images in the trash, and one beside them. */
  async function withTrash(count: number): Promise<Member> {
    const user = await service.user();
    const deleted_at = new Date().toISOString();
    const trashed = Array.from({ length: count }, () => ({ deleted_at }));
    await seedImages(service, user, [{}, ...trashed]);
    return user;
  }

  test('selected images in the trash, and one in the viewer, are deleted now, after a question', async (t) => {
    const user = await withTrash(3);
    const opening = { path: '/library?trash=1', token: user.token };
    const { page, problems } = await openConsole(world, t, opening);
    await atPage(page, msg('library.trash'));
    const dialog = page.getByRole('dialog').filter({ hasText: msg('library.deleteNowText') });
    await page.locator('.tile').first().click();
    await page.getByRole('button', { name: msg('picture.more'), exact: true }).click();
    await page.getByRole('menuitem', { name: msg('action.deleteNow') }).click();
    await dialog.getByText(msg('library.deleteNowText')).waitFor();
    await dialog.getByRole('button', { name: msg('action.cancel') }).click();
    assert.equal(await left(user), 4);
    await page.keyboard.press('Delete');
    await dialog.getByRole('button', { name: msg('action.deleteNow') }).click();
    await page
      .getByText(msg('library.deletedNow', { count: 1 }))
      .first()
      .waitFor();
    assert.equal(await left(user), 3);
    await page.goto(`${world.url}/library?trash=1`);
    await atPage(page, msg('library.trash'));
    await page.locator('.tile').first().waitFor();
    await page.getByRole('grid').focus();
    await page.keyboard.press('Control+a');
    await page.getByRole('button', { name: msg('action.deleteNow') }).click();
    await assertAccessible(page, 'deleting from the trash');
    await dialog.getByRole('button', { name: msg('action.deleteNow') }).click();
    await page.getByText(msg('library.noTrash')).waitFor();
    assert.equal(await left(user), 1);
    assertNoProblems(problems);
  });

  test('the trash is emptied, after saying how many and how large, in as many requests as it takes', async (t) => {
    const user = await withTrash(2_100);
    const folder = await seedFolder(service, user, 'gone');
    await rows(service.db, 'UPDATE folders SET deleted_at = now() WHERE id = $1', [folder]);
    const opening = { path: '/library?trash=1', token: user.token };
    const { page, problems } = await openConsole(world, t, opening);
    await page.getByRole('button', { name: msg('library.emptyTrash') }).click();
    const dialog = page.getByRole('dialog', { name: msg('library.emptyTitle') });
    await dialog
      .getByText(
        msg('library.emptyText', {
          images: msg('library.imageCount', { count: 2100 }),
          size: '2.1 GB',
          folders: msg('library.folderCount', { count: 1 }),
        }),
      )
      .waitFor();
    await assertAccessible(page, 'emptying the trash');
    await dialog.getByRole('button', { name: msg('library.empty') }).click();
    await page.getByText(msg('library.deletedNow', { count: 2100 })).waitFor();
    await eventually('only the active image is left', async () => (await left(user)) === 1);
    await page.getByText(msg('library.noTrash')).waitFor();
    assertNoProblems(problems);
  });
}
