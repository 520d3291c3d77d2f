import assert from 'node:assert/strict';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { done } from '../../../testkit/expect.js';
import { eventually } from '../../../testkit/eventually.js';
import { Linker } from '../../../testkit/links.js';
import { noise } from '../../../testkit/pictures.js';
import { Relay } from '../../../testkit/relay.js';
import type { Scope } from '../../../testkit/scope.js';
import { temporaryDirectory } from '../../../testkit/temporary.js';
import { assertAccessible } from '../accessible.js';
import {
  assertNoProblems,
  type ConsoleWorld,
  counted,
  openConsole,
  phone,
  signIn,
} from '../harness.js';
import { msg } from '../words.js';
import { slow, type Network } from '../network.js';
import { countOf } from './uploading.js';

/**
 * Slow enough to close the tab while a large file is being sent, and for the server to keep up: what it has
 * not read yet is lost with a connection.
 */
const leisurely: Network = { up: 2_000_000, down: 10_000_000, latency: 0 };

/** Bytes that may be sent of a file, whatever is closed or restarted: beginning anew twice would send 1.9 times. */
const atMost = (bytes: number): number => bytes * 1.75;

/** Bytes that a line which breaks carries each time. */
const carried = 2_500_000;

/**
 * The same over a line that breaks: at most three quarters of what a connection carries are lost with it, or
 * sent again by Chromium itself before it learns that the server has it.
 */
const atMostBroken = (bytes: number, cuts: number): number => bytes + cuts * carried * 0.75;

/** A server behind a line that breaks each time that a connection has carried so many bytes. */
async function breakingLine(scope: Scope, target: string) {
  let most = Infinity;
  const relay = await Relay.to(target, () => most);
  scope.after(() => relay.cut());
  return {
    relay,
    breakEvery: async (bytes: number): Promise<void> => {
      most = bytes;
      // Connections that are open would carry everything.
      await relay.cut();
      await relay.reconnect();
    },
  };
}

/** Tests of uploads that go on where they stopped. */
export function testResuming(world: ConsoleWorld): void {
  const { service } = world;

  /** A picture of 12 MB on the disk. */
  async function largePicture(scope: Scope) {
    const bytes = await noise(2_000);
    const folder = await temporaryDirectory('pictures');
    scope.after(() => rm(folder, { recursive: true }));
    const path = join(folder, 'large.png');
    await writeFile(path, bytes);
    return { path, size: bytes.length };
  }

  const uploadsOf = (userId: string): Promise<{ state: string }[]> =>
    service.db.query('SELECT state FROM resumable_uploads WHERE user_id = $1', [userId]);

  const choose = (page: Page, path: string): Promise<void> =>
    page.getByLabel(msg('upload.files')).setInputFiles(path);

  test('a large file over a line that breaks arrives once, and little is sent twice', async (t) => {
    const user = await service.user();
    const { path, size } = await largePicture(t);
    const { relay, breakEvery } = await breakingLine(t, service.service.url);
    const through = { ...world, url: `${relay.url}/console` };
    const opening = { path: '/library', token: user.token, own: true };
    const { page, problems } = await openConsole(through, t, opening);
    await page.getByText(msg('library.none')).waitFor();
    await breakEvery(carried);
    await slow(page, leisurely);
    const before = relay.sent;
    await choose(page, path);
    await page.getByText(msg('upload.finished', { count: 1 }), { exact: true }).waitFor();
    const sent = relay.sent - before;
    t.diagnostic(`${relay.cuts} cuts; ${(sent / size).toFixed(3)} times the file was sent`);
    assert.ok(relay.cuts >= 4, `${relay.cuts} cuts`);
    assert.ok(sent <= atMostBroken(size, relay.cuts), `${sent} of ${size} bytes`);
    assert.equal(await countOf(world, user.id), 1);
    assertNoProblems(problems);
  });

  test('an upload goes on after the tab was closed and the node restarted', async (t) => {
    const node = await service.node();
    const user = await service.user();
    const { path, size } = await largePicture(t);
    const { relay } = await breakingLine(t, node.url);
    const through = { ...world, url: `${relay.url}/console` };
    const opening = { path: '/library', token: user.token, own: true };
    const { page, problems } = await openConsole(through, t, opening);
    const context = page.context();
    /** Sends until so much of the file has left, and closes the tab. */
    const sendUntil = async (tab: Page, share: number, begin: (tab: Page) => Promise<void>) => {
      await slow(tab, leisurely);
      await begin(tab);
      await eventually('it is on its way', () => relay.sent - before > share * size);
      // Closing a tab takes time on a busy machine: enough to send the rest.
      await relay.cut();
      await tab.close();
      await relay.reconnect();
    };
    const nextTab = async (): Promise<Page> => {
      const tab = await context.newPage();
      tab.setDefaultTimeout(120_000);
      await tab.goto(`${relay.url}/console/library`);
      await signIn(tab, user.token);
      await tab.getByText(msg('upload.unfinished', { count: 1 })).waitFor();
      return tab;
    };
    await page.getByText(msg('library.none')).waitFor();
    const before = relay.sent;
    await sendUntil(page, 0.3, (tab) => choose(tab, path));
    await node.stop();
    await node.start();

    // The same file is chosen again, …
    const second = await nextTab();
    await assertAccessible(second);
    await sendUntil(second, 0.6, (tab) => choose(tab, path));
    // … or the browser has kept it.
    const third = await nextTab();
    await third.getByRole('button', { name: msg('upload.resume', { count: 1 }) }).click();
    await third.getByText(msg('upload.finished', { count: 1 }), { exact: true }).waitFor();
    const sent = relay.sent - before;
    t.diagnostic(`${(sent / size).toFixed(3)} times the file was sent`);
    assert.ok(sent <= atMost(size), `${sent} of ${size} bytes`);
    assert.equal(await countOf(world, user.id), 1);
    await third.reload();
    await counted(third, 1);
    assert.ok(await third.getByText(msg('upload.unfinished', { count: 1 })).isHidden());
    assertNoProblems(problems);
  });

  test('an upload that was left for so long that the server has ended it begins anew', async (t) => {
    const user = await service.user();
    const { path } = await largePicture(t);
    const opening = { path: '/library', token: user.token, own: true };
    const { page } = await openConsole(world, t, opening);
    await page.getByText(msg('library.none')).waitFor();
    await slow(page, { ...leisurely, up: 500_000 });
    await choose(page, path);
    await eventually('it has begun', async () => (await uploadsOf(user.id)).length === 1);
    const next = await page.context().newPage();
    await next.goto(`${world.url}/library`);
    await signIn(next, user.token);
    await next.getByText(msg('library.none')).waitFor();
    await page.close();
    await service.db.query(
      `UPDATE resumable_uploads SET expires_at = now() - interval '1 hour' WHERE user_id = $1`,
      [user.id],
    );
    // Offered to a tab that was open before.
    await next.getByRole('button', { name: msg('upload.resume', { count: 1 }) }).click();
    await next.getByText(msg('upload.finished', { count: 1 }), { exact: true }).waitFor();
    assert.equal(await countOf(world, user.id), 1);
  });

  test('an upload that is given up ends on the server, too', async (t) => {
    const user = await service.user();
    const { path } = await largePicture(t);
    const opening = { path: '/library', token: user.token, own: true };
    const { page } = await openConsole(world, t, opening);
    await page.getByText(msg('library.none')).waitFor();
    await slow(page, { ...leisurely, up: 200_000 });
    await choose(page, path);
    await eventually('it has begun', async () => (await uploadsOf(user.id)).length === 1);
    const other = await page.context().newPage();
    await other.goto(`${world.url}/library`);
    await signIn(other, user.token);
    await other.getByText(msg('library.none')).waitFor();
    const offered = await other.getByText(msg('upload.unfinished', { count: 1 })).count();
    assert.equal(offered, 0, 'what an open tab sends is not offered to another');
    await page.getByRole('button', { name: msg('upload.stop') }).click();
    const asked = page.getByRole('dialog', { name: msg('upload.stopTitle') });
    await asked.getByRole('button', { name: msg('upload.stop') }).click();
    await eventually('it has ended', async () => (await uploadsOf(user.id))[0]?.state === 'ended');
    assert.equal(await countOf(world, user.id), 0);
  });

  test('a large picture that is asked for arrives from a phone over a line that breaks', async (t) => {
    const album = await service.user();
    const links = new Linker(service.client, album);
    const wanted = { kind: 'request', folder_id: (await album.folder('현장')).id };
    const { at } = await links.create(wanted);
    const { path, size } = await largePicture(t);
    const { relay, breakEvery } = await breakingLine(t, service.service.url);
    const visit = { ...world, url: relay.url };
    const { page, problems } = await openConsole(visit, t, { path: at, browser: phone });
    const context = page.context();
    await slow(page, leisurely);
    const before = relay.sent;
    await page.getByLabel(msg('link.choose')).setInputFiles(path);
    await eventually('it is on its way', () => relay.sent - before > size / 3);
    // Closing a tab takes time on a busy machine: enough to send the rest.
    await relay.cut();
    await page.close();
    await relay.reconnect();

    await breakEvery(carried);
    const again = await context.newPage();
    again.setDefaultTimeout(120_000);
    await slow(again, leisurely);
    await again.goto(`${relay.url}${at}`);
    await again
      .locator('.sent li', { hasText: 'large.png' })
      .getByText(msg('link.arrived'))
      .waitFor();
    await assertAccessible(again);
    const sent = relay.sent - before;
    t.diagnostic(`${relay.cuts} cuts; ${(sent / size).toFixed(3)} times the file was sent`);
    assert.ok(relay.cuts >= 2, `${relay.cuts} cuts`);
    // The closed tab and the line's first break lose as much as a cut.
    assert.ok(sent <= atMostBroken(size, relay.cuts + 2), `${sent} of ${size} bytes`);
    interface Found {
      readonly items: readonly { readonly original_name: string }[];
    }
    const { items } = done(await album.call<Found>('GET', '/images'));
    assert.deepEqual(
      items.map((image) => image.original_name),
      ['large.png'],
    );
    assertNoProblems(problems);
  });
}
