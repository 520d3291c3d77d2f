import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CDPSession, Page } from 'playwright-core';
import { eventually } from '../../../testkit/eventually.js';
import type { Scope } from '../../../testkit/scope.js';
import { dropFiles, photographs } from '../dropping.js';
import { assertNoProblems, atPage, type ConsoleWorld, openConsole } from '../harness.js';
import { msg } from '../words.js';
import { countOf } from './uploading.js';

const files = 3;

/** How many uploads the browser keeps. */
const keptOf = (page: Page): Promise<number> =>
  page.evaluate<number>(`new Promise((resolve) => {
    const opening = indexedDB.open('imgstore');
    opening.onsuccess = () => {
      const pictures = opening.result.transaction('pictures').objectStore('pictures');
      pictures.count().onsuccess = ({ target }) => {
        opening.result.close();
        resolve(target.result);
      };
    };
  })`);

/** How many wait for the lock of a tab. */
const waiting = (page: Page, tab = ''): Promise<number> =>
  page.evaluate<number>(`navigator.locks.query().then(({ pending }) =>
    pending.filter(({ name }) => name.startsWith('imgstore tab ${tab}')).length)`);

const registrationOf = (session: CDPSession): Promise<string> =>
  new Promise((resolve) => {
    session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations: [found] }) => {
      if (found) resolve(found.registrationId);
    });
  });

/** Tests of what the service worker sends once the tab is closed. */
export function testBackground(world: ConsoleWorld): void {
  const { service } = world;
  const { tenants } = service.service;
  const { origin } = new URL(world.url);

  /** A user who stays signed in, with uploads that wait; and another page, which is none of the console. */
  async function uploading(t: Scope) {
    const platform = await service.platform();
    const user = await service.user(platform);
    const { code } = await tenants.consoleSignIn.makeUserCode(undefined, user.id);
    const browser = { serviceWorkers: 'allow' as const, permissions: ['background-sync'] };
    const opening = { path: `/#sign-in=${code}`, own: true, browser };
    const { page, problems } = await openConsole(world, t, opening);
    await page.getByRole('button', { name: msg('action.signIn') }).click();
    await atPage(page, msg('library.all'));
    await page.evaluate('navigator.serviceWorker.ready.then(() => undefined)');
    // None of them arrives from this tab.
    await page.route(/\/(uploads|images)$/, (route) =>
      route.request().method() === 'POST' ? undefined : route.continue(),
    );
    await dropFiles(page, await photographs(files));
    await eventually('all are kept', async () => (await keptOf(page)) === files);
    const other = await page.context().newPage();
    await other.goto(`${origin}/livez`);
    return { platform, user, page, problems, other };
  }

  /** What browsers do when they think that there is a connection. */
  async function synchronize(page: Page): Promise<void> {
    const session = await page.context().newCDPSession(page);
    const registration = registrationOf(session);
    await session.send('ServiceWorker.enable');
    const of = { origin, registrationId: await registration };
    await session.send('ServiceWorker.dispatchSyncEvent', {
      ...of,
      tag: 'uploads',
      lastChance: false,
    });
  }

  test('what a closed tab was uploading arrives once, without a tab', async (t) => {
    const { user, page, problems, other } = await uploading(t);
    await page.close();
    await synchronize(other);
    await eventually('nothing is left', async () => (await keptOf(other)) === 0);
    assert.equal(await countOf(world, user.id), files);
    assertNoProblems(problems);
  });

  test('after signing out, nothing is sent; nor once the session has ended elsewhere', async (t) => {
    const left = await uploading(t);
    await synchronize(left.other);
    await eventually('the worker waits for the tab', async () => (await waiting(left.other)) > 0);
    await left.page.getByRole('button', { name: msg('shell.account') }).click();
    await left.page.getByRole('menuitem', { name: msg('action.signOut') }).click();
    const asked = left.page.getByRole('dialog');
    await asked.getByRole('button', { name: msg('action.signOut') }).click();
    await eventually('nothing is kept', async () => (await keptOf(left.other)) === 0);
    await eventually('it waits no more', async () => (await waiting(left.other)) === 0);
    await left.page.close();
    await synchronize(left.other);

    const { platform, user, page, other } = await uploading(t);
    await tenants.sessions.endOf(platform.id, user.id);
    await page.close();
    await synchronize(other);
    await eventually('the cookie was refused', async () => {
      const cookies = await other.context().cookies(`${origin}/api/v1/auth/session`);
      return cookies.length === 0;
    });
    assert.equal(await keptOf(other), files);
    assert.equal(await countOf(world, user.id), 0);
    assert.equal(await countOf(world, left.user.id), 0);
  });

  test('a tab offers nothing that is being sent in the background, and what is left then', async (t) => {
    const { user, page, other } = await uploading(t);
    // In place of the worker, which waits until this is over.
    await other.evaluate(`new Promise((isHeld) => {
      const end = new Promise((resolve) => (window.end = resolve));
      navigator.locks.request('imgstore tab worker', () => (isHeld(), end));
    })`);
    await page.close();
    const next = await other.context().newPage();
    next.setDefaultTimeout(120_000);
    await next.goto(`${world.url}/library`);
    await next.getByText(msg('library.none')).waitFor();
    await eventually('it waits', async () => (await waiting(next, 'worker')) > 1);
    const offered = next.getByRole('button', { name: msg('upload.resume', { count: files }) });
    assert.equal(await offered.count(), 0);
    await other.evaluate('window.end()');
    await offered.click();
    await next.getByText(msg('upload.finished', { count: files }), { exact: true }).waitFor();
    assert.equal(await countOf(world, user.id), files);
  });
}
