import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { testDatabase } from '../../../testkit/database.js';
import { eventually } from '../../../testkit/eventually.js';
import { filePart } from '../../../testkit/pictures.js';
import { lastFirst } from '../../../testkit/scope.js';
import { ownService, type TestService } from '../../../testkit/service.js';
import { assertNoProblems, atPage, openConsole, type ConsoleWorld } from '../harness.js';
import { msg } from '../words.js';
import { fillAlbum, photographs } from './picture-album.js';

const folder = join(process.cwd(), 'docs/console');
const wanted = process.env.IMGSTORE_CONSOLE_PICTURES !== undefined;

/** `npm run generate -- pictures` takes the screenshots in docs/console from a separate installation. */
export function takePictures({ browser }: ConsoleWorld): void {
  const skip = wanted ? {} : { skip: 'npm run generate -- pictures takes them' };
  test('screenshots of every page, in light and dark mode', skip, async (t) => {
    const scope = lastFirst(t);
    const { url: database } = await testDatabase(scope);
    const service = await ownService(scope, { 'database.url': database });
    const { album, ...tokens } = await furnish(service);
    const world = { service, browser, url: `${service.service.url}/console` };
    await mkdir(folder, { recursive: true });
    for (const colorScheme of ['light', 'dark'] as const) {
      const take = async (name: string, path: string, title: string, token?: string) => {
        const isWindow = ['library', 'picture', 'map'].includes(name);
        const height = name === 'picture' ? 980 : 860;
        const { page, problems } = await openConsole(world, scope, {
          path,
          ...(token !== undefined && { token }),
          browser: { colorScheme, viewport: { width: 1280, height }, deviceScaleFactor: 1 },
        });
        await atPage(page, title);
        if (name === 'map') await everyImageOnMap(page, album.count);
        if (name === 'picture') await page.locator('.map-pin').waitFor();
        await painted(page);
        if (!isWindow) await asHighAsPage(page);
        await save(await page.screenshot(), `${name}-${colorScheme}.png`);
        assertNoProblems(problems);
        await page.close();
      };
      await take('sign-in', '/', 'imgstore');
      await take('overview', '/overview', msg('overview.title'), tokens.admin);
      await take('platforms', '/platforms', msg('platforms.title'), tokens.admin);
      await take('users', '/users', msg('users.title'), tokens.platform);
      await take('statistics', '/statistics', msg('statistics.title'), tokens.platform);
      await take('library', '/library', msg('library.all'), tokens.user);
      await take('picture', `/library/images/${album.id}?at=${album.at}`, album.year, tokens.user);
      await take('map', '/map?at=43.20,9.20,5.60', msg('map.title'), tokens.user);
    }
  });
}

/** Waits until what is shown has been read, and visible pictures and maps are painted; moves the mouse away. */
async function painted(page: Page): Promise<void> {
  await page.mouse.move(0, 0);
  await page.locator('.waiting-line, .tile:not(:has(img))').first().waitFor({ state: 'detached' });
  await page.locator('.map-view[aria-busy=true]').waitFor({ state: 'detached' });
  for (const image of await page.locator('img').all()) {
    await image.evaluate((shown: Shown) => shown.decode());
  }
}

/** For screenshots larger than the window, Chromium would not wait for the rail to be drawn again. */
async function asHighAsPage(page: Page): Promise<void> {
  const height = await page.evaluate<number>('document.documentElement.scrollHeight');
  await page.setViewportSize({ width: 1280, height });
  await painted(page);
}

/** The used properties of an image element: the tests have no browser types. */
interface Shown {
  readonly decode: () => Promise<void>;
}

/** Waits for the bubbles of all images, and for the thumbnails of single images. */
async function everyImageOnMap(page: Page, count: number): Promise<void> {
  await page
    .getByRole('list', { name: msg('map.list') })
    .getByRole('link')
    .first()
    .waitFor();
  await page.locator('.map-point img').first().waitFor();
  await eventually('all images are on the map', async () => {
    const counts = await page.locator('.map-view [data-count]').all();
    const texts = await Promise.all(counts.map((each) => each.getAttribute('data-count')));
    return texts.reduce((sum, each) => sum + Number(each), 0) === count;
  });
}

/** With 256 colors, photographs take a third of the space. */
async function save(png: Buffer, name: string): Promise<void> {
  const colours = { palette: true, effort: 10 };
  const { size } = await sharp(png).png(colours).toFile(join(folder, name));
  assert.ok(size < mostBytes, `${name} has ${size} bytes`);
}

/** Every screenshot remains in the repository forever. */
const mostBytes = 600_000;

const names = ['Kim Min-ji', 'Lee Jun-ho', 'Park Seo-yeon', 'Choi Ha-eun', 'Jung Woo-jin'];

/** Some platforms and users with photographs, some of them uploaded on earlier days. */
async function furnish(service: TestService) {
  const { tenants } = service.service;
  const survey = await service.platform('Field survey');
  const others = ['City archive', 'Building inspection', 'Harbour works'];
  const platforms = [survey];
  for (const name of others) platforms.push(await service.platform(name));
  const limits = { maxBytes: 50 * 1024 ** 3, maxImages: 100_000, maxUsers: 50 };
  await tenants.platforms.limit(survey.id, limits);
  for (const [index, platform] of platforms.entries()) {
    for (const name of names.slice(index)) await upload(service, platform.id, name);
  }
  const user = await service.user(survey);
  const album = await fillAlbum(service, user);
  await service.db.query(`UPDATE users SET platform_user_id = 'Han Ji-woo' WHERE id = $1`, [
    user.id,
  ]);
  await service.db.query(
    `UPDATE users SET max_storage_bytes = 1000000 WHERE platform_user_id = 'Park Seo-yeon'`,
  );
  await service.db.query(
    `UPDATE usage_events SET occurred_at = occurred_at - (id * 7 % 29) * interval '1 day'`,
  );
  const admin = await service.adminToken();
  return { admin, platform: survey.token, user: user.token, album };
}

async function upload(service: TestService, platformId: string, name: string): Promise<void> {
  const user = await service.service.tenants.users.create(platformId, name);
  for (const bytes of (await photographs()).slice(0, 1 + (name.length % 4))) {
    const image_data = filePart(bytes);
    const as = ['User', user.access_token] as const;
    await service.client.post(`/api/v1/users/${user.user_id}/images`, { as, form: { image_data } });
  }
}
