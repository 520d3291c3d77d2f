import assert from 'node:assert/strict';
import { stat } from 'node:fs/promises';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { packageFile } from '../../src/base/installed-files.js';
import { Album } from '../../testkit/album.js';
import { done } from '../../testkit/expect.js';
import { eventually } from '../../testkit/eventually.js';
import { Linker } from '../../testkit/links.js';
import { readPhoto } from '../../testkit/photos.js';
import { filePart } from '../../testkit/pictures.js';
import type { Scope } from '../../testkit/scope.js';
import { assertAccessible } from './accessible.js';
import { assertNoProblems, openConsole, type ConsoleWorld } from './harness.js';
import { koMsg, msg } from './words.js';

/** A browser like that of a phone. */
export const phone = {
  viewport: { width: 390, height: 844 },
  hasTouch: true,
  isMobile: true,
} as const;

/** Bytes that a page loads before its pictures, compressed. */
const budgetBytes = 60_000;

const photographs = ['landscape_6.jpg', 'Canon_40D.jpg'] as const;

/** Tests of the page that visitors of links see. */
export function testLinkPage(world: ConsoleWorld): void {
  const { service } = world;
  const origin = service.service.url;

  /** A folder with two photographs in Seoul, and who makes links to it. */
  async function album() {
    const one = await Album.of(service);
    const folder = await one.folder('현장');
    for (const name of photographs) {
      const image_data = filePart(await readPhoto(name));
      const place = { latitude: '37.57', longitude: '126.98', building_name: '본관' };
      done(await one.call('POST', '', { form: { image_data, folder_id: folder, ...place } }));
    }
    return { album: one, folder, links: new Linker(service.client, one.user) };
  }

  const visit = (scope: Scope, path: string, browser: object = {}) =>
    openConsole({ ...world, url: origin }, scope, { path, browser });

  /** Waits until these images are there and drawn. */
  const loaded = (page: Page, images: string): Promise<void> =>
    eventually(`${images} are drawn`, () =>
      page.evaluate<boolean>(
        `(() => {
           const images = [...document.querySelectorAll('${images}')];
           return images.length > 0 && images.every((one) => one.complete && one.naturalWidth > 0);
         })()`,
      ),
    );

  test('the page of a link shows its pictures on a phone, one large at a time', async (t) => {
    const { folder, links } = await album();
    const wanted = { kind: 'view', folder_id: folder, title: '3동 누수', message: '확인 부탁' };
    const { at } = await links.create(wanted);
    const { page, problems } = await visit(t, at, phone);
    await page.getByRole('heading', { name: '3동 누수' }).waitFor();
    await page.getByText('확인 부탁').waitFor();
    const tiles = page.locator('.grid button');
    assert.equal(await tiles.count(), 2);
    await loaded(page, '.grid img');
    await assertAccessible(page);
    const isWide = 'document.documentElement.scrollWidth > innerWidth';
    assert.equal(await page.evaluate(isWide), false, 'nothing is wider than the phone');

    await tiles.first().focus();
    await page.keyboard.press('Enter');
    const viewer = page.getByRole('dialog');
    await viewer.waitFor();
    await loaded(page, '.viewer img');
    const first = await page.locator('.viewer img').getAttribute('src');
    assert.ok(await page.getByRole('button', { name: msg('link.previous') }).isDisabled());
    await assertAccessible(page);
    await page.keyboard.press('ArrowRight');
    await page.locator(`.viewer img:not([src="${first}"])[src]`).waitFor();
    await loaded(page, '.viewer img');
    assert.ok(await page.getByRole('button', { name: msg('link.next') }).isDisabled());
    assert.ok(await page.getByText(msg('link.download')).isHidden());
    await page.keyboard.press('Escape');
    await viewer.waitFor({ state: 'hidden' });
    await page.locator('.grid button:focus').waitFor();
    assert.deepEqual(await page.context().cookies(), []);
    assertNoProblems(problems);
  });

  test('the page of a link is in Korean for who reads Korean, and small', async (t) => {
    const { folder, links } = await album();
    const { at } = await links.create({ kind: 'view', folder_id: folder });
    const { page, problems } = await visit(t, at, { locale: 'ko-KR' });
    await page.getByRole('heading', { name: koMsg('link.pictures'), exact: true }).waitFor();
    await loaded(page, '.grid img');
    const names = await page.evaluate<string[]>(
      `performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname)
         .filter((path) => path.startsWith('/s/assets/'))`,
    );
    const sizes = names.map(async (name) => {
      const file = packageFile(`dist/console/${name.replace('/s/', '')}`);
      return stat(`${file}.gz`).then(({ size }) => size);
    });
    const bytes = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
    assert.ok(bytes > 3_000 && bytes <= budgetBytes, `${bytes} bytes of ${names.join()}`);
    assertNoProblems(problems);
  });

  test('pictures are fetched again when their addresses have ended', async (t) => {
    const { folder, links } = await album();
    const { at } = await links.create({ kind: 'view', folder_id: folder });
    let refusals = 0;
    const { page } = await visit(t, '/livez', {});
    await page.route(
      (url) => url.pathname.includes('/f/'),
      (route) => {
        refusals += 1;
        return refusals <= 2 ? route.fulfill({ status: 403 }) : route.continue();
      },
    );
    await page.goto(`${origin}${at}`);
    await page.locator('.grid img').first().waitFor();
    await loaded(page, '.grid img');
    assert.ok(refusals > 2);
  });

  test('a download and a map are there where the link allows them', async (t) => {
    const { folder, links } = await album();
    const open = { allow_download: true, show_place: true };
    const { at } = await links.create({ kind: 'view', folder_id: folder, ...open });
    const { page, problems } = await visit(t, at);
    await page.getByRole('button', { name: msg('map.title') }).click();
    await page.locator('.map-view canvas').waitFor();
    await page.locator('.map-view[aria-busy="false"]').waitFor();
    await page.locator('.grid button').first().click();
    await page.getByText('본관').waitFor();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: msg('link.download') }).click(),
    ]);
    assert.equal(download.suggestedFilename(), 'image_data.bin');
    assertNoProblems(problems);
  });

  test('a password is asked for, and remembered by the browser', async (t) => {
    const { folder, links } = await album();
    const { at } = await links.create({ kind: 'view', folder_id: folder, password: 'Kkachi' });
    const { page, problems } = await visit(t, at, phone);
    await page.getByLabel(msg('links.password')).fill('kkachi');
    await page.getByRole('button', { name: msg('link.open') }).click();
    await page.getByText(msg('link.wrong')).waitFor();
    await assertAccessible(page);
    assert.equal(await page.locator('img').count(), 0);
    await page.getByLabel(msg('links.password')).fill('Kkachi');
    await page.keyboard.press('Enter');
    await loaded(page, '.grid img');
    await page.reload();
    await page.locator('.grid img').first().waitFor();
    assertNoProblems(problems);
  });

  test('a link that is closed says so, also while it is open in a browser', async (t) => {
    const { folder, links } = await album();
    const { at, id } = await links.create({ kind: 'view', folder_id: folder });
    const { page } = await visit(t, at);
    await page.locator('.grid img').first().waitFor();
    await links.update(id, { state: msg('links.state.paused') });
    await page.reload();
    await page.getByRole('heading', { name: msg('link.ended') }).waitFor();
    await assertAccessible(page);
    await page.goto(`${origin}/s/${'A'.repeat(22)}`);
    await page.getByRole('heading', { name: msg('link.unknown') }).waitFor();
  });

  test('pictures that are asked for are sent, refused with the reason, and go on after a reload', async (t) => {
    const { folder, links, album: owner } = await album();
    const wanted = { kind: 'request', folder_id: folder, message: '계기판을 찍어 주세요' };
    const { at } = await links.create(wanted);
    const { page, problems } = await visit(t, at, phone);
    await page.getByText('계기판을 찍어 주세요').waitFor();
    await page.getByText(msg('link.noneSent')).waitFor();
    await assertAccessible(page);
    const [one, two] = await Promise.all(photographs.map((name) => readPhoto(name)));
    const file = (name: string, bytes: Uint8Array = Buffer.from('x')) => ({
      name,
      mimeType: 'image/jpeg',
      buffer: Buffer.from(bytes),
    });
    const chooser = page.getByLabel(msg('link.choose'));
    await chooser.setInputFiles([file('one.jpg', one), file('broken.jpg')]);
    const row = (name: string) => page.locator('.sent li', { hasText: name });
    await row('one.jpg').getByText(msg('link.arrived')).waitFor();
    await row('broken.jpg').getByText(msg('link.noPicture')).waitFor();
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
    const { total_count } = done(await owner.call<{ total_count: number }>('GET', ''));
    assert.equal(total_count, 4);
    assertNoProblems(problems);
  });
}
