import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { eventually } from '../../../testkit/eventually.js';
import { seedFolder, seedImages } from '../../../testkit/image-rows.js';
import { assertAccessible } from '../accessible.js';
import { assertNoProblems, atPage, counted, openConsole, type ConsoleWorld } from '../harness.js';
import { msg } from '../words.js';

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
    await page.getByRole('toolbar', { name: msg('library.selection') }).waitFor();
  }

  /** Takes the last action back, by its toast, which comes when the selection goes. */
  async function undo(page: Page): Promise<void> {
    const selection = page.getByRole('toolbar', { name: msg('library.selection') });
    await selection.waitFor({ state: 'detached' });
    await page
      .getByRole('button', { name: msg('action.undo') })
      .last()
      .click();
  }

  test('moves, trash, places and addresses of a selection are undone', async (t) => {
    const { user, page, problems } = await opened(t);
    const top = await page.locator('.tile').first().boundingBox();
    await selectAll(page);
    assert.equal((await page.locator('.tile').first().boundingBox())?.y, top?.y, 'nothing moves');
    await assertAccessible(page, 'selection');

    await page.getByRole('button', { name: msg('action.move') }).click();
    await page.getByRole('dialog').getByRole('treeitem', { name: 'Site A' }).click();
    await page.getByRole('button', { name: msg('action.moveHere') }).click();
    await all(user.id, 'moved', ({ folder }) => folder === 'Site A');
    await page.getByText(msg('library.moved', { count: 2 })).waitFor();
    await page.getByRole('treeitem', { name: /Site A 2/ }).waitFor();
    await undo(page);
    await all(user.id, 'moved back', ({ folder }) => folder === null);
    await page.getByText(msg('library.undone', { count: 2 })).waitFor();

    await selectAll(page);
    await page.keyboard.press('Delete');
    await page.getByText(msg('library.trashed', { count: 2 })).waitFor();
    await page.getByText(msg('library.none')).waitFor();
    await page.keyboard.press('Control+z');
    await all(user.id, 'restored', ({ trashed }) => !trashed);
    await page.locator('.tile').nth(1).waitFor();

    await selectAll(page);
    await page.getByRole('button', { name: msg('action.describe') }).click();
    await page.getByRole('menuitem', { name: msg('action.markShared') }).click();
    await all(user.id, 'shared', ({ shared }) => shared);
    await undo(page);
    await all(user.id, 'not shared, as before', ({ shared }) => !shared);

    await selectAll(page);
    await page.getByRole('button', { name: msg('action.describe') }).click();
    await page.getByRole('menuitem', { name: msg('picture.address') }).click();
    await page.getByLabel(msg('field.address_road')).fill('New Road 2');
    await assertAccessible(page, 'address');
    await page.getByRole('button', { name: msg('action.save') }).click();
    await all(user.id, 'new address', ({ road }) => road === 'New Road 2');
    await page.getByText(msg('library.changed', { count: 2 })).waitFor();
    await undo(page);
    await all(user.id, 'old address', ({ road }) => road === 'Old Road 1');

    await selectAll(page);
    await page.getByRole('button', { name: msg('action.describe') }).click();
    await page.getByRole('menuitem', { name: msg('picture.place') }).click();
    const map = page.getByRole('dialog').locator('.map-view[aria-busy=false]');
    await map.click({ position: { x: 40, y: 60 } });
    await eventually('coordinates', async () => {
      return !(await page.getByLabel(msg('field.latitude')).inputValue()).startsWith('37.5');
    });
    await page.getByLabel(msg('field.latitude')).fill('10');
    await page.getByLabel(msg('field.longitude')).fill('20');
    await assertAccessible(page, 'place');
    await page.getByRole('button', { name: msg('action.save') }).click();
    await all(user.id, 'new place', ({ place }) => place === 'POINT(20 10)');
    await page
      .getByText(msg('library.changed', { count: 2 }))
      .last()
      .waitFor();
    await page.keyboard.press('Control+z');
    await all(user.id, 'old place', ({ place }) => place === 'POINT(127 37.5)');
    assertNoProblems(problems.filter(missing));
  });

  test('what is selected while something is taken back stays selected', async (t) => {
    const { page, problems } = await opened(t);
    await page.getByRole('grid').focus();
    await page.keyboard.press('x');
    await page.keyboard.press('Delete');
    await page.getByText(msg('library.trashed', { count: 1 })).waitFor();
    await page.locator('.tile').nth(1).waitFor({ state: 'detached' });
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    await page.route('**/images/batch', (route) => held.then(() => route.continue()));
    const restoring = page.waitForRequest('**/images/batch');
    await page.keyboard.press('Control+z');
    await restoring;
    await selectAll(page);
    release();
    await page.getByText(msg('library.undone', { count: 1 })).waitFor();
    await page.locator('.tile').nth(1).waitFor();
    await page.getByText(msg('library.selected', { count: 1 })).waitFor();
    assertNoProblems(problems.filter(missing));
  });

  test('a memo and a custom value are added to each of a selection, and undone', async (t) => {
    const { user, page, problems } = await opened(t);
    const add = async (message: string): Promise<void> => {
      await selectAll(page);
      await page.getByRole('button', { name: msg('action.describe') }).click();
      await page.getByRole('menuitem', { name: msg('picture.memo') }).click();
      await page.getByLabel(msg('picture.memo'), { exact: true }).fill(message);
      await page.getByRole('button', { name: msg('action.add') }).click();
    };
    await add('by the gate');
    await all(user.id, 'memos', ({ memos }) => memos === 1);
    await page.getByText(msg('library.changed', { count: 2 })).waitFor();
    await add('at the\ngate');
    await page
      .getByRole('toolbar', { name: msg('library.selection') })
      .waitFor({ state: 'detached' });
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
    await page.getByRole('button', { name: msg('action.describe') }).click();
    await page.getByRole('menuitem', { name: msg('thing.custom') }).click();
    await page.getByLabel(msg('field.key'), { exact: true }).fill('floor');
    await page.getByLabel(msg('field.value'), { exact: true }).fill('3');
    await page.getByRole('button', { name: msg('action.add') }).click();
    await all(user.id, 'customs', ({ customs }) => customs === 1);
    await page
      .getByText(msg('library.changed', { count: 2 }))
      .last()
      .waitFor();
    await undo(page);
    await all(user.id, 'no customs', ({ customs }) => customs === 0);
    assertNoProblems(problems.filter(missing));
  });

  test('what was restored goes back to the trash, and a new link ends, if that is undone', async (t) => {
    const { user, page, problems } = await opened(t);
    await selectAll(page);
    await page.getByRole('button', { name: msg('action.link'), exact: true }).click();
    await page.getByRole('button', { name: msg('action.create') }).click();
    const url = await page.getByRole('dialog').locator('code').innerText();
    await page.getByRole('button', { name: msg('action.done') }).click();
    await page.getByText(msg('links.made')).waitFor();
    const status = async (): Promise<number> => (await fetch(url)).status;
    assert.equal(await status(), 200);
    await undo(page);
    await page.getByText(msg('links.ended')).waitFor();
    assert.equal(await status(), 410);

    await selectAll(page);
    await page.keyboard.press('Delete');
    await all(user.id, 'trashed', ({ trashed }) => trashed);
    await page.getByRole('link', { name: msg('library.trash') }).click();
    await page.locator('.tile').nth(1).waitFor();
    await selectAll(page);
    await page.getByRole('button', { name: msg('action.restore') }).click();
    await all(user.id, 'restored', ({ trashed }) => !trashed);
    await page.getByText(msg('library.restored', { count: 2 })).waitFor();
    await page.keyboard.press('Control+z');
    await all(user.id, 'in the trash again', ({ trashed }) => trashed);
    assertNoProblems(problems.filter(missing));
  });

  test('a folder has a menu; a link to it is made, paused and ended', async (t) => {
    const { page, problems } = await opened(t);
    await page.goto(`${world.url}/library?folder=root`);
    const card = page.getByRole('listitem').filter({ hasText: 'Site A' });
    await card.getByText(msg('library.imageCount', { count: 0 })).waitFor();
    await page
      .getByRole('button', { name: msg('library.actionsFor', { title: 'Site A' }) })
      .press('Enter');
    await page.locator('[role=menuitem]:focus').waitFor();
    await page.keyboard.press('Enter');
    await page.getByLabel(msg('library.folderName')).fill('Site B');
    await page.keyboard.press('Enter');
    await page
      .getByRole('link', { name: msg('library.folderNamed', { title: 'Site B' }) })
      .waitFor();
    await page
      .getByRole('button', { name: msg('library.actionsFor', { title: 'Site B' }) })
      .click();
    await assertAccessible(page, 'menu of a folder');
    await page.getByRole('menuitem', { name: msg('action.link') }).click();
    await page.getByLabel(msg('links.title')).fill('For the owner');
    await page.getByRole('button', { name: msg('action.create') }).click();
    const url = await page.getByRole('dialog').locator('code').innerText();
    await page.getByRole('button', { name: msg('action.done') }).click();

    const state = async (): Promise<number> => (await fetch(url)).status;
    assert.equal(await state(), 200);
    await page.getByRole('link', { name: msg('links.heading') }).click();
    await atPage(page, msg('links.heading'));
    const entry = page.getByRole('listitem', { name: /^For the owner/ });
    await entry.getByText(msg('links.kind.view')).waitFor();
    await assertAccessible(page, 'links');
    await page.getByRole('button', { name: msg('action.pause') }).click();
    await entry.getByText(msg('links.state.paused'), { exact: true }).waitFor();
    await assertAccessible(page, 'a paused link');
    assert.equal(await state(), 410);
    await page.getByRole('button', { name: msg('action.resume') }).click();
    await entry.getByText(msg('links.state.active'), { exact: true }).waitFor();
    await page.getByRole('button', { name: msg('links.end') }).click();
    await page
      .getByRole('dialog')
      .getByRole('button', { name: msg('links.end') })
      .click();
    await page.getByText(msg('links.none')).waitFor();
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
    await page
      .getByRole('button', { name: msg('library.actionsFor', { title: 'Site A' }) })
      .click();
    await page.getByRole('menuitem', { name: msg('action.trash') }).click();
    await page.getByRole('link', { name: msg('library.trash') }).click();
    await page.getByText(msg('library.daysLeft', { count: 27 })).waitFor();
    const row = page.getByRole('listitem').filter({ hasText: 'Site A' });
    await row.getByText(msg('library.daysLeft', { count: 30 })).waitFor();
    await assertAccessible(page, 'trash');
    await row
      .getByRole('button', { name: msg('library.deleteNamed', { title: 'Site A' }) })
      .click();
    await page
      .getByRole('dialog')
      .getByRole('button', { name: msg('action.deleteNow') })
      .click();
    await page.getByText(msg('library.deleted', { title: 'Site A', count: 1 })).waitFor();
    await row.waitFor({ state: 'detached' });
    const left = await service.db.query<object[]>('SELECT FROM images WHERE user_id = $1', [
      user.id,
    ]);
    assert.equal(left.length, 1);
    assertNoProblems(problems.filter(missing));
  });

  test('what takes many requests is in the tray, which stops it on asking', async (t) => {
    const user = await service.user();
    await seedFolder(service, user, 'Site A');
    await seedImages(
      service,
      user,
      Array.from({ length: 2_100 }, () => ({})),
    );
    const { page } = await openConsole(world, t, { path: '/library', token: user.token });
    await page.route('**/files/**', (route) => route.abort());
    await counted(page, 2_100);
    await selectAll(page);
    await page.getByText(msg('library.selected', { count: 2_100 })).waitFor();
    let goOn: () => void = () => undefined;
    const isAsked = new Promise<void>((resolve) => (goOn = resolve));
    let changes = 0;
    await page.route('**/images/batch', async (route) => {
      // Its first requests say what there was before.
      if (route.request().postData()?.includes('folder_id')) changes += 1;
      if (changes > 1) await isAsked;
      await route.continue();
    });
    await page.keyboard.press('m');
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Site A').click();
    await dialog.getByRole('button', { name: msg('action.moveHere') }).click();
    const tray = page.getByRole('complementary', { name: msg('tray.title') });
    await tray.getByText(msg('work.progress', { done: 1_000, total: 2_100 })).waitFor();
    await tray.getByRole('button', { name: msg('work.stop') }).click();
    await page
      .getByRole('dialog', { name: msg('work.stopTitle') })
      .getByRole('button', { name: msg('work.stop') })
      .click();
    goOn();
    await page.getByText(msg('library.moved', { count: 2_000 })).waitFor();
    await tray.waitFor({ state: 'detached' });
  });
}
