import assert from 'node:assert/strict';
import { test } from 'node:test';
import { uploadedAt } from '../../../testkit/ledger.js';
import { assertNoProblems, openConsole, saved, type ConsoleWorld } from '../harness.js';
import { msg } from '../words.js';

/** Noon this many days ago in the service's time zone. */
const daysAgo = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString();

const path = '/statistics';

export function testStatistics(world: ConsoleWorld): void {
  const { service } = world;

  async function busyPlatform(name: string, days: readonly number[]) {
    const platform = await service.platform(name);
    const user = await service.user(platform);
    await uploadedAt(service.db, user, days.map(daysAgo));
    return platform;
  }

  test('an administrator sees all platforms, and each of them', async (t) => {
    const [one, two] = [await busyPlatform('Dams', [1, 1]), await busyPlatform('Tunnels', [2])];
    const token = await service.adminToken();
    const { page, problems } = await openConsole(world, t, { path, token });
    // Which rows are drawn depends on the platforms of other tests; the file has all of them.
    await page
      .getByRole('table', { name: msg('statistics.byPlatform') })
      .getByRole('row')
      .nth(2)
      .waitFor();
    const text = await saved(page, msg('statistics.byPlatform'));
    assert.match(text, new RegExp(`${one.id},Dams,2,0,2,`));
    assert.match(text, new RegExp(`${two.id},Tunnels,1,0,1,`));
    const whose = page.getByLabel(msg('statistics.only'));
    for (const [{ id }, uploads] of [
      [two, /^1$/],
      [one, /^2$/],
    ] as const) {
      await whose.selectOption(id);
      await page.locator('.figure-value').first().filter({ hasText: uploads }).waitFor();
    }
    assertNoProblems(problems);
  });

  test('a range that ends before it begins shows an error, and sends no request', async (t) => {
    const { token } = await busyPlatform('Roads', []);
    const { page, problems } = await openConsole(world, t, { path, token });
    await page.getByRole('table', { name: msg('statistics.perDay') }).waitFor();
    const days: (string | null)[] = [];
    page.on('request', (request) => {
      const { searchParams } = new URL(request.url());
      if (searchParams.has('start_date')) days.push(searchParams.get('start_date'));
    });
    await page.getByLabel(msg('statistics.from')).fill('2030-01-02');
    await page.getByText(msg('statistics.backwards')).waitFor();
    const next = page.waitForRequest(/start_date=/);
    await page.getByRole('button', { name: msg('statistics.lastDays', { count: 7 }) }).click();
    await next;
    assert.ok(!days.includes('20300102'), days.join(' '));
    assertNoProblems(problems);
  });
}
