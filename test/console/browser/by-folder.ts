import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventually } from '../../../testkit/eventually.js';
import { done } from '../../../testkit/expect.js';
import { seedImages } from '../../../testkit/image-rows.js';
import { assertAccessible } from '../accessible.js';
import { type ConsoleWorld, counted, openConsole } from '../harness.js';
import { msg } from '../words.js';

export function testByFolder(world: ConsoleWorld): void {
  const { service } = world;

  test('a library is shown by folders, with exact counts, also of what others move', async (t) => {
    const user = await service.user();
    const site = await user.folder('Site A');
    const floor = await user.folder('Floor 1', site);
    const other = await user.folder('Site B');
    await user.folder('Empty');
    const into = (folder_id: string | undefined, count: number) =>
      Array.from({ length: count }, (_, n) => ({
        ...(folder_id !== undefined && { folder_id }),
        created_at: `2025-01-${String((n % 28) + 1).padStart(2, '0')}T03:00:00Z`,
      }));
    const [loose] = await seedImages(service, user, [
      ...into(undefined, 3),
      ...into(site.id, 120),
      ...into(floor.id, 2),
      ...into(other.id, 150),
    ]);
    // What it remembers is not for other tests.
    const opening = { path: '/library', token: user.token, own: true };
    const { page } = await openConsole(world, t, opening);
    await page.route('**/files/**', (route) => route.abort());
    await counted(page, 275);
    await page.getByRole('button', { name: msg('library.view') }).click();
    await page.getByRole('menuitemradio', { name: msg('group.folder') }).click();
    const heads = async (): Promise<string> =>
      (await page.locator('.day-head').allInnerTexts()).join().replace(/\s+/g, ' ');
    const shows = (...names: string[]): Promise<void> =>
      eventually(names.join(), async () => {
        const now = await heads();
        return names.every((name) => now.includes(name));
      });
    const top = msg('library.root');
    await shows(`${top} 3`, 'Site A 120');
    const label = page.locator('.tile').nth(3);
    await eventually('the newest first', async () =>
      ((await label.getAttribute('aria-label')) ?? '').includes('Jan 28'),
    );
    await assertAccessible(page, 'folders');

    // A folder, of which a part has been read; and all.
    await page
      .getByRole('checkbox', { name: msg('library.selectDay', { day: 'Site A' }), exact: true })
      .click();
    const selected = (count: number): Promise<void> =>
      page.getByText(msg('library.selected', { count }), { exact: true }).waitFor();
    await selected(120);
    await page.getByRole('grid').press('Escape');
    await page.getByRole('grid').press('Control+a');
    await selected(275);
    await page.getByRole('grid').press('Escape');
    await page.getByRole('grid').press('x');
    await page.getByRole('grid').press('Shift+End');
    await selected(275);
    await page.getByRole('grid').press('Escape');
    await shows('Site B 150');
    const line = page.getByRole('slider', { name: msg('library.folders') });
    await eventually('the line says so', async () =>
      ((await line.getAttribute('aria-valuetext')) ?? '').includes('Site B'),
    );
    await line.press('PageUp');
    await shows('Site A / Floor 1 2');
    await line.press('Home');

    // Another device moves one.
    done(await user.put(`/images/${loose}`, { folder_id: floor.id }));
    await shows(`${top} 2`);
    await line.press('PageDown');
    await line.press('PageDown');
    await shows('Site A / Floor 1 3');
    await page.locator('.tile:not(:has(img))').first().waitFor({ state: 'detached' });

    await page.goto(`${world.url}/library?folder=${site.id}&below=1`);
    await shows('Site A 120');
    await page.getByRole('grid').press('End');
    await shows('Floor 1 3');
    assert.doesNotMatch(await heads(), /\//, 'paths begin at what is shown');
    await page.goto(`${world.url}/library?folder=${site.id}&below=1&from=2025-01-05`);
    await shows('Jan 28, 2025');
  });
}
