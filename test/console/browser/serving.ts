import assert from 'node:assert/strict';
import { stat } from 'node:fs/promises';
import { test } from 'node:test';
import { packageFile } from '../../../src/base/installed-files.js';
import { atPage, openConsole, type ConsoleWorld } from '../harness.js';
import { msg } from '../words.js';

/** Gzipped bytes that are loaded before the first page is shown. */
const budgetBytes = 350_000;

export function testServing(world: ConsoleWorld): void {
  const { service } = world;
  test('the first page stays within its budget', async (t) => {
    const names = new Set<string>();
    const context = await world.browser.newContext();
    t.after(() => context.close());
    const watched = await context.newPage();
    watched.on('response', (response) => {
      const [, name] = /\/console\/(assets\/[^?#]+)$/.exec(response.url()) ?? [];
      if (name !== undefined) names.add(name);
    });
    await watched.goto(`${world.url}/`);
    await watched.getByLabel(msg('signIn.token')).fill(await service.adminToken());
    await watched.getByRole('button', { name: msg('action.signIn') }).click();
    await atPage(watched, msg('overview.title'));
    await watched.locator('.day-chart canvas').waitFor();
    const sizes = [...names].map(
      async (name) => (await stat(packageFile(`dist/console/${name}.gz`))).size,
    );
    const bytes = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
    assert.ok(bytes > 10_000 && bytes <= budgetBytes, `${bytes} bytes`);
  });

  test('a script written into the page does not run', async (t) => {
    const { page } = await openConsole(world, t);
    await page.evaluate(
      `document.body.insertAdjacentHTML('beforeend', '<img src="data:," onerror="window.ran = 1">')`,
    );
    await page.evaluate(`document.querySelector('body > img').decode().catch(() => undefined)`);
    assert.equal(await page.evaluate('window.ran'), undefined);
  });
}
