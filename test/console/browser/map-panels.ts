import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { eventually } from '../../../testkit/eventually.js';
import { seedImages } from '../../../testkit/image-rows.js';
import { assertAccessible } from '../accessible.js';
import { assertNoProblems, narrow, openConsole, type ConsoleWorld } from '../harness.js';
import { waitForStatus as waitForText } from '../maps.js';
import { koMsg, msg } from '../words.js';
import { swipe } from './viewer.js';

/** Three images near Gangnam, two of them a few meters apart, and one in Busan. */
const images = [
  {
    place: [37.4979, 127.0276],
    taken_at: '2024-05-04T02:30:00Z',
    address_road: '396 Gangnam-daero',
    building_name: 'Gangnam Station',
  },
  { place: [37.507, 127.0337], taken_at: '2023-05-04T02:30:00Z', address_road: '120 Bongeunsa-ro' },
  { place: [37.50701, 127.0337], taken_at: '2022-05-04T02:30:00Z' },
  { place: [35.1587, 129.1604], address_road: '264 Haeundaehaebyeon-ro' },
] as const;

const gangnam = '/map?at=37.50300,127.02500,13.50';
const directions = [90, 200, 0];

/** Directions of cones that are not around the middle of what they belong to. */
const conesBesideMarkers = `(() => {
  const middleOf = (node) => {
    const { x, y, width, height } = node.getBoundingClientRect();
    return [x + width / 2, y + height / 2];
  };
  return [...document.querySelectorAll('.map-cone')]
    .filter((cone) => {
      const [x, y] = middleOf(cone);
      const [ofX, ofY] = middleOf(cone.parentElement);
      return Math.hypot(x - ofX, y - ofY) > 1;
    })
    .map((cone) => cone.dataset.direction);
})()`;

const list = (page: Page) => page.getByRole('list', { name: msg('map.list') });

/** Camera of the page's URL. */
const cameraOf = (page: Page): number[] =>
  (new URL(page.url()).searchParams.get('at') ?? '').split(',').map(Number);

const isNear = (page: Page, [latitude = 0, longitude = 0]: readonly number[]): boolean => {
  const [atLatitude = 0, atLongitude = 0] = cameraOf(page);
  return Math.hypot(atLatitude - latitude, atLongitude - longitude) < 0.02;
};

export function testMapPanels(world: ConsoleWorld): void {
  const { service } = world;

  async function placed() {
    const user = await service.user();
    const ids = await seedImages(service, user, images);
    for (const [index, direction] of directions.entries()) {
      await service.db.query('UPDATE images SET direction = $2 WHERE id = $1', [
        ids[index],
        direction,
      ]);
    }
    return { user, ids };
  }

  test('the list names time and address, shows what is pointed at, and a search flies to an address', async (t) => {
    const { user, ids } = await placed();
    const { page, problems } = await openConsole(world, t, { path: gangnam, token: user.token });
    await waitForText(page, msg('map.inView', { count: 3 }));
    const item = list(page).getByRole('listitem').filter({ hasText: '396 Gangnam-daero' });
    await item.getByText('May 4, 2024').waitFor();
    await item.getByText('Gangnam Station').waitFor();
    const unaddressed = list(page).getByRole('listitem').filter({ hasText: '37.50701, 127.0337' });
    await unaddressed.waitFor();
    const lit = page.locator(`.map-lit[data-image="${ids[0]}"]`);
    await item.hover();
    await lit.waitFor();
    await page.mouse.move(1_000, 500);
    await lit.waitFor({ state: 'detached' });
    await item.getByRole('link').focus();
    await lit.waitFor();

    await item.getByRole('button', { name: msg('map.showPlace') }).press('Enter');
    await waitForText(page, msg('map.inView', { count: 1 }));
    await assertAccessible(page);

    // Where the map is empty, it says how an operator changes that.
    await page.getByRole('button', { name: msg('map.whyEmpty') }).click();
    const dialog = page.getByRole('dialog', { name: msg('map.whyEmpty') });
    await dialog.getByText('map.basemap').first().waitFor();
    await assertAccessible(page, 'dialog');
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });

    // A place among the own addresses is found with the keyboard, and flown to.
    const search = page.getByRole('combobox', { name: msg('map.search') });
    await search.fill('nowhere at all');
    await waitForText(page, msg('map.noAddress'));
    await search.fill('haeundae');
    const option = page.getByRole('option', { name: '264 Haeundaehaebyeon-ro' });
    await option.waitFor();
    await assertAccessible(page);
    await search.press('Escape');
    await option.waitFor({ state: 'hidden' });
    await search.press('ArrowDown');
    await option.waitFor();
    await search.press('Enter');
    await eventually('the map is in Busan', async () => isNear(page, images[3].place));
    await waitForText(page, msg('map.inView', { count: 1 }));

    await search.fill('Bongeunsa');
    await page.getByRole('option', { name: '120 Bongeunsa-ro' }).click();
    await eventually('the map is in Seoul', async () => isNear(page, images[1].place));

    await page.getByRole('button', { name: msg('map.list') }).press('Enter');
    await list(page).waitFor({ state: 'detached' });
    assertNoProblems(problems);
  });

  test('single images and small clusters show where cameras looked', async (t) => {
    const { user } = await placed();
    // Where tiles name each image, and the two next to each other are one bubble.
    const path = '/map?at=37.50300,127.02500,14.50';
    const { page, problems } = await openConsole(world, t, { path, token: user.token });
    const cones = (of: string) =>
      page
        .locator(`.map-view ${of} .map-cone`)
        .evaluateAll((nodes) => nodes.map((node) => (node as unknown as Cone).dataset.direction));
    await page.locator('.map-cluster .map-cone').nth(1).waitFor();
    assert.deepEqual((await cones('.map-cluster')).sort(), ['0', '200']);
    await page.locator('.map-point .map-cone').waitFor();
    assert.deepEqual(await cones('.map-point'), ['90']);
    assert.deepEqual(await page.evaluate(conesBesideMarkers), []);
    // Without an effect on the name and the place of what they belong to.
    const named = page.getByRole('link', { name: msg('library.imageOf') });
    assert.ok((await named.count()) > 0);
    assertNoProblems(problems);
  });

  test('an image that stands alone shows its direction though the list has not come to it', async (t) => {
    const user = await service.user();
    // More than a page of the list, in the middle of the map.
    const crowd = Array.from({ length: 61 }, () => ({ place: images[0].place }));
    const [alone] = await seedImages(service, user, [{ place: [37.66, 127] }, ...crowd]);
    await service.db.query('UPDATE images SET direction = 45 WHERE id = $1', [alone]);
    const path = '/map?at=37.49790,127.02760,10.00';
    const { page, problems } = await openConsole(world, t, { path, token: user.token });
    await page.locator('.map-point .map-cone[data-direction="45"]').waitFor();
    await page.locator('.map-point .map-thumb img').waitFor();
    assertNoProblems(problems);
  });

  test('a copied link shows the same view, dates and circle', async (t) => {
    const { user } = await placed();
    const browser = { permissions: ['clipboard-read', 'clipboard-write'] };
    const { page } = await openConsole(world, t, { path: gangnam, token: user.token, browser });
    await waitForText(page, msg('map.inView', { count: 3 }));
    await page.getByRole('button', { name: msg('dates.title') }).click();
    await page.getByLabel(msg('dates.from'), { exact: true }).fill('2024-05-01');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: msg('map.circle') }).click();
    await page.getByRole('slider', { name: msg('map.radius') }).waitFor();
    await page.getByRole('button', { name: msg('library.filters') }).click();
    await page.getByLabel(msg('field.address_det')).selectOption('None');
    await page.keyboard.press('Escape');
    const since = page.getByRole('button', { name: msg('dates.since', { day: 'May 1, 2024' }) });
    await since.waitFor();
    const radius = await page.getByRole('spinbutton', { name: msg('map.radius') }).inputValue();
    await page.getByRole('button', { name: msg('map.copyLink') }).click();
    await page.getByText(msg('copy.done')).waitFor();
    const link = await page.evaluate<string>('navigator.clipboard.readText()');
    assert.equal(new URL(link).origin, new URL(world.url).origin);

    const path = link.slice(world.url.length);
    const { page: other, problems } = await openConsole(world, t, { path, token: user.token });
    await other.locator('.map-view[aria-busy=false]').waitFor();
    const day = 'May 1, 2024';
    await other.getByRole('button', { name: msg('dates.since', { day }) }).waitFor();
    assert.equal(
      await other.getByRole('spinbutton', { name: msg('map.radius') }).inputValue(),
      radius,
    );
    const detailed = `${msg('field.address_det')}: ${msg('detailed.None')}`;
    await other.getByRole('button', { name: detailed }).waitFor();
    assert.deepEqual(cameraOf(other), [37.503, 127.025, 13.5]);
    assertNoProblems(problems);
  });

  test('what a circle finds is opened as a list, and a list on the map, with the same filters', async (t) => {
    const { user, ids } = await placed();
    const path = '/map?at=37.50300,127.02500,13.50&circle=37.49790,127.02760,300&from=2024-01-01';
    const { page, problems } = await openConsole(world, t, { path, token: user.token });
    await waitForText(page, msg('map.inCircle', { count: 1 }));
    const more = page.getByRole('button', { name: msg('map.found') });
    await more.click();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: msg('map.csv') }).click(),
    ]);
    const text = await readFile(await download.path(), 'utf8');
    assert.ok(text.includes(ids[0] ?? '?') && !text.includes(ids[1] ?? '?'), text);
    await more.click();
    await page.getByRole('menuitem', { name: msg('map.asList') }).click();
    await page.locator('.tile').first().waitFor();
    assert.equal(await page.locator('.tile').count(), 1);
    assert.match(page.url(), /library\?from=2024-01-01&circle=37\.49790,127\.02760,300$/);
    await page.getByRole('button', { name: msg('library.filters'), exact: true }).click();
    await page.getByRole('link', { name: msg('map.fromList') }).click();
    await waitForText(page, msg('map.inCircle', { count: 1 }));
    assertNoProblems(problems.filter((problem) => !problem.includes('404')));
  });

  test('on a phone, the list is a sheet that a finger scrolls, and the filters fit beside each other', async (t) => {
    const user = await service.user();
    const crowd = Array.from({ length: 20 }, () => images[0]);
    await seedImages(service, user, crowd);
    const browser = { ...narrow, hasTouch: true };
    const opening = { path: gangnam, token: user.token, browser };
    const { page, problems } = await openConsole(world, t, opening);
    await waitForText(page, msg('map.inView', { count: 20 }));
    const map = await page.locator('.map-view').boundingBox();
    const aboveTabs = 844 - 56;
    const bottom = (map?.y ?? 0) + (map?.height ?? 0);
    assert.deepEqual([map?.x, map?.width, bottom], [0, 390, aboveTabs]);
    assert.equal(await list(page).count(), 0);
    await assertAccessible(page, 'closed sheet');
    // A tap anywhere on its head opens it.
    const head = await page.locator('.map-side-head').boundingBox();
    assert.ok(head);
    await page.touchscreen.tap(head.x + 80, head.y + head.height / 2);
    await list(page).getByRole('listitem').nth(19).waitFor();
    const sheet = await page.getByRole('region', { name: msg('map.places') }).boundingBox();
    assert.ok(
      sheet && sheet.width === 390 && sheet.y > 250 && sheet.y + sheet.height === aboveTabs,
    );
    await assertAccessible(page, 'open sheet');

    // A finger scrolls the sheet, and the map below it stays.
    const last = list(page).getByRole('listitem').last();
    const isSeen = async (): Promise<boolean> => {
      const { y = Infinity, height = 0 } = (await last.boundingBox()) ?? {};
      return y + height <= aboveTabs;
    };
    assert.equal(await isSeen(), false);
    const before = cameraOf(page);
    await eventually('fingers scroll to the last one', async () => {
      await swipe(page, [150, 750], [150, 400]);
      return isSeen();
    });
    // Neither does one that goes on at the end of the list.
    await swipe(page, [150, 750], [150, 400]);
    assert.deepEqual(cameraOf(page), before);

    await page.getByRole('button', { name: msg('map.list') }).tap();
    await list(page).waitFor({ state: 'detached' });

    await page.getByRole('button', { name: msg('dates.title') }).tap();
    await page.getByLabel(msg('dates.from')).waitFor();
    await assertAccessible(page, 'filters');
    const wide = await page.evaluate<number>('document.documentElement.scrollWidth');
    assert.equal(wide, narrow.viewport.width);
    assertNoProblems(problems);
  });

  test('countries have the names of the reader’s language', async (t) => {
    const { user } = await placed();
    const { page, problems } = await openConsole(world, t, { browser: { locale: 'ko-KR' } });
    // Names are drawn character by character, with fonts of this device.
    await page.addInitScript(`
      globalThis.drawn = '';
      const { fillText } = OffscreenCanvasRenderingContext2D.prototype;
      OffscreenCanvasRenderingContext2D.prototype.fillText = function (text, ...at) {
        drawn += text;
        return fillText.call(this, text, ...at);
      };`);
    await page.goto(`${world.url}/map?at=50.00000,10.00000,5.00`);
    await page.locator('.sign-in input').first().fill(user.token);
    await page.keyboard.press('Enter');
    await page.locator('.map-view[aria-busy=false]').waitFor();
    assert.match(await page.evaluate<string>('drawn'), /(?=.*독)(?=.*일)(?=.*폴)(?=.*란)/s);
    // From afar, outlines of countries are a map.
    assert.equal(await page.getByRole('button', { name: koMsg('map.whyEmpty') }).count(), 0);
    assert.match(await page.locator('.maplibregl-ctrl-scale').innerText(), /^\d+\skm$/);
    assertNoProblems(problems);
  });
}

interface Cone {
  readonly dataset: { readonly direction: string };
}
