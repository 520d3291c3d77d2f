import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { rows } from '../../../src/database/sql.js';
import { eventually } from '../../../testkit/eventually.js';
import { seedFolder, seedImages } from '../../../testkit/image-rows.js';
import { longForm } from '../../../testkit/long-form.js';
import { readPhoto } from '../../../testkit/photos.js';
import { assertAccessible } from '../accessible.js';
import { dropFiles } from '../dropping.js';
import { assertFocus, focused, tabTo } from '../focus.js';
import {
  assertNoProblems,
  atPage,
  counted,
  describeConsole,
  openConsole,
  shownTiles,
} from '../harness.js';
import { seedMany } from '../many-images.js';
import { msg } from '../words.js';

/** Images of a user in the test of very many. */
const count = longForm ? 100_000 : 5_000;

/** Elements of the page with any number of images, at most. */
const mostElements = 500;

/** Scrolls from the top to the end in twenty steps. @returns how many elements there were at most. */
const mostWhileScrolling = `(async () => {
  const page = document.scrollingElement;
  const all = document.getElementsByTagName('*');
  let most = 0;
  for (let step = 1; step <= 20; step += 1) {
    page.scrollTop = (step / 20) * (page.scrollHeight - page.clientHeight);
    for (let frame = 0; frame < 2; frame += 1) {
      await new Promise((resolve) => requestAnimationFrame(resolve));
      most = Math.max(most, all.length);
    }
  }
  return most;
})()`;

/** Rows have no files. */
const missing = (problem: string): boolean => !problem.includes('404');

const shows = (page: Page, count: number): Promise<void> =>
  page
    .getByRole('status')
    .filter({ hasText: msg('library.count', { count }) })
    .first()
    .waitFor();

async function assertLoaded(picture: Locator): Promise<void> {
  await picture.waitFor();
  await picture.evaluate((image) => (image as unknown as { decode(): Promise<void> }).decode());
}

describeConsole('a person in a library, in Chromium', (world) => {
  const { service } = world;

  /** Four images in a folder, and two in one below it. */
  async function sites() {
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
    await counted(page, 1);
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
    await seedImages(service, user, [{}, {}]);
    const { page, problems } = await openConsole(world, t, { path: '/library', token: user.token });
    const branch = page.getByRole('treeitem', { name: 'Site A' });
    await page.locator('.tile').nth(1).waitFor();
    await page.locator('.tile').first().dragTo(branch);
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
    await counted(page, 2);
    const sql = 'SELECT folder_id FROM images WHERE user_id = $1';
    const found = await rows<{ folder_id: string }>(service.db, sql, [user.id]);
    assert.deepEqual(
      found.map(({ folder_id }) => folder_id),
      [folder, folder],
    );
    assertNoProblems(problems.filter(missing));
  });

  test('the keyboard alone signs in, looks at pictures, trashes, undoes, and goes to the map and back', async (t) => {
    const user = await service.user();
    await seedImages(
      service,
      user,
      Array.from({ length: 4 }, (_, n) => ({ created_at: `2025-01-0${n + 1}T03:00:00Z` })),
    );
    const { page, problems } = await openConsole(world, t, { path: '/library', own: true });
    const { keyboard } = page;
    await page.getByLabel(msg('signIn.token')).waitFor();
    await keyboard.insertText(user.token);
    await keyboard.press('Enter');
    await page.locator('.tile').nth(3).waitFor();
    await assertFocus(page, 'signing in');

    // Nothing else has the focus: arrows begin in the grid.
    await keyboard.press('ArrowRight');
    await focused(page, msg('library.imageOf', { time: 'Jan 4' }));
    await keyboard.press('ArrowRight');
    await focused(page, msg('library.imageOf', { time: 'Jan 3' }));
    await keyboard.press('Enter');
    await page.getByText(msg('picture.position', { n: 2, of: 4 })).waitFor();
    await assertFocus(page, 'opening');
    await keyboard.press('ArrowRight');
    await page.getByText(msg('picture.position', { n: 3, of: 4 })).waitFor();
    await keyboard.press('ArrowLeft');
    await page.getByText(msg('picture.position', { n: 2, of: 4 })).waitFor();
    await assertFocus(page, 'stepping');
    // A button that leads nowhere any more has the focus no longer.
    await tabTo(page, msg('picture.next'));
    await keyboard.press('Enter');
    await page.getByText(msg('picture.position', { n: 3, of: 4 })).waitFor();
    await keyboard.press('Enter');
    await page.getByText(msg('picture.position', { n: 4, of: 4 })).waitFor();
    await assertFocus(page, 'the last image');
    const panel = page.getByRole('complementary', { name: msg('picture.details') });
    await panel.getByRole('heading', { name: msg('picture.memos') }).waitFor();
    await tabTo(page, msg('picture.closeDetails'));
    await keyboard.press('Enter');
    await panel.waitFor({ state: 'detached' });
    await assertFocus(page, 'closing the panel');
    await keyboard.press('i');
    await panel.waitFor();
    await keyboard.press('Escape');
    await atPage(page, msg('library.all'));
    await focused(page, msg('library.imageOf', { time: 'Jan 1' }));

    // The last one goes: the one before it is where the keyboard is.
    await keyboard.press('x');
    await page.getByText(msg('library.selected', { count: 1 })).waitFor();
    await keyboard.press('Delete');
    await counted(page, 3);
    await focused(page, msg('library.imageOf', { time: 'Jan 2' }));
    await keyboard.press('Control+z');
    await counted(page, 4);
    await assertFocus(page, 'undoing');

    // The same with the buttons, which go with the selection.
    await keyboard.press('x');
    await keyboard.press('Shift+Tab');
    await focused(page, msg('action.trash'));
    await keyboard.press('Enter');
    await counted(page, 3);
    await focused(page, msg('library.imageOf'));
    await keyboard.press('Control+z');
    await counted(page, 4);

    await page.getByRole('link', { name: msg('map.title') }).focus();
    await keyboard.press('Enter');
    await page.locator('.map-view[aria-busy=false]').waitFor();
    await assertFocus(page, 'opening the map');
    await page.goBack(); // what Alt+ArrowLeft does in a window
    await atPage(page, msg('library.all'));
    await assertFocus(page, 'coming back');

    await tabTo(page, msg('shell.account'));
    await keyboard.press('Enter');
    await page.getByRole('menuitem', { name: msg('action.signOut') }).press('Enter');
    await page.getByLabel(msg('signIn.token')).waitFor();
    await assertFocus(page, 'signing out');
    assertNoProblems(problems.filter(missing));
  });

  test('a folder is narrowed, searched, and shown with what is below it', async (t) => {
    const { user, site } = await sites();
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

  test('of very many images, only those in view are read', async (t) => {
    const user = await service.user();
    await seedMany(service, user, count);
    const { page, problems } = await openConsole(world, t);
    // Rows without objects: only the requests matter.
    const asked = { lists: [] as string[], pictures: 0 };
    await page.route('**/files/**', (route) => {
      asked.pictures += 1;
      return route.abort();
    });
    page.on('request', (request) => {
      const { pathname, searchParams } = new URL(request.url());
      // Those of one image say how large the list is.
      if (pathname.endsWith('/images') && searchParams.get('page_size') !== '1') {
        asked.lists.push(searchParams.get('start_date') ?? '');
      }
    });
    await page.getByLabel(msg('signIn.token')).fill(user.token);
    await page.getByRole('button', { name: msg('action.signIn') }).click();
    await atPage(page, msg('library.all'));
    await page.getByText(msg('library.count', { count })).waitFor();
    await page.locator('.tile img').first().waitFor({ state: 'attached' });
    const [firstTiles, firstLists] = [await page.locator('.tile').count(), asked.lists.length];
    assert.ok(firstTiles < 60, `${firstTiles} tiles are drawn`);
    assert.ok(firstLists <= 2, `${firstLists} pages are read`);

    // From end to end: what is scrolled past is drawn nowhere any more.
    const elements = await page.evaluate<number>(mostWhileScrolling);
    assert.ok(elements > 50 && elements <= mostElements, `${elements} elements`);
    const oldest = page.getByRole('gridcell', { name: /Jan 1, 2020/ });
    await eventually('the end is shown', async () => {
      await page.evaluate('scrollTo(0, document.scrollingElement.scrollHeight)');
      return (await oldest.count()) > 0;
    });
    await eventually('the end is read', () => asked.lists.includes('20200101'));
    assert.ok(asked.lists.length <= firstLists + 30, `pages ${asked.lists.join(' ')} are read`);
    assert.ok(asked.pictures <= 30 * 50, `${asked.pictures} thumbnails are asked for`);

    await page.getByRole('grid').focus();
    await page.keyboard.press('Home');
    await page.locator('.tile.current[id$="-0"]').waitFor();
    const columns = await page.locator('.grid-row').first().locator('.tile').count();
    await page.keyboard.press('Space');
    await page.keyboard.press('Shift+ArrowDown');
    await page.keyboard.press('Shift+ArrowRight');
    await page.getByText(msg('library.selected')).waitFor();
    assert.equal(await page.locator('.tile[aria-selected=true]').count(), columns + 2);
    assertNoProblems(problems.filter((problem) => !problem.includes('ERR_FAILED')));
  });
});
