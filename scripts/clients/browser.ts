// Tests the pages that a platform developer opens in a browser: the example page, and /docs.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { readFile } from 'node:fs/promises';
import { extname, join, normalize } from 'node:path';
import { test } from 'node:test';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { openChromium } from '../../testkit/chromium.js';
import type { Scope } from '../../testkit/scope.js';
import type { Begun } from './generated.js';

const types = new Map([
  ['.html', 'text/html'],
  ['.js', 'text/javascript'],
  ['.mjs', 'text/javascript'],
]);

/** Serves a project's files on loopback, as any web server would. @returns its origin. */
export async function serveFiles(scope: Scope, begun: Promise<Begun>): Promise<string> {
  const answer = async (url: string, response: ServerResponse): Promise<void> => {
    const path = normalize(decodeURIComponent(new URL(url, 'http://x').pathname));
    try {
      const bytes = await readFile(join((await begun).client, path));
      response
        .writeHead(200, { 'Content-Type': types.get(extname(path)) ?? 'text/plain' })
        .end(bytes);
    } catch {
      response.writeHead(404).end();
    }
  };
  const server = createServer((request, response) => void answer(request.url ?? '/', response));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  scope.after(async () => {
    await once(server.close(), 'close');
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function openPage(scope: Scope, url: string): Promise<{ page: Page; problems: string[] }> {
  const browser = await openChromium(scope);
  const page = await browser.newPage({ viewport: { width: 1000, height: 800 } });
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(error.message));
  await page.goto(url);
  return { page, problems };
}

/** @param site where the example is. */
export function testBrowser(begun: Promise<Begun>, site: string): void {
  test('the example page uploads with progress, and shows grid and map', async (t) => {
    const { server } = await begun;
    const { BASE: url, USER_ID: user, TOKEN: token } = server;
    const hash = new URLSearchParams({ url, user, token });
    const { page, problems } = await openPage(
      t,
      `${site}/examples/browser/index.html#${hash.toString()}`,
    );
    await page.setInputFiles('input[type=file]', 'assets/sample.jpg');
    await page.fill('input[name=latitude]', '37.5662952');
    await page.fill('input[name=longitude]', '126.9779451');
    const before = await page.locator('#grid img').count();
    await page.click('button');
    await page.locator('output', { hasText: '1 uploaded' }).waitFor();
    assert.equal(await page.evaluate<number>("document.querySelector('progress').value"), 1);
    assert.equal(await page.locator('#grid img').count(), before + 1);
    const first = page.locator('#grid img').first();
    await first.scrollIntoViewIfNeeded();
    await page.waitForFunction("document.querySelector('#grid img').naturalWidth > 0");
    assert.equal(await page.locator(`#map circle[cx="${126.9779451 + 180}"]`).count(), 1);
    assert.deepEqual(problems, []);
  });

  test('/docs: after authorizing once, an upload works as prefilled, also after a reload', async (t) => {
    const { server } = await begun;
    const { page, problems } = await openPage(t, `${server.BASE}/docs`);
    await page.click('.btn.authorize');
    const box = page.locator('.auth-container', { hasText: 'User (http, Bearer)' });
    await box.locator('input').fill(server.TOKEN);
    await box.locator('button.authorize').click();
    await page.click('.btn-done');
    for (const moment of ['at first', 'after a reload']) {
      const upload = page.locator('#operations-Images-uploadImage');
      if (!(await upload.locator('.try-out__btn').count())) {
        await upload.locator('.opblock-summary-control').click();
      }
      await upload.locator('.try-out__btn').click();
      assert.equal(await upload.getByPlaceholder('user_id').inputValue(), server.USER_ID, moment);
      for (const name of ['folder_id', 'latitude', 'created_at', 'message']) {
        assert.equal(await upload.getByPlaceholder(name).inputValue(), '', `${name}, ${moment}`);
      }
      await upload.locator('input[type=file]').setInputFiles('assets/sample.jpg');
      await upload.locator('.execute').click();
      const status = upload.locator('.live-responses-table tbody .response-col_status').first();
      await status.waitFor();
      assert.match(await status.innerText(), /^200/, moment);
      if (process.env.IMGSTORE_SCREENSHOT) {
        await page.evaluate('scrollTo(0, 0)');
        await page.screenshot({ path: process.env.IMGSTORE_SCREENSHOT });
      }
      await page.reload();
      await page.locator('.opblock').first().waitFor();
    }
    assert.deepEqual(problems, []);
  });
}
