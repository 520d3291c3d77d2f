import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { rows } from '../../../src/database/sql.js';
import { eventually } from '../../../testkit/eventually.js';
import { done } from '../../../testkit/expect.js';
import { seedImages } from '../../../testkit/image-rows.js';
import { jpeg, namedPart } from '../../../testkit/pictures.js';
import type { Image } from '../../../testkit/records.js';
import type { Member } from '../../../testkit/world.js';
import { assertAccessible } from '../accessible.js';
import { dropFiles, photographs } from '../dropping.js';
import { assertNoProblems, counted, openConsole, phone, type ConsoleWorld } from '../harness.js';
import { msg } from '../words.js';

/** Rows have no files. */
const missing = (problem: string): boolean => !problem.includes('404');

const labelOfCurrent = (page: Page): Promise<string | null> =>
  page.locator('.tile.current').getAttribute('aria-label');

export function testArriving(world: ConsoleWorld): void {
  const { service } = world;

  const trashedOf = async (user: Member): Promise<string[]> => {
    const sql = 'SELECT id FROM images WHERE user_id = $1 AND deleted_at IS NOT NULL';
    return (await rows<{ id: string }>(service.db, sql, [user.id])).map(({ id }) => id);
  };

  const daysOf = (count: number) =>
    Array.from({ length: count }, (_, n) => ({
      created_at: `2025-01-${String(n + 1).padStart(2, '0')}T03:00:00Z`,
    }));

  test('a picture in focus is the one that goes, whatever has arrived since', async (t) => {
    const user = await service.user();
    const ids = await seedImages(service, user, daysOf(6));
    const { page, problems } = await openConsole(world, t, { path: '/library', token: user.token });
    await page.locator('.tile').nth(5).waitFor();
    await page.getByRole('grid').focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    const focused = await labelOfCurrent(page);
    assert.match(focused ?? '', /Jan 4/);
    await dropFiles(page, await photographs(3));
    await page.getByText(msg('upload.finished', { count: 3 }), { exact: true }).waitFor();
    await counted(page, 9);
    assert.equal(await labelOfCurrent(page), focused);
    await page.keyboard.press('Delete');
    await page.getByText(msg('library.trashed', { count: 1 })).waitFor();
    assert.deepEqual(await trashedOf(user), [ids[3]]);

    // All: exactly what the list has then.
    await counted(page, 8);
    await page.keyboard.press('Control+a');
    await page.getByText(msg('library.selected', { count: 8 })).waitFor();
    await page.keyboard.press('Delete');
    await page.getByText(msg('library.none')).waitFor();
    assert.equal((await trashedOf(user)).length, 9);
    assertNoProblems(problems.filter(missing));
  });

  test('what another device adds, changes and removes is shown, and nothing else is asked for', async (t) => {
    const user = await service.user();
    await seedImages(service, user, daysOf(3));
    const { page, problems } = await openConsole(world, t, { path: '/library', token: user.token });
    await counted(page, 3);
    await page.locator('.tile').nth(2).waitFor();
    await page.locator('.waiting-line').waitFor({ state: 'detached' });
    const asked: string[] = [];
    page.on('request', (request) => {
      const { pathname } = new URL(request.url());
      if (pathname.includes('/api/')) asked.push(pathname);
    });
    const as = ['User', user.token] as const;
    const image_data = namedPart(await jpeg({ width: 80, height: 60 }), 'site.jpg');
    const { id } = done(
      await service.client.post<Image>(user.images, { as, form: { image_data } }),
    );
    await counted(page, 4);
    assert.ok(asked.length <= 6, asked.join('\n'));
    await page.locator('.tile').nth(3).waitFor();
    done(await service.client.put<Image>(`${user.images}/${id}`, { as, form: { delete: 'True' } }));
    await counted(page, 3);
    assertNoProblems(problems.filter(missing));
  });

  test('many uploads are shown as they arrive, each once, with few requests', async (t) => {
    const user = await service.user();
    const { page, problems } = await openConsole(world, t, { path: '/library', token: user.token });
    await page.getByText(msg('library.none')).waitFor();
    let asked = 0;
    page.on('request', (request) => {
      const { pathname } = new URL(request.url());
      const isUpload =
        request.method() === 'POST' || /\/(images\/check|uploads(\/.*)?)$/.test(pathname);
      if (pathname.includes('/api/') && !isUpload) asked += 1;
    });
    await dropFiles(page, await photographs(60));
    await page.getByText(msg('upload.finished', { count: 60 }), { exact: true }).waitFor();
    await counted(page, 60);
    assert.ok(asked <= 60, `${asked} requests`);
    const seen = new Set<string>();
    let turn = 0;
    await eventually('each has been shown', async () => {
      // Down and up again: what was scrolled past before it was read is shown then.
      await page.mouse.wheel(0, turn % 32 < 16 ? 300 : -300);
      turn += 1;
      const urls = await page
        .locator('.tile img')
        .evaluateAll((images) =>
          images.map((image) => (image as unknown as { src: string }).src.split('?')[0] ?? ''),
        );
      urls.forEach((url) => seen.add(url));
      return seen.size === 60;
    });
    assertNoProblems(problems);
  });

  test('by touch: a finger that is held selects, and from then on taps do', async (t) => {
    const user = await service.user();
    await seedImages(service, user, daysOf(6));
    const opening = { path: '/library', token: user.token, browser: phone };
    const { page, problems } = await openConsole(world, t, opening);
    const tile = page.locator('.tile').nth(1);
    await tile.locator('img').waitFor({ state: 'attached' });
    const { x = 0, y = 0 } = (await tile.boundingBox()) ?? {};
    const session = await page.context().newCDPSession(page);
    const touchPoints = [{ x: x + 60, y: y + 60 }];
    await session.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints });
    await page.getByText(msg('library.selected', { count: 1 })).waitFor();
    const below = (await page.locator('.tile').nth(2).boundingBox()) ?? { x: 0, y: 0 };
    for (const at of [
      { x: x + 60, y: y + 90 },
      { x: below.x + 60, y: below.y + 30 },
    ]) {
      await session.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: [at] });
    }
    await page.getByText(msg('library.selected', { count: 2 })).waitFor();
    await session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
    await page.locator('.tile').nth(0).tap();
    await page.getByText(msg('library.selected', { count: 3 })).waitFor();
    await page.locator('.tile').nth(2).tap();
    await page.getByText(msg('library.selected', { count: 2 })).waitFor();
    const bar = page.getByRole('toolbar', { name: msg('library.selection') });
    const box = await bar.boundingBox();
    assert.ok(box && box.y + box.height >= 840 && box.width <= 390, 'at the bottom');
    for (const tick of await page.locator('.day-tick').all()) {
      const { width = 0, height = 0 } = (await tick.boundingBox()) ?? {};
      assert.ok(width >= 44 && height >= 44, `${width} × ${height}`);
    }
    await bar.getByRole('button', { name: msg('library.selectNone') }).tap();
    await bar.waitFor({ state: 'detached' });
    await page.locator('.tile').nth(0).tap();
    await page.getByRole('group', { name: msg('picture.viewer') }).waitFor();
    assertNoProblems(problems.filter(missing));
  });

  test('a list is in the order of uploads too, or a table, and files may be dropped anywhere in the window', async (t) => {
    const user = await service.user();
    const [noted] = await seedImages(service, user, [
      {
        taken_at: '2024-05-02T03:00:00Z',
        created_at: '2025-01-01T03:00:00Z',
        address_road: 'Main Street 1',
      },
      { taken_at: '2024-05-01T03:00:00Z', created_at: '2025-01-02T03:00:00Z' },
    ]);
    // What it remembers is not for other tests.
    const opening = { path: '/library', token: user.token, own: true };
    const { page, problems } = await openConsole(world, t, opening);
    const heads = async (): Promise<string> =>
      (await page.locator('.day-head').allInnerTexts()).join();
    await eventually('by when taken', async () => /May 2, 2024.*May 1, 2024/s.test(await heads()));
    await page.getByRole('button', { name: msg('library.view') }).click();
    await page.getByRole('menuitemradio', { name: msg('sort.created_at') }).click();
    await eventually('by upload', async () => /Jan 2, 2025.*Jan 1, 2025/s.test(await heads()));
    assert.match(page.url(), /sort=uploaded/);
    const names = await page.locator('.day-head').all();
    const [one, other] = [await names[0]?.boundingBox(), await names[1]?.boundingBox()];
    assert.ok(one && one.y === other?.y, 'short days share a row');

    await page.getByRole('button', { name: msg('library.view') }).click();
    await page.getByRole('menuitemradio', { name: msg('look.table') }).click();
    await page.locator('.line-text', { hasText: 'Main Street 1' }).waitFor();
    // Memos, also those that another device adds.
    for (const message of ['by the gate', 'seen again']) {
      done(await user.post(`/images/${noted}/memos`, { message, is_client: 'False' }));
      await page.locator('.line-text', { hasText: message }).waitFor();
    }
    await page.getByRole('grid').press('ArrowDown');
    assert.match(await page.locator('.tile.current').innerText(), /May 2, 2024/);
    await assertAccessible(page, 'table');

    const box = await page.locator('.rail').boundingBox();
    const opensFile = await page.evaluate<boolean>(`(() => {
      const data = new DataTransfer();
      data.items.add(new File(['x'], 'x.jpg', { type: 'image/jpeg' }));
      const at = document.elementFromPoint(20, ${(box?.height ?? 400) - 5});
      const over = new DragEvent('dragover', { bubbles: true, cancelable: true, dataTransfer: data });
      return at.dispatchEvent(over);
    })()`);
    assert.equal(opensFile, false);
    await page.getByText(msg('upload.drop')).waitFor();
    assertNoProblems(problems.filter(missing));
  });

  test('the search is as wide as what is searched for, and actions stay in the window', async (t) => {
    const user = await service.user();
    await seedImages(
      service,
      user,
      Array.from({ length: 1_200 }, () => ({})),
    );
    const { page } = await openConsole(world, t, { path: '/library', token: user.token });
    await page.locator('.tile').first().waitFor();
    for (const width of [800, 960, 1_100, 1_280]) {
      await page.setViewportSize({ width, height: 800 });
      await eventually(`the search has its width at ${width}`, async () => {
        const search = await page.getByRole('searchbox').boundingBox();
        return search !== null && search.width >= 120;
      });
    }
    await page.getByRole('grid').focus();
    await page.keyboard.press('Control+a');
    await page.getByText(msg('library.selected', { count: 1_200 })).waitFor();
    for (const width of [390, 800, 1_280]) {
      await page.setViewportSize({ width, height: 800 });
      const bar = page.getByRole('toolbar', { name: msg('library.selection') });
      for (const button of await bar.getByRole('button').all()) {
        await eventually(`each action is in the window at ${width}`, async () => {
          const box = await button.boundingBox();
          return box !== null && box.x >= 0 && box.x + box.width <= width;
        });
      }
    }
    await page.keyboard.press('Delete');
    await page.getByText(msg('library.trashed', { count: 1_200 })).waitFor();
    assert.equal((await trashedOf(user)).length, 1_200);
    await page.keyboard.press('Control+z');
    await counted(page, 1_200);
  });
}
