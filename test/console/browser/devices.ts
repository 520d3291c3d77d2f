import assert from 'node:assert/strict';
import { test } from 'node:test';
import { generate } from 'lean-qr';
import type { Locator, Page } from 'playwright-core';
import { dayMs } from '../../../src/base/units.js';
import { eventually } from '../../../testkit/eventually.js';
import { assertAccessible } from '../accessible.js';
import { dropFiles, photographs } from '../dropping.js';
import {
  asksForToken,
  assertNoProblems,
  atPage,
  type ConsoleWorld,
  counted,
  keptIn,
  openConsole,
  phone,
} from '../harness.js';
import { msg } from '../words.js';

/** What a QR code on the page says of each of its squares, without the margin of four around them. */
const squares = `(() => {
  const { width, height } = document.querySelector('.link-code');
  const { data } = document.querySelector('.link-code').getContext('2d').getImageData(0, 0, width, height);
  const isDark = (x, y) => data[4 * (y * width + x)] < 128;
  return Array.from({ length: height - 8 }, (_, y) =>
    Array.from({ length: width - 8 }, (_, x) => (isDark(x + 4, y + 4) ? '#' : ' ')).join(''));
})()`;

async function assertCodeSays(page: Page, url: string): Promise<void> {
  const code = generate(url);
  const each = Array.from({ length: code.size }, (_, n) => n);
  const expected = each.map((y) => each.map((x) => (code.get(x, y) ? '#' : ' ')).join(''));
  await eventually('the code is drawn', () =>
    page.evaluate<boolean>(`document.querySelector('.link-code').width === ${code.size + 8}`),
  );
  assert.deepEqual(await page.evaluate<string[]>(squares), expected);
}

export function testDevices(world: ConsoleWorld): void {
  const { service } = world;
  const { tenants } = service.service;

  const pressSignIn = (page: Page): Promise<void> =>
    page.getByRole('button', { name: msg('action.signIn') }).click();

  const confirmed = async (page: Page): Promise<void> => {
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: msg('action.signOut') }).click();
  };

  const devices = (page: Page): Locator =>
    page.getByRole('region', { name: msg('sessions.title') }).getByRole('listitem');

  test('a user signs in on a phone by QR code, uploads, and goes on after two days', async (t) => {
    const platform = await service.platform();
    const user = await service.user(platform);
    const opening = { path: `/users/${user.id}`, token: platform.token };
    const desk = await openConsole(world, t, opening);
    await desk.page.getByText(msg('sessions.none')).waitFor();
    await desk.page.getByRole('button', { name: msg('sessions.phone') }).click();
    const dialog = desk.page.getByRole('dialog');
    await dialog.getByText(msg('sessions.phoneText')).waitFor();
    const url = await dialog.locator('code').innerText();
    assert.ok(url.startsWith(`${world.url}/#sign-in=`), url);
    await assertCodeSays(desk.page, url);
    await assertAccessible(desk.page, 'a link that signs in');

    const path = url.slice(world.url.length);
    const { page, problems } = await openConsole(world, t, { own: true, path, browser: phone });
    // The page alone has spent nothing, whoever opens it.
    await page.getByRole('button', { name: msg('action.signIn') }).waitFor();
    await page.goto(url);
    await page.reload();
    await page.goto(url);
    await pressSignIn(page);
    await atPage(page, msg('library.all'));
    assert.ok(!JSON.stringify(await page.evaluate('localStorage')).includes('eyJ'));
    const [first, second] = await photographs(2);
    assert.ok(first && second);
    await dropFiles(page, [first]);
    await counted(page, 1);

    await dialog.getByRole('button', { name: msg('action.done') }).click();
    const device = devices(desk.page);
    await device.getByText('Chrome').waitFor();
    assert.equal(await device.count(), 1);

    // Closed, and opened again when the token has long expired.
    const context = page.context();
    await page.close();
    await service.db.query(
      `WITH aged AS (UPDATE sessions SET last_used_at = last_used_at - interval '2 days'
         WHERE user_id = $1 RETURNING id)
       UPDATE refresh_tokens SET expires_at = expires_at - interval '2 days'
       WHERE family_id IN (SELECT id FROM aged)`,
      [user.id],
    );
    const later = await context.newPage();
    await later.clock.install({ time: Date.now() + 2 * dayMs });
    await later.goto(`${world.url}/library`);
    await atPage(later, msg('library.all'));
    await counted(later, 1);
    await dropFiles(later, [second]);
    await counted(later, 2);
    assert.equal((await tenants.sessions.ofUser(platform.id, user.id)).length, 1);

    // Ended elsewhere, it is over with the next request; nobody is signed in by the cookie any more.
    await device.getByRole('button', { name: msg('sessions.end') }).click();
    await confirmed(desk.page);
    await desk.page.getByText(msg('sessions.none')).waitFor();
    await later.reload();
    await asksForToken(later);
    await later.reload();
    await asksForToken(later);
    assert.deepEqual(await keptIn(later), []);
    assertNoProblems([...problems, ...desk.problems]);
  });

  test('a user sees the own devices, ends another one, and then all', async (t) => {
    const user = await service.user();
    const signedIn = async () => {
      const { code } = await tenants.consoleSignIn.makeUserCode(undefined, user.id);
      const opened = await openConsole(world, t, { own: true, path: `/#sign-in=${code}` });
      await pressSignIn(opened.page);
      await atPage(opened.page, msg('library.all'));
      return opened;
    };
    const other = await signedIn();
    const { page, problems } = await signedIn();
    await page.getByRole('button', { name: msg('shell.account') }).click();
    await page.getByRole('menuitem', { name: msg('sessions.page') }).click();
    await atPage(page, msg('sessions.page'));
    await devices(page).nth(1).waitFor();
    await assertAccessible(page, 'devices');
    const here = devices(page).filter({ hasText: msg('sessions.here') });
    assert.equal(await here.count(), 1);
    assert.equal(await here.getByRole('button').count(), 0);
    const end = devices(page).getByRole('button', { name: msg('sessions.end') });
    await end.click();
    await confirmed(page);
    await end.waitFor({ state: 'detached' });
    await other.page.reload();
    await asksForToken(other.page);

    await signedIn();
    await page.reload();
    await page.getByRole('button', { name: msg('sessions.endAll') }).click();
    await page.getByText(msg('sessions.endHereText')).waitFor();
    await confirmed(page);
    await asksForToken(page);
    assert.deepEqual(await tenants.sessions.ofUser(undefined, user.id), []);
    assertNoProblems(problems);
  });
}
