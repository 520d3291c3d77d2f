import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { done } from '../../../testkit/expect.js';
import { eventually } from '../../../testkit/eventually.js';
import { seedImages, type SeededImage } from '../../../testkit/image-rows.js';
import { uploadedAt } from '../../../testkit/ledger.js';
import { Linker, Visitor } from '../../../testkit/links.js';
import { readPhoto } from '../../../testkit/photos.js';
import { filePart, jpeg, namedPart } from '../../../testkit/pictures.js';
import type { Statistics, Image } from '../../../testkit/records.js';
import type { Scope } from '../../../testkit/scope.js';
import { assertAccessible } from '../accessible.js';
import {
  asksForToken,
  assertNoProblems,
  atPage,
  describeConsole,
  drawn,
  keptIn,
  narrow,
  openConsole,
  phone,
  saved,
  signIn,
  standing,
} from '../harness.js';
import { bubbleCounts as counts, sum, waitForStatus as waitForText } from '../maps.js';
import { koMsg, msg } from '../words.js';

const photographs = ['landscape_6.jpg', 'Canon_40D.jpg'] as const;

interface Day {
  readonly date: number;
  readonly stats: Statistics;
}

/** Noon this many days ago in the service's time zone. */
const daysAgo = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString();

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

/** 40 images in Seoul, some hundred meters apart, the oldest from two years before; 3 in Busan. */
const places: readonly SeededImage[] = [
  ...Array.from({ length: 40 }, (_, n) => ({
    place: [37.55 + 0.004 * (n % 8), 126.95 + 0.005 * Math.floor(n / 8)] as const,
    created_at: n === 0 ? '2022-03-01T03:00:00Z' : '2024-03-01T03:00:00Z',
  })),
  ...Array.from({ length: 3 }, () => ({ place: [35.1796, 129.0756] as const })),
];

describeConsole('people on the pages of the console, in Chromium', (world) => {
  const { service } = world;
  const { tenants } = service.service;
  const origin = service.service.url;

  test('a token signs in; the session outlasts a reload, in its tab alone, and ends with "Sign out"', async (t) => {
    const platform = await service.platform('Harbour works');
    const user = await tenants.users.create(platform.id, 'Kim Min-ji');
    const account = (page: Page, name: string) =>
      page.getByRole('button', { name: msg('shell.account', { name }) });
    for (const [token, name] of [
      [await service.adminToken(), msg('scope.admin')],
      [platform.token, 'Harbour works'],
    ] as const) {
      const { page } = await openConsole(world, t, { token });
      await account(page, name).waitFor();
    }
    const { page, problems } = await openConsole(world, t, { path: '/library' });
    await page.getByLabel(msg('signIn.token')).fill('eyJhbGciOiJIUzI1NiJ9.eyJ');
    await page.getByRole('button', { name: msg('action.signIn') }).click();
    await page.getByText(msg('signIn.noToken')).waitFor();
    await signIn(page, user.access_token);
    await atPage(page, msg('library.all'));
    await page.reload();
    await account(page, 'Kim Min-ji').waitFor();
    assert.deepEqual(await keptIn(page), [user.access_token]);
    assert.equal(await page.evaluate('JSON.stringify(localStorage).includes("eyJ")'), false);
    const other = await openConsole(world, t);
    await asksForToken(other.page);
    await other.page.close();

    await account(page, 'Kim Min-ji').click();
    await page.getByRole('menuitem', { name: msg('action.signOut') }).waitFor();
    await assertAccessible(page, 'who is signed in');
    await page.getByRole('menuitem', { name: msg('action.signOut') }).click();
    await asksForToken(page);
    assert.deepEqual(await keptIn(page), []);
    await page.reload();
    await asksForToken(page);
    assertNoProblems(problems);
  });

  test('a platform is created; its tokens are shown once', async (t) => {
    const token = await service.adminToken();
    const { page, problems } = await openConsole(world, t, { path: '/platforms', token });
    await page.getByRole('button', { name: msg('platforms.create') }).click();
    const dialog = page.getByRole('dialog', { name: msg('platforms.create') });
    await dialog.getByLabel(msg('platforms.name')).fill('From the console');
    await assertAccessible(page, 'create dialog');
    await dialog.getByRole('button', { name: msg('action.create'), exact: true }).click();
    const access = await dialog.locator('code').first().innerText();
    assert.match(access, /^eyJ/);
    // What is never shown again is not lost by a key: closing asks.
    await page.keyboard.press('Escape');
    await dialog.getByText(msg('tokens.close')).waitFor();
    await assertAccessible(page, 'tokens that are about to be closed');
    await dialog
      .getByRole('button', { name: msg('dialog.stay') })
      .and(page.locator(':focus'))
      .waitFor();
    await page.keyboard.press('Enter');
    assert.equal(await dialog.locator('code').first().innerText(), access);
    await page.keyboard.press('Escape');
    await dialog.getByRole('button', { name: msg('dialog.leave') }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'From the console' }).waitFor();
    assert.ok(!(await page.content()).includes(access));
    await assertAccessible(page, 'platforms');
    assertNoProblems(problems);
  });

  test('on a phone, in Korean, by keyboard', async (t) => {
    const { page, problems } = await openConsole(world, t, {
      path: '/platforms',
      browser: { ...narrow, locale: 'ko-KR' },
    });
    await page.locator('input:focus').waitFor();
    await page.keyboard.insertText(await service.adminToken());
    await page.keyboard.press('Enter');
    await atPage(page, koMsg('platforms.title'));
    const wide: number = await page.evaluate('document.documentElement.scrollWidth');
    assert.ok(wide <= 390, `${wide} pixels wide`);
    await page.getByRole('button', { name: koMsg('shell.menu') }).press('Enter');
    await page.getByRole('button', { name: koMsg('shell.preferences') }).press('Enter');
    await page.getByRole('menu').locator(':focus').waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('End');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Enter');
    await page
      .getByRole('menuitem', { name: koMsg('action.signOut') })
      .and(page.locator(':focus'))
      .waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: koMsg('action.signIn') }).waitFor();
    await assertAccessible(page, 'sign-in');
    assertNoProblems(problems);
  });

  test('an administrator finds a user by names, and the commands for what the API lacks', async (t) => {
    const platform = await service.platform('River survey');
    const { user_id: id } = await service.service.tenants.users.create(platform.id, 'Kim Bo-ra');
    const token = await service.adminToken();
    const { page, problems } = await openConsole(world, t, { path: '/platforms', token });
    await page.getByRole('link', { name: 'River survey' }).click();
    await page.getByRole('link', { name: 'Kim Bo-ra' }).click();
    await atPage(page, 'Kim Bo-ra');
    const path = page.getByRole('navigation', { name: msg('shell.path') });
    await path.getByRole('link', { name: 'River survey' }).waitFor();
    assert.equal(
      await path.innerText(),
      [msg('platforms.title'), 'River survey', msg('users.title'), 'Kim Bo-ra'].join('\n'),
    );
    await page.getByText(`imgstore user token ${id}`).waitFor();
    for (const name of [
      msg('users.issueToken'),
      msg('users.editQuota'),
      msg('users.openLibrary'),
    ]) {
      assert.equal(await page.getByRole('button', { name }).count(), 0);
    }
    await assertAccessible(page, 'a user, for an administrator');
    await path.getByRole('link', { name: 'River survey' }).click();
    await atPage(page, msg('users.title'));
    await page.goto(`${world.url}/platforms/${platform.id}/users/${platform.id}`);
    await page.getByText(msg('problem.user_not_found')).waitFor();
    assertNoProblems(problems);
  });

  test('a platform sees the days and totals of the API, and can save them', async (t) => {
    const platform = await service.platform('Bridges');
    await uploadedAt(service.db, await service.user(platform), [0, 0, 3, 40].map(daysAgo));
    await service.db.query(
      `UPDATE users SET active_images = 4, trashed_images = 1, stored_bytes = 5 * 1048576
       WHERE platform_id = $1`,
      [platform.id],
    );
    const { page, problems } = await openConsole(world, t, {
      path: '/statistics',
      token: platform.token,
    });
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

  test('a map shows clusters that add up, filters by time, and zooms in', async (t) => {
    const user = await service.user();
    await seedImages(service, user, places);
    // One without a location, and one in the trash.
    const deleted_at = new Date().toISOString();
    await seedImages(service, user, [{}, { place: [37.56, 126.97], deleted_at }]);
    const { page, problems } = await openConsole(world, t, { path: '/map', token: user.token });
    await waitForText(page, msg('map.inView', { count: 43 }));
    const far = await counts(page);
    assert.equal(sum(far), 43);
    assert.ok(far.length > 1 && Math.max(...far) > 3, String(far));

    await page.getByRole('button', { name: msg('dates.title') }).click();
    await page.getByLabel(msg('dates.to'), { exact: true }).fill('2022-03-01');
    await waitForText(page, msg('map.inView', { count: 1 }));
    await page.locator('.map-view .map-cluster').first().waitFor({ state: 'detached' });
    assert.deepEqual(await counts(page), [1]);
    // The list beside it is of the same period.
    await page
      .getByRole('list', { name: msg('map.list') })
      .getByText('Mar 1, 2022')
      .waitFor();
    assert.equal(await page.locator('.map-row').count(), 1);
    await page.getByRole('button', { name: msg('dates.any') }).click();
    await page.keyboard.press('Escape');
    await waitForText(page, msg('map.inView', { count: 43 }));

    const before = page.url();
    await page.locator('.map-cluster', { hasText: '40' }).click();
    await page.waitForURL((url) => url.href !== before);
    await waitForText(page, msg('map.inView', { count: 40 }));
    await assertAccessible(page);
    assertNoProblems(problems);
  });

  test('a link to a picture is made, copied, and opened by somebody else', async (t) => {
    const user = await service.user();
    const image_data = namedPart(await jpeg(), 'site.jpg');
    const { id } = done(await user.post<Image>('/images', { image_data }));
    const path = `/library/images/${id}`;
    const browser = { permissions: ['clipboard-read', 'clipboard-write'] };
    const { page, problems } = await openConsole(world, t, { path, token: user.token, browser });
    await page.getByRole('button', { name: msg('links.share') }).click();
    const dialog = page.getByRole('dialog', { name: msg('links.create') });
    const inAWeek = new Date(Date.now() + 7 * 86_400_000).toISOString().slice(0, 10);
    await dialog.getByLabel(msg('links.expires')).fill(inAWeek);
    await dialog.getByLabel(msg('links.password')).fill('gate 4');
    await dialog.getByLabel(msg('links.allowDownload')).check();
    await assertAccessible(page, 'link dialog');
    await dialog.getByRole('button', { name: msg('action.create') }).click();
    const url = await dialog.locator('code').innerText();
    await dialog.getByRole('button', { name: msg('copy.named') }).click();
    await dialog
      .getByRole('status')
      .filter({ hasText: msg('copy.done') })
      .waitFor();
    assert.equal(await page.evaluate('navigator.clipboard.readText()'), url);
    const as = ['User', user.token] as const;
    const links = `/api/v1/users/${user.id}/links`;
    const { items } = done(await service.client.get<{ items: object[] }>(links, { as }));
    const [link] = items as Record<string, unknown>[];
    const { image_ids, has_password, allow_download, show_place } = link ?? {};
    assert.deepEqual(
      { image_ids, has_password, allow_download, show_place },
      { image_ids: [id], has_password: true, allow_download: true, show_place: false },
    );

    // Escape closes the dialog alone.
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    assert.match(page.url(), new RegExp(id));
    // Its address can be copied again.
    const list = await openConsole(world, t, { path: '/links', token: user.token });
    await list.page.getByRole('button', { name: msg('links.url') }).click();
    const again = list.page.getByRole('dialog');
    assert.equal(await again.locator('code').innerText(), url);
    await again.getByRole('img', { name: msg('links.code') }).waitFor();
    await eventually('its code is drawn', () =>
      list.page.evaluate<boolean>(`document.querySelector('.link-code').width < 100`),
    );
    await assertAccessible(list.page, 'address of a link');
    const visitor = await page.context().newPage();
    const { pathname } = new URL(url);
    await visitor.goto(`${service.service.url}${pathname}`);
    await visitor.getByLabel(msg('links.password')).fill('gate 4');
    await visitor.keyboard.press('Enter');
    await visitor.locator('img').first().waitFor();
    assertNoProblems(problems);
  });

  test('pictures are asked for into a new folder, and counted when they arrive', async (t) => {
    const user = await service.user();
    const opening = { path: '/links', token: user.token };
    const { page, problems } = await openConsole(world, t, opening);
    await page.getByRole('button', { name: msg('links.ask') }).click();
    const dialog = page.getByRole('dialog', { name: msg('links.ask') });
    await dialog.getByRole('tree').waitFor();
    await dialog.getByLabel(msg('links.newFolder')).fill('접수');
    await dialog.getByLabel(msg('links.title'), { exact: true }).fill('누수 사진');
    await assertAccessible(page, 'asking for pictures');
    await dialog.getByRole('button', { name: msg('action.create') }).click();
    const { pathname } = new URL(await dialog.locator('code').innerText());
    await dialog.getByRole('button', { name: msg('action.done') }).click();
    const entry = page.getByRole('listitem').filter({ hasText: '누수 사진' });
    await entry.getByText(msg('links.arrivals', { count: 0 })).waitFor();
    done(await new Visitor(service.client, pathname).send(Buffer.from(await jpeg())));
    await page.reload();
    await entry.getByText(msg('links.arrivals', { count: 1 })).waitFor();
    const [folder] = await user.folders();
    const { items } = await user.list();
    assert.deepEqual([folder?.title, items[0]?.folder_id], ['접수', folder?.id]);
    assertNoProblems(problems);
  });

  /** A folder with two photographs, and who makes links to it. */
  async function album() {
    const owner = await service.user();
    const folder = (await owner.folder('현장')).id;
    for (const bytes of await Promise.all(photographs.map(readPhoto))) {
      done(
        await owner.call('POST', '/images', {
          form: { image_data: filePart(bytes), folder_id: folder },
        }),
      );
    }
    return { owner, folder, links: new Linker(service.client, owner) };
  }

  /** Opens the page of a link on a phone. */
  const visit = (scope: Scope, path: string) =>
    openConsole({ ...world, url: origin }, scope, { path, browser: phone, own: true });

  test('the page of a link shows its pictures on a phone, one large at a time', async (t) => {
    const { folder, links } = await album();
    const wanted = { kind: 'view', folder_id: folder, title: '3동 누수', message: '확인 부탁' };
    const { at } = await links.create(wanted);
    const { page, problems } = await visit(t, at);
    await page.getByRole('heading', { name: '3동 누수' }).waitFor();
    await page.getByText('확인 부탁').waitFor();
    const tiles = page.locator('.grid button');
    assert.equal(await tiles.count(), 2);
    await drawn(page, '.grid img');
    await assertAccessible(page);
    const isWide = 'document.documentElement.scrollWidth > innerWidth';
    assert.equal(await page.evaluate(isWide), false, 'nothing is wider than the phone');

    await tiles.first().focus();
    await page.keyboard.press('Enter');
    const viewer = page.getByRole('dialog');
    await viewer.waitFor();
    await drawn(page, '.viewer img');
    const first = await page.locator('.viewer img').getAttribute('src');
    assert.ok(await page.getByRole('button', { name: msg('link.previous') }).isDisabled());
    await assertAccessible(page);
    await page.keyboard.press('ArrowRight');
    await page.locator(`.viewer img:not([src="${first}"])[src]`).waitFor();
    await drawn(page, '.viewer img');
    assert.ok(await page.getByRole('button', { name: msg('link.next') }).isDisabled());
    assert.ok(await page.getByText(msg('link.download')).isHidden());
    await page.keyboard.press('Escape');
    await viewer.waitFor({ state: 'hidden' });
    await page.locator('.grid button:focus').waitFor();
    assert.deepEqual(await page.context().cookies(), []);
    assertNoProblems(problems);
  });

  test('pictures that are asked for are sent, refused with the reason, and go on after a reload', async (t) => {
    const { folder, links, owner } = await album();
    const wanted = { kind: 'request', folder_id: folder, message: '계기판을 찍어 주세요' };
    const { at } = await links.create(wanted);
    const { page, problems } = await visit(t, at);
    await page.getByText('계기판을 찍어 주세요').waitFor();
    await page.getByText(msg('link.noneSent')).waitFor();
    await assertAccessible(page);
    const [one, two] = await Promise.all(photographs.map((name) => readPhoto(name)));
    const file = (name: string, bytes: Uint8Array = Buffer.from('x')) => ({
      name,
      mimeType: 'image/jpeg',
      buffer: Buffer.from(bytes),
    });
    await page.getByLabel(msg('link.sender')).fill('현장 소장');
    const chooser = page.getByLabel(msg('link.choose'));
    await chooser.setInputFiles([file('one.jpg', one), file('broken.jpg')]);
    const row = (name: string) => page.locator('.sent li', { hasText: name });
    await row('one.jpg').getByText(msg('link.arrived')).waitFor();
    await row('broken.jpg').getByText(msg('link.noPicture')).waitFor();
    await drawn(page, '.sent li[data-state=arrived] img');
    assert.ok(await row('broken.jpg').locator('img').isHidden());
    const broken = await row('broken.jpg').getByText('broken.jpg').boundingBox();
    assert.ok(broken && broken.height < 30, 'its name is on one line');
    await assertAccessible(page);
    await page.getByRole('button', { name: msg('link.remove', { name: 'broken.jpg' }) }).click();
    await page.getByText(msg('link.allArrived')).waitFor();

    // The tab is closed while there is no connection: what was chosen is sent when it is open again.
    await page.context().setOffline(true);
    await chooser.setInputFiles([file('two.jpg', two)]);
    await row('two.jpg').getByText(msg('link.offline')).waitFor();
    page.on('dialog', (dialog) => void dialog.accept());
    await page.context().setOffline(false);
    const again = await page.context().newPage();
    await page.close({ runBeforeUnload: false });
    await again.goto(`${origin}${at}`);
    await again
      .locator('.sent li', { hasText: 'two.jpg' })
      .getByText(msg('link.arrived'))
      .waitFor();
    await again
      .locator('.sent li', { hasText: 'one.jpg' })
      .getByText(msg('link.arrived'))
      .waitFor();
    const { total_count } = done(await owner.call<{ total_count: number }>('GET', '/images'));
    assert.equal(total_count, 4);
    const named = { custom_key: 'sender', custom_value: '현장 소장' };
    assert.equal((await owner.list(named)).total_count, 2);
    assertNoProblems(problems);
  });
});
