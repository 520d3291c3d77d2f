import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page, Response } from 'playwright-core';
import { done } from '../../../testkit/expect.js';
import { eventually } from '../../../testkit/eventually.js';
import { seedImages, type SeededImage } from '../../../testkit/image-rows.js';
import { longOnly } from '../../../testkit/long-form.js';
import { Relay } from '../../../testkit/relay.js';
import { assertAccessible } from '../accessible.js';
import { assertNoProblems, openConsole, type ConsoleWorld } from '../harness.js';
import { bubbleCounts as counts, sum, waitForStatus as waitForText } from '../maps.js';
import { msg } from '../words.js';
import type { Tenant } from '../../../testkit/world.js';

/** 40 images in Seoul, some hundred meters apart, the oldest from two years before; 3 in Busan. */
const images: readonly SeededImage[] = [
  ...Array.from({ length: 40 }, (_, n) => ({
    place: [37.55 + 0.004 * (n % 8), 126.95 + 0.005 * Math.floor(n / 8)] as const,
    created_at: n === 0 ? '2022-03-01T03:00:00Z' : '2024-03-01T03:00:00Z',
  })),
  ...Array.from({ length: 3 }, () => ({ place: [35.1796, 129.0756] as const })),
];

/** Zoom 13, where each image in Seoul is shown by itself. */
const district = '/map?at=37.56200,126.96000,13.00';

const bubbles = (page: Page): Promise<void> =>
  page.locator('.map-view [data-count]').first().waitFor();

/** Until what a change of the page's size causes has happened. */
const twoFrames =
  'new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))';

export function testMap(world: ConsoleWorld): void {
  const { service } = world;

  async function mapped(platform?: Tenant) {
    const user = await service.user(platform);
    const ids = await seedImages(service, user, images);
    // One without a location, and one in the trash.
    await seedImages(service, user, [
      {},
      { place: [37.56, 126.97], deleted_at: new Date().toISOString() },
    ]);
    return { user, ids };
  }

  test('every way out of the map leads to the page that it names', async (t) => {
    const { user } = await mapped();
    const { page, problems } = await openConsole(world, t, { path: '/library', token: user.token });
    const library = page.getByRole('heading', { level: 1, name: msg('library.all') });
    const picture = page.getByRole('heading', { name: msg('picture.memos') });
    const enter = () => page.getByRole('link', { name: msg('map.title') }).click();
    const ways = [
      { leave: () => page.goBack(), to: library },
      { leave: () => page.locator('.map-row').first().click(), to: picture },
      { leave: () => page.getByRole('link', { name: msg('library.title') }).click(), to: library },
    ];
    for (const { leave, to } of ways) {
      // A picture covers the rail.
      if (await picture.isVisible()) await page.keyboard.press('Escape');
      await enter();
      await bubbles(page);
      await page.locator('.map-row').first().waitFor();
      await page.locator('.map-view[aria-busy=false]').waitFor();
      await leave();
      await to.waitFor();
      const { pathname } = new URL(page.url());
      assert.match(pathname, /^\/console\/library/);
      // The map must not come back once its page has gone.
      await page.evaluate(twoFrames);
      assert.equal(new URL(page.url()).pathname, pathname);
      assert.equal(await page.locator('.map-page').count(), 0);
      await to.waitFor();
    }
    assertNoProblems(problems);
  });

  test('a map says that it has no images only after loading', longOnly, async (t) => {
    const { user } = await mapped();
    const { page } = await openConsole(world, t, { path: '/library', token: user.token });
    let answer = (): void => undefined;
    const mayAnswer = new Promise<void>((resolve) => (answer = resolve));
    // The first request, for all images, decides what is shown; the second one is for the visible part.
    let requests = 0;
    await page.route('**/map/clusters?*', async (route) => {
      requests += 1;
      if (requests > 1) await mayAnswer;
      await route.continue();
    });
    await page.getByRole('link', { name: msg('map.title') }).click();
    const status = page.locator('.map-side').getByRole('status');
    await page.locator('.map-view[aria-busy=false]').waitFor();
    assert.equal(await status.textContent(), '');
    answer();
    await waitForText(page, msg('map.inView', { count: 43 }));
  });

  test(
    'tiles that failed while the server was down are requested once it is back',
    longOnly,
    async (t) => {
      const { user } = await mapped();
      const relay = await Relay.to(service.service.url);
      t.after(() => relay.cut());
      const through = { ...world, url: `${relay.url}/console` };
      const { page } = await openConsole(through, t, { path: district, token: user.token });
      await bubbles(page);
      await relay.cut();
      await page.getByRole('button', { name: msg('map.zoomOut') }).click();
      await page.getByRole('alert').first().getByText(msg('problem.unreachable')).waitFor();
      const isTile = (response: Response): boolean => response.url().includes('.mvt');
      const [tile] = await Promise.all([page.waitForResponse(isTile), relay.reconnect()]);
      assert.ok(tile.ok()); // 204 if it is empty
      await page.getByRole('alert').first().waitFor({ state: 'detached' });
      await waitForText(page, msg('map.inView', { count: 40 }));
      await eventually('all images are on the map', async () => sum(await counts(page)) === 40);
    },
  );

  test('zoomed in, a map links to images; a circle is drawn with the keyboard and by dragging', async (t) => {
    const { user, ids } = await mapped();
    const { page, problems } = await openConsole(world, t, { path: district, token: user.token });
    const point = page.locator('.map-point').first();
    await point.waitFor();
    for (const link of [
      point,
      page
        .getByRole('list', { name: msg('map.list') })
        .getByRole('link')
        .first(),
    ]) {
      const href = (await link.getAttribute('href')) ?? '';
      assert.equal(href.replace(/[^/]+$/, ''), '/console/library/images/');
      assert.ok(ids.includes(href.split('/').at(-1) ?? ''), href);
    }

    await page.getByRole('button', { name: msg('map.circle') }).press('Enter');
    const edge = page.getByRole('slider', { name: msg('map.radius') });
    const inCircle = async (change?: () => Promise<void>): Promise<number> => {
      if (change) {
        const before = await edge.getAttribute('aria-valuenow');
        await change();
        await page.locator(`[role=slider].edge:not([aria-valuenow="${before}"])`).waitFor();
      }
      const radius = Number(await edge.getAttribute('aria-valuenow'));
      // In the middle of what the list leaves of the map.
      const circleIn = (url: URL): number[] =>
        (url.searchParams.get('circle') ?? '').split(',').map(Number);
      await page.waitForURL((url) => circleIn(url)[2] === radius);
      const [latitude = 0, longitude = 0] = circleIn(new URL(page.url()));
      const near = { latitude, longitude, radius, view_type: 'map' };
      const as = ['User', user.token] as const;
      const query = { ...near, has_delete_at: 'False' };
      const found = await service.client.get<{ total_count: number }>(user.images, { as, query });
      const { total_count: count } = done(found);
      await waitForText(page, msg('map.inCircle', { count }));
      return count;
    };
    const first = await inCircle();
    assert.ok(first > 1 && first < 40, String(first));
    await inCircle(() => edge.press('PageDown'));
    const smaller = await inCircle(() => edge.press('ArrowLeft'));
    assert.ok(smaller < first, `${smaller} < ${first}`);

    const box = await edge.boundingBox();
    assert.ok(box);
    const larger = await inCircle(async () => {
      await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
      await page.mouse.down();
      await page.mouse.move(box.x + 150, box.y, { steps: 3 });
      await page.mouse.up();
    });
    assert.ok(larger > first, `${larger} > ${first}`);
    await page.getByRole('button', { name: msg('map.noCircle') }).click();
    await waitForText(page, msg('map.inView'));
    assertNoProblems(problems);
  });

  test('a platform sees the locations of images of its own users only', longOnly, async (t) => {
    const platform = await service.platform();
    for (const of of [platform, platform, undefined]) await mapped(of);
    const { token } = platform;
    const { page, problems } = await openConsole(world, t, { path: '/map', token });
    await bubbles(page);
    await waitForText(page, msg('map.inView', { count: 86 }));
    assert.equal(sum(await counts(page)), 86);
    assert.equal(await page.getByRole('button', { name: msg('map.circle') }).count(), 0);
    await page
      .getByRole('list', { name: msg('map.places') })
      .getByRole('button')
      .nth(1)
      .waitFor();
    await assertAccessible(page);
    assertNoProblems(problems);
  });
}
