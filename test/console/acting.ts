import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { eventually } from '../../testkit/eventually.js';
import { seedFolder, seedImages } from '../../testkit/image-rows.js';
import { assertAccessible } from './accessible.js';
import { assertNoProblems, atPage, openConsole, type ConsoleWorld } from './harness.js';

/** What the records of images say. */
interface Stored {
  readonly folder: string | null;
  readonly trashed: boolean;
  readonly shared: boolean;
  readonly place: string | null;
  readonly road: string | null;
  readonly memos: number;
  readonly customs: number;
}

const storedSql = `
  SELECT f.title AS folder, i.deleted_at IS NOT NULL AS trashed, i.is_shared AS shared, ST_AsText(i.location) AS place,
    i.address_road AS road,
    (SELECT count(*)::int FROM memos m WHERE m.image_id = i.id AND m.message = 'by the gate') AS memos,
    (SELECT count(*)::int FROM customs c WHERE c.image_id = i.id AND c.key = 'floor') AS customs
  FROM images i LEFT JOIN folders f ON f.id = i.folder_id WHERE i.user_id = $1`;

const missing = (problem: string): boolean => !problem.includes('404');

export function testActing(world: ConsoleWorld): void {
  const { service } = world;

  const all = (userId: string, what: string, holds: (image: Stored) => boolean): Promise<void> =>
    eventually(what, async () => {
      const images = await service.db.query<Stored[]>(storedSql, [userId]);
      return images.length === 2 && images.every(holds);
    });

  async function opened(t: Parameters<typeof openConsole>[1]) {
    const user = await service.user();
    await seedFolder(service, user, 'Site A');
    await seedImages(service, user, [
      { address_road: 'Old Road 1', place: [37.5, 127] },
      { address_road: 'Old Road 1', place: [37.5, 127] },
    ]);
    const { page, problems } = await openConsole(world, t, { path: '/library', token: user.token });
    await page.locator('.tile').nth(1).waitFor();
    return { user, page, problems };
  }

  async function selectAll(page: Page): Promise<void> {
    await page.getByRole('grid').focus();
    await page.keyboard.press('Control+a');
    await page.getByRole('toolbar', { name: 'Selection' }).waitFor();
  }

  const undo = (page: Page): Promise<void> =>
    page.getByRole('button', { name: 'Undo' }).last().click();

  test('moves, trash, places and addresses of a selection are undone', async (t) => {
    const { user, page, problems } = await opened(t);
    const top = await page.locator('.tile').first().boundingBox();
    await selectAll(page);
    assert.equal((await page.locator('.tile').first().boundingBox())?.y, top?.y, 'nothing moves');
    await assertAccessible(page, 'selection');

    await page.getByRole('button', { name: 'Move to …' }).click();
    await page.getByRole('dialog').getByRole('treeitem', { name: 'Site A' }).click();
    await page.getByRole('button', { name: 'Move here' }).click();
    await all(user.id, 'moved', ({ folder }) => folder === 'Site A');
    await page.getByText('2 items moved.').waitFor();
    await page.getByRole('treeitem', { name: /Site A 2/ }).waitFor();
    await undo(page);
    await all(user.id, 'moved back', ({ folder }) => folder === null);
    await page.getByText('2 items as before.').waitFor();

    await selectAll(page);
    await page.keyboard.press('Delete');
    await page.getByText('2 items moved to the trash.').waitFor();
    await page.keyboard.press('Control+z');
    await all(user.id, 'restored', ({ trashed }) => !trashed);
    await page.locator('.tile').nth(1).waitFor();

    await selectAll(page);
    await page.getByRole('button', { name: 'Describe' }).click();
    await page.getByRole('menuitem', { name: 'Mark as shared' }).click();
    await all(user.id, 'shared', ({ shared }) => shared);
    await undo(page);
    await all(user.id, 'not shared, as before', ({ shared }) => !shared);

    await selectAll(page);
    await page.getByRole('button', { name: 'Describe' }).click();
    await page.getByRole('menuitem', { name: 'Address' }).click();
    await page.getByLabel('Road address').fill('New Road 2');
    await assertAccessible(page, 'address');
    await page.getByRole('button', { name: 'Save' }).click();
    await all(user.id, 'new address', ({ road }) => road === 'New Road 2');
    await page.getByText('2 items changed.').waitFor();
    await undo(page);
    await all(user.id, 'old address', ({ road }) => road === 'Old Road 1');

    await selectAll(page);
    await page.getByRole('button', { name: 'Describe' }).click();
    await page.getByRole('menuitem', { name: 'Place' }).click();
    const map = page.getByRole('dialog').locator('.map-view[aria-busy=false]');
    await map.click({ position: { x: 40, y: 60 } });
    await eventually('coordinates', async () => {
      return !(await page.getByLabel('Latitude').inputValue()).startsWith('37.5');
    });
    await page.getByLabel('Latitude').fill('10');
    await page.getByLabel('Longitude').fill('20');
    await assertAccessible(page, 'place');
    await page.getByRole('button', { name: 'Save' }).click();
    await all(user.id, 'new place', ({ place }) => place === 'POINT(20 10)');
    await page.getByText('2 items changed.').last().waitFor();
    await page.keyboard.press('Control+z');
    await all(user.id, 'old place', ({ place }) => place === 'POINT(127 37.5)');
    assertNoProblems(problems.filter(missing));
  });

  test('what is selected while something is taken back stays selected', async (t) => {
    const { page, problems } = await opened(t);
    await page.getByRole('grid').focus();
    await page.keyboard.press('x');
    await page.keyboard.press('Delete');
    await page.getByText('1 item moved to the trash.').waitFor();
    await page.locator('.tile').nth(1).waitFor({ state: 'detached' });
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    await page.route('**/images/*', (route) => held.then(() => route.continue()));
    const restoring = page.waitForRequest((request) => request.method() === 'PUT');
    await page.keyboard.press('Control+z');
    await restoring;
    await selectAll(page);
    release();
    await page.getByText('1 item as before.').waitFor();
    await page.locator('.tile').nth(1).waitFor();
    await page.getByText('1 selected').waitFor();
    assertNoProblems(problems.filter(missing));
  });

  test('a memo and a custom value are added to each of a selection, and undone', async (t) => {
    const { user, page, problems } = await opened(t);
    const add = async (message: string): Promise<void> => {
      await selectAll(page);
      await page.getByRole('button', { name: 'Describe' }).click();
      await page.getByRole('menuitem', { name: 'Memo' }).click();
      await page.getByLabel('Memo', { exact: true }).fill(message);
      await page.getByRole('button', { name: 'Add' }).click();
    };
    await add('by the gate');
    await all(user.id, 'memos', ({ memos }) => memos === 1);
    await page.getByText('2 items changed.').waitFor();
    await add('at the\ngate');
    await page.getByRole('toolbar', { name: 'Selection' }).waitFor({ state: 'detached' });
    const texts = async (): Promise<string[]> => {
      const sql = `SELECT DISTINCT message FROM memos WHERE user_id = $1 ORDER BY message`;
      const found = await service.db.query<{ message: string }[]>(sql, [user.id]);
      return found.map(({ message }) => message);
    };
    assert.deepEqual(await texts(), ['at the\ngate', 'by the gate']);
    await page.keyboard.press('Control+z');
    await eventually('the last one is gone', async () => (await texts()).length === 1);
    await page.keyboard.press('Control+z');
    await all(user.id, 'no memos', ({ memos }) => memos === 0);

    await selectAll(page);
    await page.getByRole('button', { name: 'Describe' }).click();
    await page.getByRole('menuitem', { name: 'Custom value' }).click();
    await page.getByLabel('Key', { exact: true }).fill('floor');
    await page.getByLabel('Value', { exact: true }).fill('3');
    await page.getByRole('button', { name: 'Add' }).click();
    await all(user.id, 'customs', ({ customs }) => customs === 1);
    await page.getByText('2 items changed.').last().waitFor();
    await undo(page);
    await all(user.id, 'no customs', ({ customs }) => customs === 0);
    assertNoProblems(problems.filter(missing));
  });

  test('what was restored goes back to the trash, and a new link ends, if that is undone', async (t) => {
    const { user, page, problems } = await opened(t);
    await selectAll(page);
    await page.getByRole('button', { name: 'Link', exact: true }).click();
    await page.getByRole('button', { name: 'Create' }).click();
    const url = await page.getByRole('dialog').locator('code').innerText();
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByText('The link has been created.').waitFor();
    const status = async (): Promise<number> => (await fetch(url)).status;
    assert.equal(await status(), 200);
    await undo(page);
    await page.getByText('The link has ended.').waitFor();
    assert.equal(await status(), 410);

    await selectAll(page);
    await page.keyboard.press('Delete');
    await all(user.id, 'trashed', ({ trashed }) => trashed);
    await page.getByRole('link', { name: 'Trash' }).click();
    await page.locator('.tile').nth(1).waitFor();
    await selectAll(page);
    await page.getByRole('button', { name: 'Restore' }).click();
    await all(user.id, 'restored', ({ trashed }) => !trashed);
    await page.getByText('2 items restored.').waitFor();
    await page.keyboard.press('Control+z');
    await all(user.id, 'in the trash again', ({ trashed }) => trashed);
    assertNoProblems(problems.filter(missing));
  });

  test('a folder has a menu; a link to it is made, paused and ended', async (t) => {
    const { page, problems } = await opened(t);
    await page.goto(`${world.url}/library?folder=root`);
    const card = page.getByRole('listitem').filter({ hasText: 'Site A' });
    await card.getByText('0 items').waitFor();
    await page.getByRole('button', { name: 'Actions for Site A' }).press('Enter');
    await page.keyboard.press('Enter');
    await page.getByLabel('Name of the folder').fill('Site B');
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'Folder Site B' }).waitFor();
    await page.getByRole('button', { name: 'Actions for Site B' }).click();
    await assertAccessible(page, 'menu of a folder');
    await page.getByRole('menuitem', { name: 'Link' }).click();
    await page.getByLabel('Title').fill('For the owner');
    await page.getByRole('button', { name: 'Create' }).click();
    const url = await page.getByRole('dialog').locator('code').innerText();
    await page.getByRole('button', { name: 'Done' }).click();

    const state = async (): Promise<number> => (await fetch(url)).status;
    assert.equal(await state(), 200);
    await page.getByRole('link', { name: 'Links' }).click();
    await atPage(page, 'Links');
    const entry = page.getByRole('listitem', { name: /^For the owner/ });
    await entry.getByText('Shows pictures').waitFor();
    await assertAccessible(page, 'links');
    await page.getByRole('button', { name: 'Pause' }).click();
    await entry.getByText('paused', { exact: true }).waitFor();
    await assertAccessible(page, 'a paused link');
    assert.equal(await state(), 410);
    await page.getByRole('button', { name: 'Resume' }).click();
    await entry.getByText('active', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'End' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'End' }).click();
    await page.getByText('There are no links yet.').waitFor();
    assert.equal(await state(), 410);
    assertNoProblems(problems.filter(missing));
  });

  test('the trash says how long things stay there; a folder in it is deleted at once', async (t) => {
    const user = await service.user();
    const folder = await seedFolder(service, user, 'Site A');
    const days = 86_400_000;
    await seedImages(service, user, [
      { deleted_at: new Date(Date.now() - 3 * days).toISOString() },
      { folder_id: folder },
    ]);
    const opening = { path: '/library?folder=root', token: user.token };
    const { page, problems } = await openConsole(world, t, opening);
    await page.getByRole('button', { name: 'Actions for Site A' }).click();
    await page.getByRole('menuitem', { name: 'Move to the trash' }).click();
    await page.getByRole('link', { name: 'Trash' }).click();
    await page.getByText('27 days left').waitFor();
    const row = page.getByRole('listitem').filter({ hasText: 'Site A' });
    await row.getByText('30 days left').waitFor();
    await assertAccessible(page, 'trash');
    await row.getByRole('button', { name: 'Delete “Site A” now' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete now' }).click();
    await page.getByText('“Site A” and 1 image deleted.').waitFor();
    await row.waitFor({ state: 'detached' });
    const left = await service.db.query<object[]>('SELECT FROM images WHERE user_id = $1', [
      user.id,
    ]);
    assert.equal(left.length, 1);
    assertNoProblems(problems.filter(missing));
  });
}
