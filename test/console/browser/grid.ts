import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { eventually } from '../../../testkit/eventually.js';
import { seedImages, type SeededImage } from '../../../testkit/image-rows.js';
import { assertAccessible } from '../accessible.js';
import { atPage, type ConsoleWorld, counted, openConsole, standing } from '../harness.js';
import { msg } from '../words.js';
import { seedMany } from '../many-images.js';

/** Images of one day, one a second. */
const ofDay = (day: string, count: number): SeededImage[] =>
  Array.from({ length: count }, (_, n) => ({
    taken_at: `${day}T03:${String(Math.floor(n / 60)).padStart(2, '0')}:${String(n % 60).padStart(2, '0')}Z`,
    created_at: '2025-01-01T03:00:00Z',
  }));

/** The names and counts of the days in view, from the top. */
const daysOf = (page: Page): Promise<string[]> => page.locator('.day-head').allInnerTexts();

const selected = (page: Page, text: string): Promise<void> =>
  page.getByRole('status').filter({ hasText: text }).first().waitFor();

interface Edges {
  readonly left: number;
  readonly right: number;
  readonly lefts: number[];
}

const edgesOfTiles = `(() => {
  const boxes = [...document.querySelectorAll('.tile')].map((tile) => tile.getBoundingClientRect());
  const firsts = [...document.querySelectorAll('.grid-row:has(.tile)')]
    .map((row) => row.querySelector('.tile').getBoundingClientRect().left);
  return {
    left: Math.min(...boxes.map(({ left }) => left)),
    right: Math.max(...boxes.map(({ right }) => right)),
    lefts: [...new Set(firsts)],
  };
})()`;

interface ShownRow {
  readonly height: number;
  readonly widths: readonly number[];
  readonly right: number;
}

const shownRows = `[...document.querySelectorAll('.grid-row:has(.tile)')].map((row) => {
  const boxes = [...row.querySelectorAll('.tile')].map((tile) => tile.getBoundingClientRect());
  const widths = boxes.map(({ width }) => width);
  return { height: boxes[0].height, widths, right: boxes.at(-1).right };
})`;

const tileInTheMiddle = `[...document.querySelectorAll('.tile:has(img)')]
  .find((tile) => tile.getBoundingClientRect().top > 250).id`;

/** The places in the list of the tiles in view that a frame in the window touches, or that are selected. */
const touchedBy = (from: Point, to: Point): string => `[...document.querySelectorAll('.tile')]
  .filter((tile) => {
    const { left, right, top, bottom } = tile.getBoundingClientRect();
    return left < ${Math.max(from.x, to.x)} && right > ${Math.min(from.x, to.x)}
      && top < ${Math.max(from.y, to.y)} && bottom > ${Math.min(from.y, to.y)};
  })
  .map(({ id }) => Number(/\\d+$/.exec(id)[0]))`;
const selectedTiles = `[...document.querySelectorAll('.tile.selected')]
  .map(({ id }) => Number(/\\d+$/.exec(id)[0]))`;

interface Point {
  readonly x: number;
  readonly y: number;
}

export function testGrid(world: ConsoleWorld): void {
  const { service } = world;

  test('each day has rows of its own, its count, and a tick for all of it', async (t) => {
    const user = await service.user();
    await seedImages(service, user, [
      ...ofDay('2024-05-02', 130),
      ...ofDay('2024-05-01', 3),
      { created_at: '2024-04-30T03:00:00Z' },
    ]);
    const browser = { viewport: { width: 1920, height: 1080 } };
    const { page } = await openConsole(world, t, { path: '/library', token: user.token, browser });
    await counted(page, 134);
    const tick = page.getByRole('checkbox', {
      name: msg('library.selectDay', { day: 'Thu, May 2, 2024' }),
    });
    await tick.waitFor();
    await eventually(
      'days have counts',
      async () => (await daysOf(page))[0]?.includes('130') ?? false,
    );
    const { left, right, lefts } = await page.evaluate<Edges>(edgesOfTiles);
    assert.ok(left <= 320 && right >= 1_600, `from ${left} to ${right}`);
    assert.equal(lefts.length, 1, 'every row begins at the same edge');

    // More than the page that has been read.
    await tick.click();
    await selected(page, msg('library.selected', { count: 130 }));
    assert.equal(await tick.getAttribute('aria-checked'), 'true');
    await assertAccessible(page, 'a selected day');
    await page.mouse.wheel(0, 4_000);
    const last = page.getByRole('checkbox', {
      name: msg('library.selectDay', { day: 'Tue, Apr 30, 2024' }),
    });
    await last.click();
    await selected(page, msg('library.selected', { count: 131 }));
    const days = (await daysOf(page)).map((text) => text.replace(/\s+/g, ' ').trim());
    assert.deepEqual(days.slice(-2), ['Wed, May 1, 2024 3', 'Tue, Apr 30, 2024 1']);
    assert.ok((await page.evaluate<number>('scrollY')) > 0, 'the page itself scrolls');
    await page.mouse.wheel(0, -9_000);
    await tick.click();
    await selected(page, msg('library.selected', { count: 1 }));
  });

  test('pictures are whole, their rows fill the width, and short days share one', async (t) => {
    const user = await service.user();
    const shapes = [
      [640, 480],
      [480, 640],
      [1_600, 900],
    ] as const;
    const shaped = (image: SeededImage, n: number): SeededImage => {
      const [width = 1, height = 1] = shapes[n % shapes.length] ?? [];
      return { ...image, width, height };
    };
    const days = [ofDay('2024-05-04', 1), ofDay('2024-05-03', 2), ofDay('2024-05-02', 30)];
    await seedImages(service, user, days.flat().map(shaped));
    const { page } = await openConsole(world, t, { path: '/library', token: user.token });
    await page.locator('.tile').nth(20).waitFor();
    const rows = await page.evaluate<ShownRow[]>(shownRows);
    const ratios = shapes.map(([width, height]) => width / height);
    for (const { height, widths } of rows) {
      for (const width of widths) {
        const shown = width / height;
        const isWhole = ratios.some((ratio) => Math.abs(shown / ratio - 1) < 0.04);
        assert.ok(isWhole, `${width} by ${height}`);
      }
    }
    const rights = new Set(rows.slice(1).map(({ right }) => Math.round(right)));
    assert.equal(rights.size, 1, `rows end at ${[...rights].join()}`);
    assert.deepEqual(rows[0]?.widths.length, 3, 'two days in the first row');
    assert.equal(await page.locator('.band').first().locator('.day-head').count(), 2);
  });

  test('what becomes known of pictures above does not move those in view', async (t) => {
    const user = await service.user();
    const of = (day: string, width: number, height: number): SeededImage[] =>
      ofDay(day, 150).map((image) => ({ ...image, width, height }));
    await seedImages(service, user, [
      ...of('2024-05-04', 640, 480),
      ...of('2024-05-03', 480, 900),
      ...of('2024-05-02', 1_600, 600),
      ...of('2024-05-01', 640, 480),
    ]);
    const { page } = await openConsole(world, t, { path: '/library', token: user.token });
    await page.route('**/files/**', (route) => route.abort());
    await counted(page, 600);
    await page.getByRole('grid').focus();
    await page.keyboard.press('End');
    const last = page.locator('.tile.current img');
    await last.waitFor({ state: 'attached' });
    await page.mouse.move(640, 400);
    // Up to days that nobody has seen, which are lower and higher than they were taken to be.
    for (let turn = 0; turn < 12; turn += 1) {
      const id = await page.evaluate<string>(tileInTheMiddle);
      const same = page.locator(`[id="${id}"]`);
      const before = await standing(same);
      await page.mouse.wheel(0, -300);
      await eventually('it has moved by as much', async () => {
        const after = await same.boundingBox();
        return after !== null && Math.abs(after.y - before.y - 300) < 4;
      });
      await page.locator('.tile:not(:has(img))').first().waitFor({ state: 'detached' });
      assert.ok(Math.abs((await standing(same)).y - before.y - 300) < 4, 'and stays there');
    }
  });

  test('arrows follow the rows of days, x selects, and Escape lets go', async (t) => {
    const user = await service.user();
    await seedImages(service, user, [...ofDay('2024-05-02', 2), ...ofDay('2024-05-01', 9)]);
    const { page } = await openConsole(world, t, { path: '/library', token: user.token });
    await page.locator('.tile').nth(10).waitFor();
    const current = () => page.locator('.tile.current').getAttribute('id');
    await page.getByRole('grid').focus();
    const first = await current();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowDown');
    const [below] = (await current())?.match(/\d+$/) ?? [];
    assert.equal(below, '3', 'the second of the next day');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowLeft');
    assert.equal(await current(), first);
    await page.keyboard.press('x');
    await selected(page, msg('library.selected', { count: 1 }));
    await page.keyboard.press('Shift+ArrowDown');
    await selected(page, msg('library.selected', { count: 3 }));
    await page.keyboard.press('Escape');
    await page.getByText(msg('library.selected', { count: 3 })).waitFor({ state: 'detached' });
    // The corner of a picture selects it; elsewhere, a click opens it.
    await page.locator('.tile').nth(4).hover();
    await page
      .locator('.tile')
      .nth(4)
      .click({ position: { x: 12, y: 12 } });
    await selected(page, msg('library.selected', { count: 1 }));
    await page.locator('.tile').nth(4).click();
    await page.getByRole('heading', { name: msg('picture.memos') }).waitFor();
    await page.goBack();
    await atPage(page, msg('library.all'));
  });

  test('a mouse draws a frame, which selects what it touches, and scrolls', async (t) => {
    const user = await service.user();
    await seedImages(service, user, [...ofDay('2024-05-02', 30), ...ofDay('2024-05-01', 600)]);
    const { page } = await openConsole(world, t, { path: '/library', token: user.token });
    await page.route('**/files/**', (route) => route.abort());
    await counted(page, 630);
    const { x: left, width } = await standing(page.locator('.grid-area'));
    const { y: first, height } = await standing(page.locator('.tile').first());
    const isSelected = (what: string, indexes: readonly number[]): Promise<void> =>
      eventually(what, async () => {
        const now = await page.evaluate<number[]>(selectedTiles);
        return String(now) === String(indexes);
      });
    const draw = async (from: Point, to: Point): Promise<number[]> => {
      await page.mouse.move(from.x, from.y);
      await page.mouse.down();
      await page.mouse.move(to.x, to.y, { steps: 5 });
      return page.evaluate<number[]>(touchedBy(from, to));
    };
    // From the ground beside the grid into the second row.
    const beside = { x: left - 8, y: first + height / 2 };
    const into = { x: left + width / 3, y: first + height * 1.5 };
    const touched = await draw(beside, into);
    assert.ok(touched.length >= 4 && !touched.includes(29), `${touched.join()} are touched`);
    await isSelected('what the frame touches', touched);
    await page.mouse.up();
    assert.equal(await page.locator('.marquee').count(), 0);
    await page.mouse.click(beside.x, beside.y);
    await isSelected('a click beside pictures changes nothing', touched);
    // Between two rows of the other side, with Ctrl.
    await page.keyboard.down('Control');
    const between = { x: left + width - 4, y: first + height + 2 };
    const more = await draw(between, { x: between.x - 60, y: between.y + 40 });
    await isSelected(
      'what is touched besides',
      [...touched, ...more].sort((a, b) => a - b),
    );
    await page.keyboard.up('Control');
    await page.keyboard.press('Escape');
    await isSelected('what was selected before', touched);
    await page.mouse.up();
    // Down to what nobody has read.
    const below = { x: left + width - 4, y: 798 };
    const [start = 0] = await draw(beside, below);
    await eventually(
      'the page scrolls',
      async () => (await page.evaluate<number>('scrollY')) > 6_000,
    );
    await page.mouse.move(below.x, 500);
    await standing(page.locator('.marquee'));
    await page.mouse.up();
    const end = Math.max(
      ...(await page.evaluate<number[]>(touchedBy({ x: left, y: 0 }, { ...below, y: 500 }))),
    );
    await selected(page, msg('library.selected', { count: end + 1 - start }));
  });

  test('years and months lead to their images, where the page then stays', async (t) => {
    const user = await service.user();
    await seedMany(service, user, 60_000);
    const { page } = await openConsole(world, t, { path: '/library', token: user.token });
    await page.route('**/files/**', (route) => route.abort());
    const years = page.getByRole('slider', { name: msg('library.time') });
    await years.focus();
    await page.getByText('2021', { exact: true }).waitFor();
    await page.keyboard.press('PageDown');
    await page.keyboard.press('PageDown');
    await eventually('2020 has come', async () =>
      (await daysOf(page)).some((text) => text.includes('Dec 31, 2020')),
    );
    await eventually('the line says so', async () =>
      ((await years.getAttribute('aria-valuetext')) ?? '').includes('2020'),
    );
    // What is above becomes known, and does not move what is in view.
    const head = page.locator('.day-head', { hasText: 'Dec 31, 2020' });
    const before = await standing(head);
    await page.mouse.move(640, 400);
    await page.mouse.wheel(0, -400);
    await eventually('it has moved by as much', async () => {
      const after = await head.boundingBox();
      return Math.abs((after?.y ?? 0) - before.y - 400) < 2;
    });
    await page
      .getByRole('gridcell', { name: /Jan 1, 2021/ })
      .first()
      .waitFor();
    assert.equal(Math.round(((await head.boundingBox())?.y ?? 0) - before.y), 400);
  });
}
