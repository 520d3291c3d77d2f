import assert from 'node:assert/strict';
import { stat } from 'node:fs/promises';
import { test } from 'node:test';
import { packageFile } from '../../src/base/installed-files.js';
import { atPage, openConsole, type ConsoleWorld } from './harness.js';
import { msg } from './words.js';

/** Gzipped bytes that are loaded before the first page is shown. */
const budgetBytes = 350_000;

export function testServing(world: ConsoleWorld): void {
  const { service } = world;
  const get = (path: string, init: RequestInit = {}): Promise<Response> =>
    fetch(`${service.service.url}${path}`, { redirect: 'manual', ...init });
  const assetIn = async (): Promise<string> =>
    /\/console\/assets\/[\w-]+\.js/.exec(await (await get('/console/')).text())?.[0] ?? '';

  test('the frame has a strict policy, and is served at every path of the console', async () => {
    for (const path of ['/console/', '/console/platforms/x', '/console/index.html']) {
      const answer = await get(path);
      assert.equal(answer.status, 200);
      assert.match(answer.headers.get('content-type') ?? '', /^text\/html/);
      assert.equal(answer.headers.get('cache-control'), 'no-cache');
      assert.equal(answer.headers.get('x-content-type-options'), 'nosniff');
      assert.equal(answer.headers.get('referrer-policy'), 'no-referrer');
      const policy = answer.headers.get('content-security-policy') ?? '';
      assert.match(policy, /^default-src 'none';.*frame-ancestors 'none'$/);
      assert.doesNotMatch(policy, /unsafe|\*|https?:/);
    }
  });

  test('assets are immutable, compressed, and not sent again', async () => {
    const path = await assetIn();
    for (const encoding of ['br', 'gzip', 'identity']) {
      const headers = { 'Accept-Encoding': encoding };
      const answer = await get(path, { headers });
      assert.equal(answer.headers.get('content-encoding') ?? 'identity', encoding);
      assert.match(answer.headers.get('cache-control') ?? '', /immutable/);
      const etag = answer.headers.get('etag') ?? '';
      const known = await get(path, { headers: { ...headers, 'If-None-Match': etag } });
      assert.equal(known.status, 304);
      assert.match(await answer.text(), /^[^<]/);
    }
    const refused = { 'Accept-Encoding': 'br;q=0, gzip;q=0' };
    assert.equal((await get(path, { headers: refused })).headers.get('content-encoding'), null);
    const head = await get(path, { method: 'HEAD' });
    assert.deepEqual([head.status, await head.text()], [200, '']);
  });

  test('missing assets are 404; only reading is possible', async () => {
    assert.equal((await get('/console/assets/gone-12345678.js')).status, 404);
    assert.equal(
      (await get('/console/..%2f..%2fpackage.json')).headers.get('cache-control'),
      'no-cache',
    );
    const posted = await get('/console/', { method: 'POST' });
    assert.deepEqual([posted.status, posted.headers.get('allow')], [405, 'GET, HEAD']);
    const moved = await get('/console');
    assert.deepEqual([moved.status, moved.headers.get('location')], [308, 'console/']);
  });

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
