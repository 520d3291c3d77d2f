import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { testDatabase } from '../../testkit/database.js';
import { filePart } from '../../testkit/pictures.js';
import { lastFirst } from '../../testkit/scope.js';
import { testService } from '../../testkit/service.js';
import type { TestService } from '../../testkit/service.js';
import { atPage, openConsole } from './harness.js';
import type { ConsoleWorld } from './harness.js';
import { fillAlbum, photographs } from './picture-album.js';

const folder = join(process.cwd(), 'docs/console');
const wanted = process.env.IMGSTORE_CONSOLE_PICTURES !== undefined;

/** `npm run console:pictures` takes the pictures of docs/console, of an installation of their own. */
export function takePictures({ browser }: ConsoleWorld): void {
  const skip = wanted ? {} : { skip: 'npm run console:pictures takes them' };
  test('pictures of every page, in light and dark', skip, async (t) => {
    const scope = lastFirst(t);
    const { url: database } = await testDatabase(scope);
    const service = await testService(scope, { 'database.url': database });
    const tokens = await furnish(service);
    const world = { service, browser, url: `${service.service.url}/console` };
    await mkdir(folder, { recursive: true });
    for (const colorScheme of ['light', 'dark'] as const) {
      const take = async (name: string, path: string, title: string, token?: string) => {
        const { page } = await openConsole(world, scope, {
          path,
          ...(token !== undefined && { token }),
          browser: { colorScheme, viewport: { width: 1280, height: 860 }, deviceScaleFactor: 1 },
        });
        await atPage(page, title);
        await page.waitForLoadState('networkidle');
        await page.screenshot({ path: join(folder, `${name}-${colorScheme}.png`), fullPage: true });
        await page.context().close();
      };
      await take('sign-in', '/', 'imgstore');
      await take('overview', '/overview', 'Overview', tokens.admin);
      await take('platforms', '/platforms', 'Platforms', tokens.admin);
      await take('users', '/users', 'Users', tokens.platform);
      await take('statistics', '/statistics', 'Statistics', tokens.platform);
      await take('library', '/library', 'All images', tokens.user);
      await take('picture', `/library/images/${tokens.image}`, '2026', tokens.user);
      await take('map', '/map?at=43.47,11.90,5.50', 'Map', tokens.user);
    }
  });
}

const names = ['Kim Min-ji', 'Lee Jun-ho', 'Park Seo-yeon', 'Choi Ha-eun', 'Jung Woo-jin'];

/** Some platforms and users with photographs, of which some were uploaded on earlier days. */
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
  await service.db.query(
    `UPDATE users SET max_storage_bytes = 1000000 WHERE platform_user_id = 'Park Seo-yeon'`,
  );
  await service.db.query(
    `UPDATE usage_events SET occurred_at = occurred_at - (id * 7 % 29) * interval '1 day'`,
  );
  const user = await service.user(survey);
  const image = await fillAlbum(service, user);
  const admin = await service.adminToken();
  return { admin, platform: survey.token, user: user.token, image };
}

async function upload(service: TestService, platformId: string, name: string): Promise<void> {
  const user = await service.service.tenants.users.create(platformId, name);
  for (const { bytes } of (await photographs()).slice(0, 1 + (name.length % 4))) {
    const image_data = filePart(bytes);
    const as = ['User', user.access_token] as const;
    await service.client.post(`/api/v1/users/${user.user_id}/images`, { as, form: { image_data } });
  }
}
