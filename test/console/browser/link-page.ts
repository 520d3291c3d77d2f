import assert from 'node:assert/strict';
import { readFile, stat } from 'node:fs/promises';
import { test } from 'node:test';
import { packageFile } from '../../../src/base/installed-files.js';
import { done } from '../../../testkit/expect.js';
import { Linker } from '../../../testkit/links.js';
import { readPhoto } from '../../../testkit/photos.js';
import { filePart } from '../../../testkit/pictures.js';
import type { Scope } from '../../../testkit/scope.js';
import { unzip } from '../../../testkit/zip.js';
import { assertAccessible } from '../accessible.js';
import { assertNoProblems, type ConsoleWorld, drawn, openConsole, phone } from '../harness.js';
import { koMsg, msg } from '../words.js';

/** Bytes that a page loads before its pictures, compressed. */
const budgetBytes = 60_000;

const photographs = ['landscape_6.jpg', 'Canon_40D.jpg'] as const;

/** Tests of the page that visitors of links see. */
export function testLinkPage(world: ConsoleWorld): void {
  const { service } = world;
  const origin = service.service.url;

  /** A folder with two photographs in Seoul, and who makes links to it. */
  async function album() {
    const one = await service.user();
    const folder = (await one.folder('현장')).id;
    for (const name of photographs) {
      const image_data = filePart(await readPhoto(name));
      const place = { latitude: '37.57', longitude: '126.98', building_name: '본관' };
      done(
        await one.call('POST', '/images', { form: { image_data, folder_id: folder, ...place } }),
      );
    }
    return { album: one, folder, links: new Linker(service.client, one) };
  }

  const visit = (scope: Scope, path: string, browser: object = {}) =>
    openConsole({ ...world, url: origin }, scope, { path, browser });

  test('the page of a link is in Korean for who reads Korean, and small', async (t) => {
    const { folder, links } = await album();
    const { at } = await links.create({ kind: 'view', folder_id: folder });
    const { page, problems } = await visit(t, at, { locale: 'ko-KR' });
    await page.getByRole('heading', { name: koMsg('link.pictures'), exact: true }).waitFor();
    await drawn(page, '.grid img');
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
    await drawn(page, '.grid img');
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
    assert.equal(download.suggestedFilename(), 'image_data.bin.jpg');
    await page.keyboard.press('Escape');
    const [all] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: msg('link.downloadAll') }).click(),
    ]);
    const files = unzip(await readFile(await all.path()));
    assert.deepEqual([...files.keys()].length, photographs.length + 1);
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
    await drawn(page, '.grid img');
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
}
