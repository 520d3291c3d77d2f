import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import type { LinkRecord } from '../../../src/library/links/schemas.js';
import { done } from '../../../testkit/expect.js';
import { hosted } from '../../../testkit/hosted-command.js';
import { Linker } from '../../../testkit/links.js';
import { readPhoto } from '../../../testkit/photos.js';
import { namedPart } from '../../../testkit/pictures.js';
import { assertAccessible } from '../accessible.js';
import {
  assertNoProblems,
  type ConsoleWorld,
  databaseUrlOf,
  drawn,
  openConsole,
  phone,
} from '../harness.js';
import { msg } from '../words.js';

const closed = msg('link.ended');

/** Tests of links from the terminal to the phone and to paper. */
export function testLinkSharing(world: ConsoleWorld): void {
  const { service } = world;
  const origin = service.service.url;

  async function album() {
    const one = await service.user();
    const folder_id = (await one.folder('현장')).id;
    for (const name of ['landscape_6.jpg', 'DSCN0010.jpg']) {
      const form = { image_data: namedPart(await readPhoto(name), name), folder_id };
      done(await one.call('POST', '/images', { form }));
    }
    return { folder: folder_id, links: new Linker(service.client, one) };
  }

  const allDrawn = async (page: Page): Promise<void> => {
    await page.locator('.grid img').nth(1).waitFor();
    await drawn(page, '.grid img');
  };

  const command = async <T>(...args: string[]): Promise<T> => {
    const where = ['--home', service.home.dir, '--database-url', databaseUrlOf(service)];
    const { code, stdout, stderr, json } = await hosted(['link', ...args, ...where, '--json']);
    assert.equal(code, 0, stdout + stderr);
    return json<T>();
  };

  test('a link made in the terminal opens on a phone, and is dead at the next click on two nodes once it is paused', async (t) => {
    const { folder, links } = await album();
    const other = await service.node();
    t.after(() => other.stop());
    const wanted = ['--user', links.user.id, '--folder-id', folder, '--title', '3동 누수'];
    const { id, url } = await command<LinkRecord>('create', ...wanted);
    const { pathname } = new URL(url ?? '', origin);
    const pages: Page[] = [];
    for (const node of [origin, other.url]) {
      const { page, problems } = await openConsole({ ...world, url: node }, t, {
        path: pathname,
        browser: phone,
      });
      await page.getByRole('heading', { name: '3동 누수' }).waitFor();
      await allDrawn(page);
      assertNoProblems(problems);
      pages.push(page);
    }
    await command('pause', id);
    for (const page of pages) {
      await page.locator('.grid button').first().tap();
      await page.getByRole('heading', { name: closed }).waitFor();
      await page.reload();
      await page.getByRole('heading', { name: closed }).waitFor();
      assert.equal(await page.locator('img').count(), 0);
    }
    await command('resume', id);
    for (const page of pages) {
      await page.reload();
      await allDrawn(page);
    }
  });

  test('without places, the page says what a download lacks, and gives it the right extension', async (t) => {
    const { folder, links } = await album();
    const wanted = { kind: 'view', folder_id: folder, allow_download: true };
    const { at } = await links.create(wanted);
    const { page, problems } = await openConsole({ ...world, url: origin }, t, {
      path: at,
      browser: phone,
    });
    await page.getByText(msg('link.bareDownloads')).waitFor();
    await allDrawn(page);
    await assertAccessible(page);
    await page.locator('.grid button').first().tap();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: msg('link.download') }).click(),
    ]);
    assert.equal(download.suggestedFilename(), 'DSCN0010.jpg');
    assertNoProblems(problems);
  });

  test('the page prints its pictures and no controls', async (t) => {
    const { folder, links } = await album();
    const open = {
      allow_download: true,
      show_place: true,
      title: '3동 누수',
      message: '확인 부탁',
    };
    const { at } = await links.create({ kind: 'view', folder_id: folder, ...open });
    const { page, problems } = await openConsole({ ...world, url: origin }, t, {
      path: at,
      own: true,
    });
    await allDrawn(page);
    const controls = page.locator('button:not(.tile), input, a');
    assert.ok((await controls.filter({ visible: true }).count()) > 0, 'a map can be opened');
    const screen = (await page.pdf()).length; // events of printing, too
    await page.emulateMedia({ media: 'print' });
    await allDrawn(page);
    assert.equal(await page.locator('.grid img').filter({ visible: true }).count(), 2);
    assert.equal(await controls.filter({ visible: true }).count(), 0);
    for (const text of ['3동 누수', '확인 부탁']) await page.getByText(text).waitFor();
    assert.equal(await page.locator('.grid .caption').filter({ visible: true }).count(), 2);
    // Without its pictures, the same page takes far less.
    await page.evaluate(`document.querySelectorAll('.grid img').forEach((one) => one.remove())`);
    assert.ok((await page.pdf()).length < screen - 5_000, 'the pictures are on paper');
    assertNoProblems(problems);
  });
}
