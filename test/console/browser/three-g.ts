import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { done } from '../../../testkit/expect.js';
import { eventually } from '../../../testkit/eventually.js';
import { namedPart } from '../../../testkit/pictures.js';
import { photographs } from '../dropping.js';
import { assertNoProblems, atPage, openConsole, type ConsoleWorld } from '../harness.js';
import { msg } from '../words.js';
import { threeG } from '../network.js';
import { countOf } from './uploading.js';
import type { Image } from '../../../testkit/records.js';

/** Bytes that arrive before the page asks for a token: a third of a second of 3G, and its latency. */
const firstBytes = 60_000;

/** What the page has received, as it was sent. */
const received = `performance.getEntriesByType('resource')
  .reduce((sum, { transferSize }) => sum + transferSize, 0)`;

/** Tiles with a few colors of their image, and tiles whose thumbnail is drawn. */
const drawn = `(() => {
  const images = [...document.querySelectorAll('.tile img')];
  return {
    colored: images.filter((image) => image.style.backgroundImage.startsWith('url(')).length,
    loaded: images.filter((image) => image.naturalWidth > 0).length,
  };
})()`;

interface Drawn {
  readonly colored: number;
  readonly loaded: number;
}

/** Notes errors and cautions that are shown at any time. */
const noteComplaints = `
  window.complaints = [];
  new MutationObserver(() => {
    for (const node of document.querySelectorAll('[role=alert], .lost, .field-error')) {
      if (node.innerText.trim()) window.complaints.push(node.innerText);
    }
  }).observe(document, { subtree: true, childList: true, characterData: true, attributes: true });
`;

const drawnIn = (page: Page): Promise<Drawn> => page.evaluate<Drawn>(drawn);

export function testThreeG(world: ConsoleWorld): void {
  const { service } = world;

  test('over 3G, the first page is small, pictures have their colors before they arrive, and nothing fails', async (t) => {
    const user = await service.user();
    const files = await photographs(4);
    for (const { bytes, name } of files.slice(0, 3)) {
      const form = { image_data: namedPart(bytes, name) };
      done(
        await service.client.post<Image>(user.images, {
          as: ['User', user.token],
          form,
        }),
      );
    }
    const opening = { path: '/library', own: true, network: threeG };
    const { page, problems } = await openConsole(world, t, opening);
    await page.evaluate(noteComplaints);
    const token = page.getByLabel(msg('signIn.token'));
    await token.waitFor();
    const bytes = await page.evaluate<number>(received);
    assert.ok(bytes > 10_000 && bytes <= firstBytes, `${bytes} bytes`);

    // Pictures take their time: what shows until then depends on the list alone.
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    await page.route('**/files/**', async (route) => {
      await held;
      await route.continue();
    });
    await token.fill(user.token);
    await token.press('Enter');
    await atPage(page, msg('library.all'));
    await eventually('each tile has colors', async () => (await drawnIn(page)).colored === 3);
    assert.equal((await drawnIn(page)).loaded, 0);
    release();
    await eventually('each tile has its picture', async () => (await drawnIn(page)).loaded === 3);

    const buffer = files[3]?.bytes ?? Buffer.of();
    const file = { name: '4.jpg', mimeType: 'image/jpeg', buffer };
    await page.locator('input[type=file]').first().setInputFiles(file);
    await page.getByText(msg('upload.finished', { count: 1 }), { exact: true }).waitFor();
    assert.equal(await countOf(world, user.id), 4);
    await eventually('it is there', async () => (await drawnIn(page)).loaded === 4);

    await page.locator('.tile').first().click();
    await page.locator('.shot img:not(.waiting)').nth(1).waitFor();
    await page.getByRole('heading', { name: msg('picture.memos') }).waitFor();
    await page.keyboard.press('ArrowRight');
    await page.getByText(msg('picture.position', { n: 2, of: 4 })).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: msg('map.title') }).click();
    await page.locator('.map-view[aria-busy=false]').waitFor();
    assert.deepEqual(await page.evaluate('window.complaints'), []);
    assertNoProblems(problems);
  });
}
