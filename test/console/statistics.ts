import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { done } from '../../testkit/expect.js';
import { uploadedAt } from '../../testkit/ledger.js';
import type { Statistics } from '../../testkit/records.js';
import { assertAccessible } from './accessible.js';
import { assertNoProblems, atPage, openConsole, standing, type ConsoleWorld } from './harness.js';
import { msg } from './words.js';

interface Day {
  readonly date: number;
  readonly stats: Statistics;
}

/** Noon this many days ago in the service's time zone. */
const daysAgo = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString();

const path = '/statistics';

/** The file that is saved by a button on the page. */
async function saved(page: Page, section: string): Promise<string> {
  const button = page
    .getByRole('region', { name: section })
    .getByRole('button', { name: msg('statistics.csv') });
  const [download] = await Promise.all([page.waitForEvent('download'), button.click()]);
  return readFile(await download.path(), 'utf8');
}

/** Table cells that are clipped, overflow their row, or break a word. */
const brokenIn = (table: string): string => `
  [...document.querySelectorAll('[role=table][aria-label="${table}"] .cell')]
    .filter((cell) => {
      const [inner, row] = [cell, cell.parentElement].map((each) => each.getBoundingClientRect());
      const [text] = cell.childNodes;
      const word = document.createRange();
      const split = [...(text.data ?? '').matchAll(/\\S+/g)].some(({ 0: { length }, index }) => {
        word.setStart(text, index);
        word.setEnd(text, index + length);
        return word.getClientRects().length > 1;
      });
      const cut = cell.scrollWidth > cell.clientWidth || cell.scrollHeight > cell.clientHeight;
      return split || cut || inner.top < row.top || inner.bottom > row.bottom;
    })
    .map((cell) => cell.textContent)`;

export function testStatistics(world: ConsoleWorld): void {
  const { service } = world;

  async function busyPlatform(name: string, days: readonly number[]) {
    const platform = await service.platform(name);
    const user = await service.user(platform);
    await uploadedAt(service.db, user, days.map(daysAgo));
    return platform;
  }

  test('a platform sees the days and totals of the API, and can save them', async (t) => {
    const platform = await busyPlatform('Bridges', [0, 0, 3, 40]);
    await service.db.query(
      `UPDATE users SET active_images = 4, trashed_images = 1, stored_bytes = 5 * 1048576
       WHERE platform_id = $1`,
      [platform.id],
    );
    const { page, problems } = await openConsole(world, t, { path, token: platform.token });
    await atPage(page, msg('statistics.title'));
    const perDay = page.getByRole('table', { name: msg('statistics.perDay') });
    await perDay.getByRole('row').nth(1).waitFor();
    // Two days with uploads; the neighbors without anything are a row each.
    assert.equal(await perDay.getAttribute('aria-rowcount'), '5');
    await perDay.getByRole('button', { name: msg('statistics.quiet', { count: 2 }) }).waitFor();
    const quiet = perDay.getByRole('button', { name: msg('statistics.quiet', { count: 26 }) });
    await quiet.press('Enter');
    await page.locator('[role=table][aria-rowcount="30"]').waitFor();
    await perDay.getByRole('button', { expanded: true }).and(page.locator(':focus')).press('Enter');
    await page.locator('[role=table][aria-rowcount="5"]').waitFor();

    const text = await saved(page, msg('statistics.perDay'));
    const [head = '', ...lines] = text.replace('\uFEFF', '').trim().split('\r\n');
    const names = head.split(',');
    const [first = '', last = ''] = [lines[0], lines.at(-1)].map((line) => line?.split(',')[0]);
    const query = { start_date: first, end_date: last };
    const as = ['Platform', platform.token] as const;
    const base = `/api/v2/platforms/${platform.id}/stats`;
    const days = done(await service.client.get<Day[]>(base, { as, query }));
    assert.deepEqual(
      lines.map((line) => line.split(',').map(Number)),
      days.map(({ date, stats }) => [
        date,
        ...names.slice(1).map((name) => stats[name as keyof Statistics]),
      ]),
    );
    assert.equal(days.length, 30);
    const uploads = days.reduce((sum, { stats }) => sum + stats.total_upload, 0);
    assert.equal(uploads, 3);

    const newest = await perDay.getByRole('row').nth(1).getByRole('cell').allInnerTexts();
    assert.equal(newest[1 + names.slice(1).indexOf('total_upload')], '2');
    assert.equal(newest[1 + names.slice(1).indexOf('total_filesize_mb')], '4 MB');
    const total = done(await service.client.get<Statistics>(`${base}/total`, { as }));
    assert.equal(total.total_upload, 4);
    const card = (name: string) =>
      page.locator('button.figure', { has: page.getByText(name, { exact: true }) });
    assert.equal(await card(msg('upload.title')).locator('.figure-value').innerText(), '3');
    await card(msg('upload.title'))
      .getByText(msg('statistics.sinceBeginning', { value: 4 }))
      .waitFor();
    assert.equal(await card(msg('upload.title')).getAttribute('aria-pressed'), 'true');
    await page.getByRole('img', { name: msg('upload.title') }).waitFor();
    await card(msg('statistics.figure.total_filesize_mb')).press('Enter');
    await page.getByRole('img', { name: msg('statistics.figure.total_filesize_mb') }).waitFor();
    assert.equal(await card(msg('upload.title')).getAttribute('aria-pressed'), 'false');

    const users = page.getByRole('table', { name: msg('statistics.byUser') });
    await users.getByRole('row').nth(1).waitFor();
    const cells = await users.getByRole('row').nth(1).getByRole('cell').allInnerTexts();
    assert.deepEqual(cells.slice(1), ['4', '1', '5 MB', '10 GB']);
    const ofUsers = await saved(page, msg('statistics.byUser'));
    assert.match(
      ofUsers,
      /^\uFEFFid,platform_user_id,[a-z_,]+\r\n[-\da-f]{36},[^,]+,[\d_]+,,4,1,5,/,
    );

    assert.deepEqual(await page.evaluate<string[]>(brokenIn(msg('statistics.perDay'))), []);
    assert.deepEqual(await page.evaluate<string[]>(brokenIn(msg('statistics.byUser'))), []);
    await page.setViewportSize({ width: 390, height: 844 });
    assert.deepEqual(await page.evaluate<string[]>(brokenIn(msg('statistics.perDay'))), []);
    const firstDay = perDay.getByRole('cell').first();
    // The page is laid out anew for the narrow window, not at once.
    const stands = await standing(firstDay);
    const moved = await perDay.evaluate((node) => {
      const shown = node as { scrollLeft: number };
      shown.scrollLeft = 1e9;
      return shown.scrollLeft;
    });
    assert.ok(moved > 100, `${moved} pixels of the table are beside the phone`);
    assert.deepEqual(await firstDay.boundingBox(), stands);
    await page.setViewportSize({ width: 1280, height: 800 });

    await page.getByRole('button', { name: msg('statistics.lastDays', { count: 90 }) }).click();
    await page.getByRole('heading', { name: msg('statistics.inDays', { count: 90 }) }).waitFor();
    assert.equal(await card(msg('upload.title')).locator('.figure-value').innerText(), '4');
    await assertAccessible(page);
    assertNoProblems(problems);
  });

  test('an administrator sees all platforms, and each of them', async (t) => {
    const [one, two] = [await busyPlatform('Dams', [1, 1]), await busyPlatform('Tunnels', [2])];
    const token = await service.adminToken();
    const { page, problems } = await openConsole(world, t, { path, token });
    // Which rows are drawn depends on the platforms of other tests; the file has all of them.
    await page
      .getByRole('table', { name: msg('statistics.byPlatform') })
      .getByRole('row')
      .nth(2)
      .waitFor();
    const text = await saved(page, msg('statistics.byPlatform'));
    assert.match(text, new RegExp(`${one.id},Dams,2,0,2,`));
    assert.match(text, new RegExp(`${two.id},Tunnels,1,0,1,`));
    const whose = page.getByLabel(msg('statistics.only'));
    for (const [{ id }, uploads] of [
      [two, /^1$/],
      [one, /^2$/],
    ] as const) {
      await whose.selectOption(id);
      await page.locator('.figure-value').first().filter({ hasText: uploads }).waitFor();
    }
    assertNoProblems(problems);
  });

  test('a range that ends before it begins shows an error, and sends no request', async (t) => {
    const { token } = await busyPlatform('Roads', []);
    const { page, problems } = await openConsole(world, t, { path, token });
    await page.getByRole('table', { name: msg('statistics.perDay') }).waitFor();
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await page.getByLabel(msg('statistics.from')).fill('2030-01-02');
    await page.getByText(msg('statistics.backwards')).waitFor();
    assert.deepEqual(asked, []);
    assertNoProblems(problems);
  });
}
