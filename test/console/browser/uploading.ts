import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Route } from 'playwright-core';
import { readPhoto } from '../../../testkit/photos.js';
import { eventually } from '../../../testkit/eventually.js';
import { seedImages } from '../../../testkit/image-rows.js';
import { Relay } from '../../../testkit/relay.js';
import { assertAccessible } from '../accessible.js';
import { dropFiles, pasteFile, photographs } from '../dropping.js';
import {
  assertNoProblems,
  atPage,
  type ConsoleWorld,
  counted,
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

  test('a phone takes pictures, which count as those of a camera', async (t) => {
    const platform = await service.platform();
    const user = await service.user(platform);
    const opening = { path: '/library', token: user.token, browser: phone };
    const { page, problems } = await openConsole(world, t, opening);
    await page.getByRole('button', { name: msg('upload.menu'), exact: true }).click();
    const choosing = page.waitForEvent('filechooser');
    await page.getByRole('menuitem', { name: msg('upload.camera') }).click();
    const chooser = await choosing;
    assert.equal(await chooser.element().getAttribute('capture'), 'environment');
    const [small] = await photographs(1);
    assert.ok(small);
    await chooser.setFiles({ name: small.name, mimeType: small.type, buffer: small.bytes });
    await counted(page, 1);
    const sql = 'SELECT upload_type AS type FROM images WHERE user_id = $1';
    const types = await service.db.query<{ type: string }[]>(sql, [user.id]);
    assert.deepEqual(types, [{ type: 'camera' }]);
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

  test(
    'files that a session has not uploaded are listed, requested, and uploaded in the next session',
    longOnly,
    async (t) => {
      const user = await service.user();
      const opening = { path: '/library', token: user.token };
      const { page, problems } = await openConsole(world, t, opening);
      await page.getByText(msg('library.none')).waitFor();
      const waiting: Route[] = [];
      const isUpload = (url: URL): boolean => url.pathname === user.images;
      const hold = () =>
        page.route(isUpload, (route) =>
          route.request().method() === 'POST' ? void waiting.push(route) : route.continue(),
        );
      const files = await photographs(6);

      await hold();
      await dropFiles(page, files.slice(0, 4));
      await page.getByText(msg('upload.progress', { done: 0, total: 4 })).waitFor();
      await page.getByRole('button', { name: msg('shell.account') }).click();
      await page.getByRole('menuitem', { name: msg('action.signOut') }).click();
      const uploads = page.getByRole('region', { name: msg('upload.title') });
      await uploads.getByText(msg('unsent.count', { count: 4 })).waitFor();
      const names = await uploads.getByRole('listitem').allInnerTexts();
      assert.deepEqual(names.toSorted(), ['1.jpg', '2.jpg', '3.jpg', '4.jpg']);
      await assertAccessible(page);
      const [asked] = await Promise.all([
        page.waitForEvent('dialog'),
        page.close({ runBeforeUnload: true }),
      ]);
      assert.equal(asked.type(), 'beforeunload');
      await asked.dismiss();
      await page.unroute(isUpload);
      await signIn(page, user.token);
      await page.getByText(msg('upload.finished', { count: 4 }), { exact: true }).waitFor();
      assert.equal(await countOf(world, user.id), 4);

      // The server refuses the token while files are being uploaded.
      waiting.length = 0;
      await hold();
      await dropFiles(page, files.slice(4));
      await eventually('two uploads begin', () => Promise.resolve(waiting.length === 2));
      const { tokens } = service.service.tenants;
      await tokens.revokePlatform(user.platformId);
      for (const route of waiting) await route.continue();
      await uploads.getByText(msg('unsent.count', { count: 2 })).waitFor();
      await page.unroute(isUpload);
      const { access_token: next } = await tokens.issue({
        platformId: user.platformId,
        userId: user.id,
      });
      await signIn(page, next);
      await page.getByText(msg('upload.finished', { count: 2 }), { exact: true }).waitFor();
      assert.equal(await countOf(world, user.id), 6);
      assertNoProblems(problems);
    },
  );
}

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
