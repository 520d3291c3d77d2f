import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page, Route } from 'playwright-core';
import { readPhoto } from '../../../testkit/photos.js';
import { eventually } from '../../../testkit/eventually.js';
import { seedFolder, seedImages } from '../../../testkit/image-rows.js';
import { Relay } from '../../../testkit/relay.js';
import type { Member } from '../../../testkit/world.js';
import { assertAccessible } from '../accessible.js';
import { dropFiles, pasteFile, photographs } from '../dropping.js';
import {
  asksForToken,
  assertNoProblems,
  atPage,
  type ConsoleWorld,
  counted,
  keptIn,
  openConsole,
  phone,
  signIn,
} from '../harness.js';
import { msg } from '../words.js';
import { longOnly } from '../../../testkit/long-form.js';

export function testUploading(world: ConsoleWorld): void {
  const { service } = world;

  test('an upload whose answer is lost when the server goes down is stored once', async (t) => {
    const user = await service.user();
    const relay = await Relay.to(service.service.url);
    t.after(() => relay.cut());
    const through = { ...world, url: `${relay.url}/console` };
    const opening = { path: '/library', token: user.token, own: true };
    const { page } = await openConsole(through, t, opening);
    await atPage(page, msg('library.all'));
    await page.getByText(msg('library.none')).waitFor();

    const bytes = await readPhoto('landscape_6.jpg');
    const dropped = dropFiles(page, [{ name: 'one.jpg', type: 'image/jpeg', bytes }]);
    await page.waitForResponse('**/images/check');
    relay.mode = 'drop-answers';
    await dropped;
    await page.getByText(msg('upload.progress', { done: 0, total: 1 })).waitFor();
    await storedImages(world, user.id, 1);
    await relay.cut();
    relay.mode = 'pass';
    await relay.reconnect();
    await page.getByText(msg('upload.finished', { count: 1 })).waitFor();

    await page.context().setOffline(true);
    const other = await readPhoto('Canon_40D.jpg');
    await dropFiles(page, [{ name: 'two.jpg', type: 'image/jpeg', bytes: other }]);
    await page.getByText(msg('upload.progress', { done: 0, total: 1 })).waitFor();
    await page.context().setOffline(false);
    await counted(page, 2);
    assert.equal(await countOf(world, user.id), 2);
  });

  test('a pasted file is uploaded; a pasted text is not', async (t) => {
    const user = await service.user();
    const { page, problems } = await openConsole(world, t, { path: '/library', token: user.token });
    await page.getByText(msg('library.none')).waitFor();
    const [photograph, other] = await photographs(2);
    assert.ok(photograph && other);
    await pasteFile(page, other, 'cells of a spreadsheet, with a picture of them');
    await pasteFile(page, photograph);
    await counted(page, 1);
    await page.getByText(msg('upload.finished', { count: 1 }), { exact: true }).waitFor();
    assert.equal(await countOf(world, user.id), 1);
    assertNoProblems(problems);
  });

  test('a phone takes pictures, which count as those of a camera, into the folder that was open', async (t) => {
    const platform = await service.platform();
    const user = await service.user(platform);
    const folder = await seedFolder(service, user, 'Site A');
    const opening = { path: `/library?folder=${folder}`, token: user.token, browser: phone };
    const { page, problems } = await openConsole(world, t, opening);
    const photos = await photographs(2);
    const take = async (open: () => Promise<void>): Promise<void> => {
      const choosing = page.waitForEvent('filechooser');
      await open();
      const chooser = await choosing;
      assert.equal(await chooser.element().getAttribute('capture'), 'environment');
      const photo = photos.pop();
      assert.ok(photo);
      await chooser.setFiles({ name: photo.name, mimeType: photo.type, buffer: photo.bytes });
    };
    await page.getByRole('button', { name: msg('upload.menu'), exact: true }).click();
    await take(() => page.getByRole('menuitem', { name: msg('upload.camera') }).click());
    await counted(page, 1);
    const tabs = page.getByRole('navigation', { name: msg('shell.tabs') });
    await tabs.getByRole('link', { name: msg('map.title') }).click();
    await atPage(page, msg('map.title'));
    await assertAccessible(page, 'tabs');
    await take(() => tabs.getByRole('button', { name: msg('shell.camera') }).click());
    await storedImages(world, user.id, 2);
    const sql = 'SELECT upload_type AS type, folder_id FROM images WHERE user_id = $1';
    const taken = await service.db.query<{ type: string; folder_id: string }[]>(sql, [user.id]);
    assert.deepEqual(taken, Array(2).fill({ type: 'camera', folder_id: folder }));
    assertNoProblems(problems);
  });

  test('what is selected stays selected while uploads arrive', async (t) => {
    const user = await service.user();
    await seedImages(service, user, [{}, {}]);
    const { page } = await openConsole(world, t, { path: '/library', token: user.token });
    await page.locator('.tile').nth(1).waitFor();
    await page.getByRole('grid').focus();
    await page.keyboard.press('Control+a');
    await page.getByText(msg('library.selected', { count: 2 })).waitFor();
    await dropFiles(page, await photographs(1));
    await counted(page, 3);
    await page.getByText(msg('upload.finished', { count: 1 }), { exact: true }).waitFor();
    await page.getByText(msg('library.selected', { count: 2 })).waitFor();
  });

  test('files that are there already are named, and sent again only if the reader wants', async (t) => {
    const user = await service.user();
    const { page, problems } = await openConsole(world, t, { path: '/library', token: user.token });
    await page.getByText(msg('library.none')).waitFor();
    const files = await photographs(3);
    await dropFiles(page, files.slice(0, 2));
    await page.getByText(msg('upload.finished', { count: 2 }), { exact: true }).waitFor();
    await service.db.query(
      `UPDATE images SET deleted_at = now()
       WHERE user_id = $1 AND original_name = '2.jpg'`,
      [user.id],
    );

    await dropFiles(page, files);
    const present = page.getByRole('region', { name: msg('upload.present') });
    await present.getByText(msg('upload.presentCount', { count: 2 })).waitFor();
    assert.deepEqual(await present.getByRole('listitem').allInnerTexts(), [
      '1.jpg',
      `2.jpg ${msg('upload.inTrash')}`,
    ]);
    await page.getByText(msg('upload.finished', { count: 1 }), { exact: true }).waitFor();
    assert.equal(await countOf(world, user.id), 3);
    await assertAccessible(page);
    await present.getByRole('button', { name: msg('upload.skip') }).click();
    await present.waitFor({ state: 'detached' });
    assert.equal(await countOf(world, user.id), 3);

    await dropFiles(page, files.slice(0, 1));
    await present.getByText(msg('upload.presentCount', { count: 1 })).waitFor();
    await present.getByRole('button', { name: msg('upload.anyway') }).click();
    await page.getByText(msg('upload.finished', { count: 1 }), { exact: true }).waitFor();
    assert.equal(await countOf(world, user.id), 4);

    // The server cannot be asked: the file is sent all the same.
    await page.route('**/images/check', (route) => route.fulfill({ status: 500, body: '' }));
    await dropFiles(page, files.slice(0, 1));
    await eventually('it is stored', async () => (await countOf(world, user.id)) === 5);
    assertNoProblems(problems);
  });

  /** Holds requests that begin an upload of this user. */
  async function held(page: Page, user: Member) {
    const waiting: Route[] = [];
    const isUpload = (url: URL): boolean => url.pathname === `/api/v1/users/${user.id}/uploads`;
    await page.route(isUpload, (route) =>
      route.request().method() === 'POST' ? void waiting.push(route) : route.continue(),
    );
    return { waiting, release: () => page.unroute(isUpload) };
  }

  test('signing out says what it throws away, and leaves nothing of it on the machine', async (t) => {
    const user = await service.user();
    const opening = { path: '/library', token: user.token, own: true };
    const { page, problems } = await openConsole(world, t, opening);
    await page.getByText(msg('library.none')).waitFor();
    const { waiting } = await held(page, user);
    await dropFiles(page, await photographs(4));
    await page.getByText(msg('upload.progress', { done: 0, total: 4 })).waitFor();
    const [asked] = await Promise.all([
      page.waitForEvent('dialog'),
      page.close({ runBeforeUnload: true }),
    ]);
    assert.equal(asked.type(), 'beforeunload');
    await asked.dismiss();
    await eventually('all are kept', async () => (await keptFiles(page)) === 4);
    const signOut = async (): Promise<void> => {
      await page.getByRole('button', { name: msg('shell.account') }).click();
      await page.getByRole('menuitem', { name: msg('action.signOut') }).click();
    };
    await signOut();
    const dialog = page.getByRole('dialog', { name: msg('signOut.title') });
    await dialog.getByRole('listitem').nth(3).waitFor();
    const names = await dialog.getByRole('listitem').allInnerTexts();
    assert.deepEqual(names.toSorted(), ['1.jpg', '2.jpg', '3.jpg', '4.jpg']);
    await assertAccessible(page);
    await dialog.getByRole('button', { name: msg('action.cancel') }).click();
    await dialog.waitFor({ state: 'detached' });
    assert.equal(await keptFiles(page), 4);

    await signOut();
    await dialog.getByRole('button', { name: msg('action.signOut') }).click();
    await asksForToken(page);
    await eventually('nothing is kept', async () => (await keptFiles(page)) === 0);
    assert.deepEqual(await keptIn(page), []);
    assert.equal(await page.getByRole('region', { name: msg('upload.title') }).count(), 0);
    for (const route of waiting) await route.abort();
    await signIn(page, user.token);
    await page.getByText(msg('library.none')).waitFor();
    assert.equal(await page.getByRole('complementary', { name: msg('tray.title') }).count(), 0);
    assertNoProblems(problems);
  });

  test('nothing is given up without asking, and what has arrived counts', async (t) => {
    const user = await service.user();
    const opening = { path: '/library', token: user.token, own: true };
    const { page, problems } = await openConsole(world, t, opening);
    await page.getByText(msg('library.none')).waitFor();
    const files = await photographs(5);
    await dropFiles(page, files.slice(0, 1));
    await page.getByText(msg('upload.finished', { count: 1 }), { exact: true }).waitFor();
    const { waiting } = await held(page, user);
    await dropFiles(page, files.slice(1));
    await eventually('three are on their way', async () => waiting.length === 3);
    const tray = page.getByRole('complementary', { name: msg('tray.title') });
    // As one line, on every page.
    await tray.getByRole('button', { name: msg('tray.minimize') }).click();
    await page.getByRole('link', { name: msg('links.heading') }).click();
    await tray.getByText(msg('upload.progress', { done: 0, total: 4 })).waitFor();
    assert.equal(await tray.getByRole('listitem').count(), 0);
    await tray.getByRole('button', { name: msg('tray.open') }).click();
    await assertAccessible(page);

    const stop = page.getByRole('button', { name: msg('upload.stop'), exact: true });
    await stop.click();
    const dialog = page.getByRole('dialog', { name: msg('upload.stopTitle') });
    await dialog.getByRole('button', { name: msg('action.cancel') }).click();
    await tray.getByText(msg('upload.progress', { done: 0, total: 4 })).waitFor();
    // One has arrived by then, though its answer has not.
    const [first] = waiting;
    const sent = first?.request();
    await fetch(sent?.url() ?? '', {
      method: 'POST',
      headers: await sent?.allHeaders(),
      body: sent?.postDataBuffer() ?? null,
    });
    assert.equal(await countOf(world, user.id), 2);
    await stop.click();
    await page.unrouteAll();
    await dialog.getByRole('button', { name: msg('upload.stop') }).click();
    const said = [msg('upload.finished', { count: 1 }), msg('upload.stopped', { count: 3 })];
    await tray.getByText(said.join(' · ')).waitFor();
    await tray.getByRole('button', { name: msg('action.close') }).click();
    await tray.waitFor({ state: 'detached' });
    assertNoProblems(problems);
  });

  test('after a reload, uploads go on by themselves', async (t) => {
    const user = await service.user();
    const opening = { path: '/library', token: user.token, own: true };
    const { page } = await openConsole(world, t, opening);
    page.on('dialog', (dialog) => void dialog.accept());
    await page.getByText(msg('library.none')).waitFor();
    const { waiting, release } = await held(page, user);
    await dropFiles(page, await photographs(2));
    await eventually('both are on their way', async () => waiting.length === 2);
    await eventually('both are kept', async () => (await keptFiles(page)) === 2);
    await release();
    await page.reload();
    await page.getByText(msg('upload.finished', { count: 2 }), { exact: true }).waitFor();
    assert.equal(await countOf(world, user.id), 2);
  });

  test(
    'files of a session whose token is refused are listed, and uploaded in the next one',
    longOnly,
    async (t) => {
      const user = await service.user();
      const opening = { path: '/library', token: user.token };
      const { page, problems } = await openConsole(world, t, opening);
      await page.getByText(msg('library.none')).waitFor();
      const { waiting, release } = await held(page, user);
      await dropFiles(page, await photographs(2));
      await eventually('two uploads begin', () => Promise.resolve(waiting.length === 2));
      const { tokens } = service.service.tenants;
      await tokens.revokePlatform(user.platformId);
      for (const route of waiting) await route.continue();
      const uploads = page.getByRole('region', { name: msg('upload.title') });
      await uploads.getByText(msg('unsent.count', { count: 2 })).waitFor();
      await assertAccessible(page);
      await release();
      const { access_token: next } = await tokens.issue({
        platformId: user.platformId,
        userId: user.id,
      });
      await signIn(page, next);
      await page.getByText(msg('upload.finished', { count: 2 }), { exact: true }).waitFor();
      assert.equal(await countOf(world, user.id), 2);
      assertNoProblems(problems);
    },
  );
}

/** How many files this browser keeps. */
const keptFiles = (page: Page): Promise<number> =>
  page.evaluate<number>(`new Promise((resolve) => {
    const opening = indexedDB.open('imgstore');
    opening.onsuccess = () => {
      const counting = opening.result.transaction('pictures').objectStore('pictures').count();
      counting.onsuccess = () => {
        opening.result.close();
        resolve(counting.result);
      };
    };
  })`);

export async function countOf({ service }: ConsoleWorld, userId: string): Promise<number> {
  const rows = await service.db.query<{ count: number }[]>(
    'SELECT count(*)::int AS count FROM images WHERE user_id = $1',
    [userId],
  );
  return rows[0]?.count ?? 0;
}

/** Waits until the server has stored this many, even if clients have received no answer. */
const storedImages = (world: ConsoleWorld, userId: string, wanted: number): Promise<void> =>
  eventually(`${wanted} stored`, async () => (await countOf(world, userId)) === wanted);
