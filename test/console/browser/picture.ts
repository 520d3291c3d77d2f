import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import type { Locator } from 'playwright-core';
import { createImgstoreClient } from '../../../clients/typescript/src/index.js';
import { eventually } from '../../../testkit/eventually.js';
import { done } from '../../../testkit/expect.js';
import { seedImages } from '../../../testkit/image-rows.js';
import { readPhoto } from '../../../testkit/photos.js';
import { canvas, filePart, jpeg, namedPart } from '../../../testkit/pictures.js';
import type { Image } from '../../../testkit/records.js';
import { unzip } from '../../../testkit/zip.js';
import { assertAccessible } from '../accessible.js';
import {
  assertNoProblems,
  atPage,
  type ConsoleWorld,
  openConsole,
  shownTiles,
} from '../harness.js';
import { msg } from '../words.js';

export function testPicture(world: ConsoleWorld): void {
  const { service } = world;

  test('pictures can be paged through, versions are shown side by side, a ZIP has the originals', async (t) => {
    const user = await service.user();
    const client = createImgstoreClient({
      baseUrl: service.service.url,
      scheme: 'User',
      token: user.token,
    });
    const photos = await Promise.all(['landscape_6.jpg', 'Canon_40D.jpg'].map(readPhoto));
    for (const bytes of photos) await client.upload(user.id, new Blob([Uint8Array.from(bytes)]));
    const { page, problems } = await openConsole(world, t, { path: '/library', token: user.token });
    await atPage(page, msg('library.all'));
    await shownTiles(page).nth(1).waitFor();

    await page.getByRole('grid').focus();
    await page.keyboard.press('Control+a');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: msg('action.downloadZip') }).click(),
    ]);
    const files = originalsIn(await readFile(await download.path()));
    assert.deepEqual([...files.values()].map(textOf).sort(), photos.map(textOf).sort());

    await page.getByRole('grid').focus();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Enter');
    const newest = page.url();
    const next = page.getByRole('button', { name: msg('picture.next') });
    await next.and(page.locator(':enabled')).click();
    await page.waitForURL((url) => url.href !== newest);
    const image_id = /images\/([^?]+)/.exec(page.url())?.[1] ?? '';
    await page
      .getByRole('button', { name: msg('picture.previous') })
      .and(page.locator(':enabled'))
      .click();
    await page.waitForURL((url) => url.href === newest);

    const image_data = new Blob([Uint8Array.from(await readPhoto('landscape_6.jpg'))]);
    const path = { user_id: user.id, image_id };
    await client.POST('/api/v1/users/{user_id}/images/{image_id}/filedata', {
      params: { path },
      body: { image_data },
    });
    await next.and(page.locator(':enabled')).click();
    const versions = page
      .getByRole('region', { name: msg('picture.versions') })
      .getByRole('listitem');
    await versions.first().waitFor();
    assert.equal(await versions.count(), 2);
    const [current = ''] = await versions.allInnerTexts();
    assert.ok(
      current.startsWith(`${msg('picture.editNumber', { n: 1 })} · ${msg('picture.current')}`),
    );
    assert.match(current, /134 KB · jpeg · 600 × 450/);
    await page
      .getByRole('button', {
        name: msg('picture.compareVersion', { version: msg('picture.upload') }),
      })
      .click();
    for (const name of [msg('picture.upload'), msg('picture.editNumber', { n: 1 })]) {
      await page.getByRole('img', { name }).locator('img:not(.waiting)').waitFor();
    }
    await page.getByRole('button', { name: msg('picture.oneOverOther') }).click();
    await page.getByRole('slider', { name: msg('picture.divide') }).fill('20');
    const [left] = await page.locator('.frames .frame').all();
    assert.match((await left?.getAttribute('style')) ?? '', /inset\(0(px)? 80% 0(px)? 0(px)?\)/);
    await assertAccessible(page, 'comparison');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await page.getByRole('slider').waitFor({ state: 'detached' });
    assert.match(page.url(), /images/);
    const link = page.getByRole('link', {
      name: msg('picture.downloadVersion', { version: msg('picture.editNumber', { n: 1 }) }),
    });
    const edited = await fetch(new URL((await link.getAttribute('href')) ?? '', page.url()));
    assert.equal(edited.status, 200);
    await assertAccessible(page);
    assertNoProblems(problems);
  });

  test('zooming into what browsers do not show loads the whole picture', async (t) => {
    const user = await service.user();
    const as = ['User', user.token] as const;
    const tiff = await canvas(4000, 3000).tiff().toBuffer();
    const form = { image_data: filePart(tiff) };
    const { id } = done<Image>(await service.client.post(user.images, { as, form }));
    const { page, problems } = await openConsole(world, t, {
      path: `/library/images/${id}`,
      token: user.token,
    });
    const picture = page.locator('.shot img:not(.waiting)').last();
    const width = (): Promise<number> => picture.evaluate(naturalWidth);
    await eventually('the rendition is shown', async () => (await width()) === 1024);
    // It fits, and the screen has not as many pixels as the rendition.
    assert.equal(await page.locator('.shot img').count(), 2);
    // The picture's request, and the one that asks why it failed.
    let asked = 0;
    await page.route('**/full?*', (route) =>
      (asked += 1) <= 2
        ? route.fulfill({ status: 503, headers: { 'Retry-After': '1' } })
        : route.continue(),
    );
    await page.locator('.stage .frame').dblclick();
    await page.getByText(msg('picture.wholeBusy')).waitFor();
    await eventually('the whole picture is shown', async () => (await width()) === 4000);
    assert.match((await picture.getAttribute('src')) ?? '', /\/full\?/);
    await page.getByRole('button', { name: '100%' }).waitFor();
    assertNoProblems(problems);

    // A screen with more pixels than the rendition shows the whole picture without zooming.
    const finer = await openConsole(world, t, {
      path: `/library/images/${id}`,
      token: user.token,
      browser: { deviceScaleFactor: 2 },
    });
    const shown = finer.page.locator('.shot img:not(.waiting)').nth(2);
    assert.equal(await shown.evaluate(naturalWidth), 4000);
    assertNoProblems(finer.problems);
  });

  test('each version is saved under a name of its own, with its own bytes', async (t) => {
    const user = await service.user();
    const as = ['User', user.token] as const;
    const send = async (path: string, image_data: Blob): Promise<Image> =>
      done(await service.client.post<Image>(path, { as, form: { image_data } }));
    const upload = await canvas(40, 30).png().toBuffer();
    const edit = await jpeg({ width: 30, height: 40 });
    const uploaded = await send(user.images, namedPart(upload, 'site.png'));
    await send(user.images, namedPart(edit, 'SITE.png'));
    const edited = namedPart(edit, 'marked.jpg');
    const { id, filename } = await send(`${user.images}/${uploaded.id}/filedata`, edited);
    assert.match(filename, /_1\.jpg$/);
    const path = `/library/images/${id}`;
    const { page, problems } = await openConsole(world, t, { path, token: user.token });
    const saved = async (link: Locator) => {
      const [download] = await Promise.all([page.waitForEvent('download'), link.click()]);
      const bytes = await readFile(await download.path());
      return { name: download.suggestedFilename(), text: textOf(bytes) };
    };
    const original = { name: 'site.png', text: textOf(upload) };
    const link = (name: string): Locator => page.getByRole('link', { name });
    assert.deepEqual(await saved(link(msg('picture.download'))), original);
    assert.deepEqual(
      await saved(link(msg('picture.downloadVersion', { version: msg('picture.upload') }))),
      original,
    );
    assert.deepEqual(
      await saved(
        link(msg('picture.downloadVersion', { version: msg('picture.editNumber', { n: 1 }) })),
      ),
      {
        name: 'marked.jpg',
        text: textOf(edit),
      },
    );

    await link(msg('picture.back')).click();
    await shownTiles(page).first().waitFor();
    await page.getByRole('grid').focus();
    await page.keyboard.press('Control+a');
    const button = page.getByRole('button', { name: msg('action.downloadZip') });
    const [zip] = await Promise.all([page.waitForEvent('download'), button.click()]);
    const files = originalsIn(await readFile(await zip.path()));
    // The current versions, as the server names them.
    assert.deepEqual([...files.keys()], ['SITE.png.jpg', 'marked.jpg']);
    assert.equal(textOf(files.get('marked.jpg') ?? Buffer.of()), textOf(edit));
    assertNoProblems(problems);
  });

  test('a memo whose answer is lost is stored once when it is saved again', async (t) => {
    const user = await service.user();
    const [id = ''] = await seedImages(service, user, [{}]);
    const path = `/library/images/${id}`;
    const { page } = await openConsole(world, t, { path, token: user.token });
    const statuses: number[] = [];
    await page.route('**/memos', async (route) => {
      const response = await route.fetch();
      statuses.push(response.status());
      await (statuses.length === 1 ? route.abort() : route.fulfill({ response }));
    });
    const memo = page.getByRole('textbox', { name: msg('picture.memo') });
    await memo.fill('Crack above the window');
    await memo.press('Control+Enter');
    await page.getByRole('alert').waitFor();
    // What the first one stored may already be shown when the second one is answered.
    const again = page.waitForResponse('**/memos');
    await memo.press('Control+Enter');
    await again;
    await page.getByText('Crack above the window', { exact: true }).waitFor();
    assert.deepEqual(statuses, [200, 200]);
    const as = ['User', user.token] as const;
    const stored = await service.client.get<Image>(`${user.images}/${id}/memos`, { as });
    assert.equal(done(stored).memos?.length, 1);
  });
}

/** The tests have no browser types. */
const naturalWidth = (image: unknown): number => (image as { naturalWidth: number }).naturalWidth;

/** The files of an archive without its table. */
function originalsIn(zip: Buffer): Map<string, Buffer> {
  const files = new Map(unzip(zip));
  files.delete('images.csv');
  return files;
}

const textOf = (bytes: Buffer): string => bytes.toString('base64');
