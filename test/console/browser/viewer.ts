import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Locator, Page, Request } from 'playwright-core';
import { eventually } from '../../../testkit/eventually.js';
import { done } from '../../../testkit/expect.js';
import { seedImages } from '../../../testkit/image-rows.js';
import { jpeg, namedPart } from '../../../testkit/pictures.js';
import { assertAccessible } from '../accessible.js';
import {
  assertNoProblems,
  atPage,
  type ConsoleWorld,
  counted,
  openConsole,
  shownTiles,
} from '../harness.js';
import { koMsg, msg } from '../words.js';
import type { Image } from '../../../testkit/records.js';
import type { Member } from '../../../testkit/world.js';

const phone = { viewport: { width: 390, height: 844 }, hasTouch: true };

export function testViewer(world: ConsoleWorld): void {
  const { service } = world;

  /** Uploads pictures that differ, the first one first. @returns their ids. */
  async function upload(user: Member, fields: readonly Record<string, string>[]) {
    const ids: string[] = [];
    for (const [n, given] of fields.entries()) {
      const bytes = await jpeg({ width: 1600, height: 1200, seed: n + 1 });
      const form = {
        image_data: namedPart(bytes, `site-${n}.jpg`),
        created_at: `2026010${n + 1}_120000`,
        ...given,
      };
      const answer = service.client.post<Image>(user.images, {
        as: ['User', user.token],
        form,
      });
      ids.push(done(await answer).id);
    }
    return ids;
  }

  async function recordOf(user: Member, id: string): Promise<Image> {
    const query = { with_memo: 'True', with_custom: 'True' };
    const as = ['User', user.token] as const;
    return done(await service.client.get<Image>(`${user.images}/${id}`, { as, query }));
  }

  test('the keyboard alone opens, steps, zooms, turns and closes, and the grid has the focus again', async (t) => {
    const user = await service.user();
    const [first = '', second = '', third = ''] = await upload(user, [{}, {}, {}]);
    const { page, problems } = await openConsole(world, t, {
      path: '/library',
      token: user.token,
      // What it remembers is not for other tests.
      own: true,
    });
    await atPage(page, msg('library.all'));
    await shownTiles(page).nth(2).waitFor();
    await page.getByRole('grid').focus();
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/images/${third}?at=0`);
    await page.locator('.shot img:not(.waiting)').nth(1).waitFor();
    await page.keyboard.press('ArrowRight');
    await page.waitForURL(`**/images/${second}?at=1`);
    await page.keyboard.press('ArrowRight');
    await page.waitForURL(`**/images/${first}?at=2`);
    await page.getByText(msg('picture.position', { n: 3, of: 3 })).waitFor();
    const strip = page.getByRole('navigation', { name: msg('picture.strip') });
    assert.equal(await strip.getByRole('link').count(), 3);
    await page.keyboard.press('ArrowLeft');
    await page.waitForURL(`**/images/${second}?at=1`);

    await page.locator('.shot img:not(.waiting)').nth(1).waitFor();
    await page.keyboard.press('1');
    await page.getByRole('button', { name: '100%' }).waitFor();
    const zoomed = await transformOf(page);
    await page.keyboard.press('ArrowDown');
    await eventually('an arrow moves it', async () => (await transformOf(page)) !== zoomed);
    assert.match(page.url(), new RegExp(second));
    await page.keyboard.press('0');
    await eventually('it fits', async () => /scale\(1\)$/.test(await transformOf(page)));
    await page.keyboard.press('r');
    await eventually('it is turned', async () => /rotate\(90deg\)/.test(await transformOf(page)));
    await eventually('it fits again, upright', async () => {
      const shot = await page.locator('.shot').boundingBox();
      const frame = await page.locator('.stage .frame').boundingBox();
      if (!shot || !frame) return false;
      return shot.height <= frame.height + 1 && shot.height > shot.width;
    });

    const panel = page.getByRole('complementary', { name: msg('picture.details') });
    await page.keyboard.press('i');
    await panel.waitFor({ state: 'detached' });
    await page.reload();
    await page.locator('.shot').waitFor();
    assert.equal(await panel.count(), 0);
    await assertCentered(page);
    await page.keyboard.press('i');
    await panel.waitFor();
    await assertAccessible(page, 'viewer');

    await page.keyboard.press('Escape');
    await atPage(page, msg('library.all'));
    assert.equal(new URL(page.url()).search, '');
    const focused = page.getByRole('grid').and(page.locator(':focus'));
    await focused.waitFor();
    await eventually('it is at the picture that was open', async () =>
      /-1$/.test((await focused.getAttribute('aria-activedescendant')) ?? ''),
    );
    assertNoProblems(problems);
  });

  test('a place is set by a click on the map, and moved by the keyboard', async (t) => {
    const user = await service.user();
    const [id = ''] = await upload(user, [{ direction: '135', altitude_m: '12.5' }]);
    const path = `/library/images/${id}`;
    const { page, problems } = await openConsole(world, t, { path, token: user.token });
    await page.getByText(msg('picture.noPlace')).waitFor();
    await page.getByText('135°').waitFor();
    await page.getByRole('button', { name: msg('picture.choosePlace') }).click();
    await page.locator('.map-view[aria-busy=false]').click({ position: { x: 60, y: 60 } });
    const pin = page.getByRole('button', { name: msg('map.movePin') });
    await pin.waitFor();
    assert.equal(await pin.locator('.map-cone').getAttribute('data-direction'), '135');
    assert.equal((await recordOf(user, id)).lat, null);
    // It is moved again before the page has read what was saved, which took the move back.
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    const isRead = (request: Request) => request.method() === 'GET' && request.url().includes(id);
    await page.route(`**/images/${id}*`, async (route) => {
      if (isRead(route.request())) await held;
      await route.continue();
    });
    const save = page.getByRole('button', { name: msg('picture.savePlace') });
    const written = page.waitForResponse((answer) => answer.request().method() === 'PUT');
    const read = page.waitForResponse((answer) => isRead(answer.request()));
    await save.click();
    await written;
    await save.and(page.locator(':not([aria-busy=true])')).waitFor();
    const { lng } = await recordOf(user, id);
    await pin.focus();
    await page.keyboard.press('ArrowRight');
    await pin.and(page.locator(':focus')).waitFor();
    release();
    await read;
    await page.keyboard.press('ArrowRight');
    await save.press('Enter');
    await eventually(
      'it moves east',
      async () => ((await recordOf(user, id)).lng ?? -999) > (lng ?? 0),
    );
    assert.match(page.url(), new RegExp(id));
    await assertAccessible(page, 'place');
    assertNoProblems(problems);
  });

  test('memos have several lines; custom values are added, changed and removed', async (t) => {
    const user = await service.user();
    const [id = ''] = await upload(user, [{}]);
    const path = `/library/images/${id}`;
    const { page, problems } = await openConsole(world, t, { path, token: user.token });
    const memo = page.getByRole('textbox', { name: msg('picture.memo') });
    await memo.fill('Crack above the window');
    await memo.press('Enter');
    await page.keyboard.type('40 cm, i and f are letters');
    await memo.press('Control+Enter');
    await page.getByRole('button', { name: msg('picture.editMemo') }).waitFor();
    const message = 'Crack above the window\n40 cm, i and f are letters';
    assert.deepEqual(
      (await recordOf(user, id)).memos?.map((each) => each.message),
      [message],
    );

    await page.getByRole('button', { name: msg('picture.addCustom') }).click();
    await page.getByLabel(msg('field.key')).fill('Inspection');
    await page.getByLabel(msg('field.value')).fill('A-1024');
    await page.getByRole('button', { name: msg('action.add'), exact: true }).click();
    await page.getByRole('row', { name: /Inspection A-1024/ }).waitFor();
    await page
      .getByRole('button', { name: msg('picture.editCustom', { key: 'Inspection' }) })
      .click();
    await page.getByLabel(msg('field.value')).fill('A-2048');
    await page.getByRole('button', { name: msg('action.save') }).click();
    await page.getByRole('row', { name: /Inspection A-2048/ }).waitFor();
    await assertAccessible(page, 'notes');
    await page
      .getByRole('button', { name: msg('picture.deleteCustom', { key: 'Inspection' }) })
      .click();
    await page.getByText(msg('picture.noCustoms')).waitFor();
    assert.deepEqual((await recordOf(user, id)).customs, []);
    assertNoProblems(problems);
  });

  test('another picture of the same spot and direction is compared, zoomed as one', async (t) => {
    const user = await service.user();
    const at = (latitude: string, direction: string) => ({
      latitude,
      longitude: '11.885',
      direction,
    });
    const [, id = ''] = await upload(user, [
      at('43.46701', '75'),
      at('43.467', '60'),
      at('43.467', '240'),
      at('43.468', '60'),
    ]);
    const path = `/library/images/${id}`;
    const { page, problems } = await openConsole(world, t, { path, token: user.token });
    const spot = page.getByRole('region', { name: msg('picture.sameSpot') });
    await spot.getByRole('button').first().waitFor();
    assert.equal(await spot.getByRole('button').count(), 1);
    await spot
      .getByRole('button', { name: msg('picture.compareWith', { day: 'Jan 1, 2026' }) })
      .click();
    const frames = page.locator('.frames .frame');
    await frames.nth(1).locator('img:not(.waiting)').nth(1).waitFor();
    assert.match((await frames.nth(0).locator('.shot').getAttribute('aria-label')) ?? '', /Jan 1/);
    assert.equal(await page.locator('.frames img').count(), 4);
    await page.keyboard.press('+');
    // The whole of both follows, also of the one that the list told without it.
    await page.locator('.frames img:not(.waiting)').nth(5).waitFor();
    const [one, other] = [frames.nth(0).locator('.shot'), frames.nth(1).locator('.shot')];
    const scale = /scale\(1\.25\)/;
    await eventually('both are zoomed', async () => {
      const styles = [await one.getAttribute('style'), await other.getAttribute('style')];
      return styles.every((style) => scale.test(style ?? ''));
    });
    await page.keyboard.press('Escape');
    await page.locator('.frames').waitFor({ state: 'detached' });
    assert.match(page.url(), new RegExp(id));
    assertNoProblems(problems);
  });

  test('what is moved to the trash comes back by Ctrl and Z; a picture that is gone has a way out', async (t) => {
    const user = await service.user();
    const [, second = '', third = ''] = await upload(user, [{}, {}, {}]);
    const { page } = await openConsole(world, t, {
      path: `/library/images/${third}?at=0`,
      token: user.token,
    });
    await page.locator('.strip-item img').nth(2).waitFor();
    await page.keyboard.press('Delete');
    await page.waitForURL(`**/images/${second}?*`);
    await page.getByText(msg('library.trashed', { count: 1 })).waitFor();
    await page.getByText(msg('picture.position', { n: 1, of: 2 })).waitFor();
    assert.notEqual((await recordOf(user, third)).delete_at, null);
    await page.keyboard.press('Control+z');
    await page.waitForURL(`**/images/${third}?*`);
    await page.getByText(msg('picture.position', { n: 1, of: 3 })).waitFor();
    assert.equal((await recordOf(user, third)).delete_at, null);

    // Also once the picture has been left.
    await page.keyboard.press('Delete');
    await page.waitForURL(`**/images/${second}?*`);
    await page.keyboard.press('Escape');
    await atPage(page, msg('library.all'));
    await counted(page, 2);
    await page.keyboard.press('Control+z');
    await counted(page, 3);
    assert.equal((await recordOf(user, third)).delete_at, null);

    const gone = third.replace(/.$/, (last) => (last === '0' ? '1' : '0'));
    await page.goto(`${world.url}/library/images/${gone}`);
    await page.getByText(msg('problem.image_not_found')).waitFor();
    assert.equal(await page.getByRole('button', { name: msg('action.retry') }).count(), 0);
    await assertAccessible(page, 'gone');
    await page
      .getByRole('alert')
      .getByRole('link', { name: msg('picture.back') })
      .click();
    await atPage(page, msg('library.all'));
  });

  test('of thousands of neighbors, the film strip draws those in view', async (t) => {
    const user = await service.user();
    await seedImages(
      service,
      user,
      Array.from({ length: 3_000 }, () => ({})),
    );
    const as = ['User', user.token] as const;
    const query = { last_index: '1500', page_size: '1', has_delete_at: 'False' };
    const page1 = done(await service.client.get<{ items: Image[] }>(user.images, { as, query }));
    const path = `/library/images/${page1.items[0]?.id}?at=1500`;
    const { page } = await openConsole(world, t, { path, token: user.token });
    await page.getByText(msg('picture.position', { n: 1501, of: 3000 })).waitFor();
    await assertCentered(page);
    assert.ok((await page.locator('.strip-item').count()) < 40);
    await page
      .locator('.strip')
      .evaluate((node) => ((node as { scrollLeft: number }).scrollLeft = 0));
    await page.locator('a.strip-item').first().waitFor();
    await eventually('the beginning is drawn', async () => {
      const href = await page.locator('a.strip-item').first().getAttribute('href');
      return href?.endsWith('at=0') === true;
    });
  });

  test('on a phone, in Korean: swiped, with the information as a sheet', async (t) => {
    const user = await service.user();
    const [first = '', second = ''] = await upload(user, [{}, {}]);
    const { page, problems } = await openConsole(world, t, {
      path: `/library/images/${second}?at=0`,
      browser: { ...phone, locale: 'ko-KR' },
    });
    await page.locator('input').fill(user.token);
    await page.keyboard.press('Enter');
    await page.locator('.shot img:not(.waiting)').nth(1).waitFor();
    await page.locator('.strip-item img').nth(1).waitFor();
    assert.equal(await page.locator('.panel').count(), 0);
    await swipe(page, [300, 400], [80, 400]);
    await page.waitForURL(`**/images/${first}?at=1`);
    const panel = page.getByRole('complementary', { name: koMsg('picture.details') });
    await swipe(page, [200, 500], [200, 300]);
    await panel.waitFor();
    // Its head pulls it down; so does the rest, but only from where it begins.
    await swipe(page, [150, 370], [150, 560]);
    await panel.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: koMsg('picture.details') }).click();
    await panel.waitFor();
    const scrollTo = (top: number): Promise<number> =>
      panel.evaluate((node, to) => {
        const scrolled = node as unknown as { scrollTop: number };
        return (scrolled.scrollTop = to);
      }, top);
    await swipe(page, [150, 760], [150, 560]);
    await eventually('a finger scrolls the sheet', async () => (await topOf(panel)) > 0);
    await scrollTo(40);
    await swipe(page, [150, 450], [150, 640]);
    assert.equal(await panel.count(), 1);
    await scrollTo(0);
    await swipe(page, [150, 450], [150, 640]);
    await panel.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: koMsg('picture.details') }).click();
    await panel.waitFor();
    await swipe(page, [200, 150], [200, 270]);
    await panel.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: koMsg('picture.details') }).click();
    await panel.waitFor();
    const [sheet, stage] = [await panel.boundingBox(), await page.locator('.stage').boundingBox()];
    assert.ok(sheet && stage && sheet.width === 390 && sheet.y >= stage.y + stage.height - 1);
    const wide: number = await page.evaluate('document.documentElement.scrollWidth');
    assert.ok(wide <= 390, `${wide} pixels wide`);
    await assertAccessible(page, 'sheet');
    assertNoProblems(problems);
  });
}

/** The open picture is in the middle of the film strip. */
async function assertCentered(page: Page): Promise<void> {
  const current = page.locator('.strip-item[aria-current]');
  await current.waitFor();
  const [item, strip] = [await current.boundingBox(), await page.locator('.strip').boundingBox()];
  assert.ok(item && strip);
  const off = item.x + item.width / 2 - (strip.x + strip.width / 2);
  assert.ok(Math.abs(off) <= 2, `${off} pixels off the middle`);
}

const transformOf = (page: Page): Promise<string> =>
  page
    .locator('.shot')
    .evaluate((node) => (node as unknown as { style: { transform: string } }).style.transform);

const topOf = (scrolled: Locator): Promise<number> =>
  scrolled.evaluate((node) => (node as unknown as { scrollTop: number }).scrollTop);

type Point = readonly [x: number, y: number];

/** Moves a finger over the page. */
export async function swipe(page: Page, from: Point, to: Point): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const between = (axis: 0 | 1, share: number): number =>
    from[axis] + (to[axis] - from[axis]) * share;
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', share?: number) =>
    session.send('Input.dispatchTouchEvent', {
      type,
      touchPoints: share === undefined ? [] : [{ x: between(0, share), y: between(1, share) }],
    });
  await touch('touchStart', 0);
  for (const share of [0.3, 0.6, 1]) await touch('touchMove', share);
  await touch('touchEnd');
}
