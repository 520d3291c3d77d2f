import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { eventually } from '../../../testkit/eventually.js';
import { longOnly } from '../../../testkit/long-form.js';
import { Relay } from '../../../testkit/relay.js';
import { dropFiles, photographs } from '../dropping.js';
import { type ConsoleWorld, counted, openConsole } from '../harness.js';
import { msg } from '../words.js';
import { mobile, slow } from '../network.js';
import { countOf } from './uploading.js';

const files = 6;

/** Records all texts of the upload list, and the progress of each upload. */
const keepWhatIsSaid = `
  window.uploadLog = { texts: [], shares: [] };
  new MutationObserver(() => {
    for (const row of document.querySelectorAll('.uploads-list li')) {
      window.uploadLog.texts.push(row.innerText);
      const bar = row.querySelector('[role=progressbar]');
      if (bar) window.uploadLog.shares.push(Number(bar.getAttribute('aria-valuenow')));
    }
  }).observe(document.body, { subtree: true, childList: true, characterData: true, attributes: true });
`;

interface UploadLog {
  readonly texts: readonly string[];
  readonly shares: readonly number[];
}

const uploadLogOf = (page: Page): Promise<UploadLog> =>
  page.evaluate<UploadLog>('window.uploadLog');

export function testLosing(world: ConsoleWorld): void {
  const { service } = world;

  test('without a connection the console opens, takes files, and sends them later', async (t) => {
    const user = await service.user();
    const browser = { serviceWorkers: 'allow' } as const;
    // A file that is still on its way when the worker starts does not pass through it.
    const before = (opened: Page): Promise<unknown> =>
      opened.route('**/assets/Library-*.js', async (route) => {
        await opened.waitForFunction('navigator.serviceWorker.controller');
        await route.continue();
      });
    const opening = { path: '/library', token: user.token, own: true, browser, before };
    const { page } = await openConsole(world, t, opening);
    await page.getByText(msg('library.none')).waitFor();
    await eventually('its frame is kept', () =>
      page.evaluate<boolean>(`caches.open('frame').then(async (frame) => {
        const names = (await frame.keys()).map(({ url }) => new URL(url).pathname);
        return names.includes('/console/') && names.some((name) => name.includes('Library-'));
      })`),
    );
    await page.context().setOffline(true);
    await page.reload();
    await dropFiles(page, await photographs(1));
    await page.getByText(msg('upload.progress', { done: 0, total: 1 })).waitFor();
    await page.context().setOffline(false);
    await page.getByText(msg('upload.finished', { count: 1 }), { exact: true }).waitFor();
    assert.equal(await countOf(world, user.id), 1);
  });

  test('six files over an unreliable mobile network are stored once each', longOnly, async (t) => {
    const user = await service.user();
    let breaking = false;
    let nth = 0;
    // Every third connection breaks in the middle of a file; counting retries, that is every fifth upload.
    const lifetime = (): number => (breaking && nth++ % 3 === 0 ? 60_000 : Infinity);
    const relay = await Relay.to(service.service.url, lifetime);
    t.after(() => relay.cut());
    const through = { ...world, url: `${relay.url}/console` };
    const { page } = await openConsole(through, t, { path: '/library', token: user.token });
    await page.getByText(msg('library.none')).waitFor();

    // Existing connections would carry everything.
    breaking = true;
    await relay.cut();
    await relay.reconnect();
    await page.evaluate(keepWhatIsSaid);
    const fast = await slow(page, mobile);
    await dropFiles(page, await photographs(files));
    await page.getByText(msg('upload.finished', { count: files }), { exact: true }).waitFor();
    await fast();
    assert.ok(relay.cuts >= 1, `${relay.cuts} connections broke`);
    assert.equal(await countOf(world, user.id), files);
    await counted(page, files);

    const { texts, shares } = await uploadLogOf(page);
    assert.ok(
      shares.some((share) => share > 0 && share < 100),
      `shares ${[...new Set(shares)].join(' ')}`,
    );
    assert.ok(texts.some((text) => /Attempt [2-9]/.test(text)));
    assert.ok(
      texts.some((text) => /[1-9]\d* KB of 134 KB/.test(text)),
      texts.at(-1),
    );
  });
}
