import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rows } from '../../src/database/sql.js';
import { eventually } from '../../testkit/eventually.js';
import { seedFolder, seedImages } from '../../testkit/image-rows.js';
import type { TestUser } from '../../testkit/service.js';
import { assertAccessible } from './accessible.js';
import { assertNoProblems, atPage, openConsole, type ConsoleWorld } from './harness.js';

export function testTrash(world: ConsoleWorld): void {
  const { service } = world;

  const left = async ({ id }: TestUser): Promise<number> =>
    (await rows(service.db, 'SELECT id FROM images WHERE user_id = $1', [id])).length;

  /** A user with images in the trash, and one beside them. */
  async function withTrash(count: number): Promise<TestUser> {
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
    await atPage(page, 'Trash');
    const dialog = page.getByRole('dialog', { name: /for good/ });
    await page.locator('.tile').first().click();
    await page.getByRole('button', { name: 'More', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Delete now' }).click();
    await dialog.getByText('Nothing brings them back.').waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    assert.equal(await left(user), 4);
    await page.keyboard.press('Delete');
    await dialog.getByRole('button', { name: 'Delete now' }).click();
    await page.getByText('1 image deleted for good.').first().waitFor();
    assert.equal(await left(user), 3);
    await page.goto(`${world.url}/library?trash=1`);
    await atPage(page, 'Trash');
    await page.locator('.tile').first().waitFor();
    await page.getByRole('grid').focus();
    await page.keyboard.press('Control+a');
    await page.getByRole('button', { name: 'Delete now' }).click();
    await assertAccessible(page, 'deleting from the trash');
    await dialog.getByRole('button', { name: 'Delete now' }).click();
    await page.getByText('The trash is empty').waitFor();
    assert.equal(await left(user), 1);
    assertNoProblems(problems);
  });

  test('the trash is emptied, after saying how many and how large, in as many requests as it takes', async (t) => {
    const user = await withTrash(2_100);
    const folder = await seedFolder(service, user, 'gone');
    await rows(service.db, 'UPDATE folders SET deleted_at = now() WHERE id = $1', [folder]);
    const opening = { path: '/library?trash=1', token: user.token };
    const { page, problems } = await openConsole(world, t, opening);
    await page.getByRole('button', { name: 'Empty the trash' }).click();
    const dialog = page.getByRole('dialog', { name: 'Empty the trash?' });
    await dialog.getByText(/^2,100 images \(2\.1 GB\) and 1 folder /).waitFor();
    await assertAccessible(page, 'emptying the trash');
    await dialog.getByRole('button', { name: 'Empty now' }).click();
    await page.getByText('2,100 images deleted for good.').waitFor();
    await eventually('only the active image is left', async () => (await left(user)) === 1);
    await page.getByText('The trash is empty').waitFor();
    assertNoProblems(problems);
  });
}
