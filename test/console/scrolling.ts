import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertNoProblems, atPage, openConsole, type ConsoleWorld } from './harness.js';
import { msg } from './words.js';
import { seedMany } from './many-images.js';

/** Maximum number of elements of the page with any number of images. */
const mostElements = 500;

interface Scrolled {
  readonly frames: number;
  readonly elements: number;
}

/**
 * Scrolls from the top to the end within two seconds. Counts the drawn frames, and the maximum number of
 * elements in any of them.
 */
const toTheEnd = `(async () => {
  const page = document.scrollingElement;
  const all = document.getElementsByTagName('*');
  const began = performance.now();
  let frames = 0;
  let elements = 0;
  for (let share = 0; share < 1; frames += 1) {
    share = Math.min(1, (performance.now() - began) / 2_000);
    page.scrollTop = share * (page.scrollHeight - page.clientHeight);
    await new Promise((resolve) => requestAnimationFrame(resolve));
    elements = Math.max(elements, all.length);
  }
  return { frames, elements };
})()`;

/** @param count number of images of a user. */
export function testScrolling(world: ConsoleWorld, count: number): void {
  const { service } = world;

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
      // Those of one image count those of a period.
      if (pathname.endsWith('/images') && searchParams.get('page_size') !== '1') {
        asked.lists.push(searchParams.get('last_index') ?? '');
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

    // From end to end within two seconds: images that are scrolled past are not requested.
    const { frames, elements } = await page.evaluate<Scrolled>(toTheEnd);
    assert.ok(frames > 10, `${frames} frames in two seconds`);
    assert.ok(elements > 50 && elements <= mostElements, `${elements} elements`);
    await page
      .getByRole('gridcell', { name: /Jan 1, 2020/ })
      .first()
      .waitFor();
    assert.ok(asked.lists.length <= firstLists + 20, `pages ${asked.lists.join(' ')} are read`);
    assert.ok(
      asked.lists.some((index) => Number(index) >= count - 120),
      'the end is read',
    );
    assert.ok(asked.pictures <= 400, `${asked.pictures} thumbnails are asked for`);

    await page.getByRole('grid').focus();
    const columns = Number(await page.getByRole('grid').getAttribute('aria-colcount'));
    await page.keyboard.press('Home');
    await page.keyboard.press('Space');
    await page.keyboard.press('Shift+ArrowDown');
    await page.keyboard.press('Shift+ArrowRight');
    await page.getByText(msg('library.selected')).waitFor();
    assert.equal(await page.locator('.tile[aria-selected=true]').count(), columns + 2);
    assertNoProblems(problems.filter((problem) => !problem.includes('ERR_FAILED')));
  });
}
