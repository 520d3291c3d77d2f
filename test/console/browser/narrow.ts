import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { seedFolder, seedImages } from '../../../testkit/image-rows.js';
import { assertAccessible } from '../accessible.js';
import { assertNoProblems, atPage, openConsole, type ConsoleWorld } from '../harness.js';
import { msg } from '../words.js';

const phone = { width: 390, height: 844 };
const desk = { width: 1280, height: 800 };

/** Elements that reach beyond the right edge of the window, without being cut off or scrolled. */
const beyondEdge = `
  [...document.querySelectorAll('body *')]
    .filter((node) => node.getBoundingClientRect().right > innerWidth + 1)
    .map((node) => node.outerHTML.slice(0, 120))`;

const cutHeads = `
  [...document.querySelectorAll('[role=columnheader]')]
    .filter((cell) => cell.scrollWidth > cell.clientWidth)
    .map((cell) => cell.textContent)`;

/** Lines of a head, in the height of its row. */
const mostHeadPx = 72;

async function assertFits(page: Page, title: string): Promise<void> {
  assert.deepEqual(await page.evaluate<string[]>(cutHeads), [], title);
  for (const head of await page.locator('.table-row.head').all()) {
    const { height = 0 } = (await head.boundingBox()) ?? {};
    assert.ok(height <= mostHeadPx, `${title}: a head of ${height} pixels`);
  }
  const wide = await page.evaluate<number>('document.documentElement.scrollWidth');
  const beyond = wide > phone.width ? await page.evaluate<string[]>(beyondEdge) : [];
  assert.ok(wide <= phone.width, `${title}: ${wide} pixels wide: ${beyond.join('\n')}`);
}

const longName = 'Inspection of facades, roofs and retaining walls in the north';

/** What the overview shows of an installation that has been used for long. */
const large = {
  totals: { platforms: 1_204, users: 482_913, images: 73_918_204, stored_mb: 287_654_321 },
  platforms: [
    { platform: longName, platforms: 1, images: 41_203_844, stored_mb: 187_654_321 },
    { platform: null, platforms: 1_203, images: 32_714_360, stored_mb: 100_000_000 },
  ],
  machines: [
    { address: '2001:db8:85a3:1234:5678:8a2e:370:7334', connections: 12, since: '20250131_000000' },
  ],
  backup: {
    at: '20250131_000000',
    repository: 's3://inspection-of-facades-and-roofs-backups/production/imgstore',
    objects: 1,
    megabytes: 287_654_321,
    proved_at: null,
  },
  jobs: [
    {
      job: 'reclaim',
      ended_at: '20250131_000000',
      ms: 1,
      error: 'connect ECONNREFUSED s3.inspection-of-facades-and-roofs.example:443',
    },
  ],
};

export function testNarrow(world: ConsoleWorld): void {
  const { service } = world;

  test('no page of an administrator or a platform scrolls sideways on a phone', async (t) => {
    const platform = await service.platform(longName);
    const name = longName.replaceAll(' ', '');
    const { user_id: id } = await service.service.tenants.users.create(platform.id, name);
    const pages = {
      Overview: '/overview',
      Platforms: '/platforms',
      Users: `/platforms/${platform.id}`,
      [name]: `/platforms/${platform.id}/users/${id}`,
      Statistics: '/statistics',
    };
    const browser = { viewport: phone };
    const admin = await openConsole(world, t, { token: await service.adminToken(), browser });
    await admin.page.route('**/api/v1/status', async (route) => {
      const answer = (await (await route.fetch()).json()) as { result: object };
      await route.fulfill({ json: { ...answer, result: { ...answer.result, ...large } } });
    });
    for (const [title, path] of Object.entries(pages)) {
      await admin.page.goto(`${world.url}${path}`);
      await atPage(admin.page, title);
      if (title === msg('overview.title')) await admin.page.locator('.day-chart canvas').waitFor();
      else if (title === name)
        await admin.page.getByRole('heading', { name: msg('onServer.title') }).waitFor();
      else await admin.page.getByRole('row').nth(1).waitFor();
      await assertFits(admin.page, title);
      await assertAccessible(admin.page, `${title} on a phone`);
    }
    const own = await openConsole(world, t, { token: platform.token, browser });
    await own.page.getByRole('row').nth(1).waitFor();
    await own.page.getByRole('button', { name: msg('shell.menu') }).click();
    await own.page
      .getByRole('button', { name: msg('shell.account', { name: longName }) })
      .waitFor();
    await assertFits(own.page, msg('users.title'));
    await own.page.goto(`${world.url}/users/${id}`);
    await own.page.getByText(msg('userLinks.none')).waitFor();
    await assertFits(own.page, name);
    await assertAccessible(own.page, 'a user on a phone');
    await own.page.goto(`${world.url}/statistics`);
    await own.page.getByRole('table', { name: msg('statistics.byUser') }).waitFor();
    await assertFits(own.page, 'Statistics of a platform');
    assertNoProblems([...admin.problems, ...own.problems]);
  });

  test('a window that was narrow for a while shows the folders again', async (t) => {
    const user = await service.user();
    await seedFolder(service, user, 'Site A');
    const [image = ''] = await seedImages(service, user, [{}]);
    const browser = { viewport: desk };
    const opening = { path: '/library', token: user.token, browser };
    const { page, problems } = await openConsole(world, t, opening);
    const folder = page.getByRole('treeitem', { name: 'Site A' });
    await folder.waitFor();
    await page.setViewportSize(phone);
    await folder.waitFor({ state: 'hidden' });
    await assertFits(page, msg('library.title'));
    await page.getByRole('button', { name: msg('shell.menu') }).click();
    await folder.waitFor();
    await assertAccessible(page, 'open menu');
    await page.keyboard.press('Escape');
    await folder.waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: msg('shell.menu') }).click();
    await page.getByRole('treeitem', { name: msg('library.root') }).click();
    await page
      .getByRole('button', { name: msg('library.actionsFor', { title: 'Site A' }) })
      .click();
    const menu = await page.getByRole('menu').boundingBox();
    assert.ok(menu && menu.x >= 0 && menu.x + menu.width <= phone.width, 'the menu is not cut off');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: msg('shell.menu') }).click();
    await folder.click();
    await atPage(page, 'Site A');
    await folder.waitFor({ state: 'hidden' });
    await page.goBack();
    await page.setViewportSize(desk);
    await folder.waitFor();

    await page.goto(`${world.url}/library/images/${image}`);
    await page.getByRole('heading', { name: msg('picture.memos') }).waitFor();
    await page.setViewportSize(phone);
    await assertFits(page, msg('picture.title'));
    assertNoProblems(problems.filter((problem) => !problem.includes('404')));
  });
}
