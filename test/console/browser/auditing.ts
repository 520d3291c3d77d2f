import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rows } from '../../../src/database/sql.js';
import { done, refused } from '../../../testkit/expect.js';
import { hook } from '../../../testkit/webhooks.js';
import { assertAccessible } from '../accessible.js';
import { assertNoProblems, atPage, type ConsoleWorld, narrow, openConsole } from '../harness.js';
import { msg } from '../words.js';

export function testAuditing(world: ConsoleWorld): void {
  const { service } = world;

  test('an administrator suspends and resumes a platform, which the list and the audit show', async (t) => {
    const platform = await service.platform('Moor survey');
    const own = `/api/v1/platforms/${platform.id}`;
    const read = () => service.client.get(own, { as: ['Platform', platform.token] });
    const token = await service.adminToken();
    const opening = { path: `/platforms/${platform.id}`, token };
    const { page, problems } = await openConsole(world, t, opening);
    const turn = async (word: string): Promise<void> => {
      await page.getByRole('button', { name: word, exact: true }).click();
      const dialog = page.getByRole('dialog', { name: word });
      await assertAccessible(page, `${word} a platform`);
      await dialog.getByRole('button', { name: word, exact: true }).click();
      await dialog.waitFor({ state: 'detached' });
    };
    await turn(msg('suspension.suspend'));
    await page.getByText(msg('users.platformSuspended')).waitFor();
    refused(await read(), 403, 'platform_suspended');
    await page
      .getByRole('link', { name: msg('platforms.title') })
      .first()
      .click();
    const row = page.getByRole('row', { name: /Moor survey/ });
    await row.getByText(msg('users.suspended'), { exact: true }).waitFor();
    await row.getByRole('link', { name: 'Moor survey' }).click();
    await turn(msg('action.resume'));
    done(await read());
    await page.getByRole('link', { name: msg('audit.of') }).click();
    await atPage(page, msg('audit.title'));
    const texts = page.locator('.audit tbody tr td:nth-child(2)');
    await texts.first().waitFor();
    assert.deepEqual((await texts.allInnerTexts()).slice(0, 2), [
      msg('act.platform.resume'),
      msg('act.platform.suspend'),
    ]);
    await page.getByRole('link', { name: 'Moor survey' }).first().waitFor();
    await assertAccessible(page, 'audit');
    assertNoProblems(problems);
  });

  test('a platform suspends a user, and finds that in its audit by filters that the address keeps', async (t) => {
    const platform = await service.platform();
    const user = await service.user(platform);
    const opening = { path: `/users/${user.id}`, token: platform.token };
    const { page, problems } = await openConsole(world, t, { ...opening, browser: narrow });
    await page.getByRole('button', { name: msg('suspension.suspend'), exact: true }).click();
    await page
      .getByRole('dialog')
      .getByRole('button', { name: msg('suspension.suspend'), exact: true })
      .click();
    await page.getByText(msg('users.suspended'), { exact: true }).waitFor();
    const own = `/api/v1/users/${user.id}`;
    refused(await service.client.get(own, { as: ['User', user.token] }), 403, 'user_suspended');
    await page.getByRole('link', { name: msg('audit.of') }).click();
    await atPage(page, msg('audit.title'));
    await page.getByRole('cell', { name: msg('act.user.suspend') }).waitFor();
    const name = msg('audit.change', { thing: msg('thing.user'), change: msg('change.created') });
    const created = page.getByRole('cell', { name });
    await created.waitFor();
    await page.getByRole('button', { name: msg('audit.what'), exact: true }).click();
    await page.getByLabel(msg('audit.what')).last().selectOption('user.suspend');
    await created.waitFor({ state: 'detached' });
    assert.match(new URL(page.url()).search, /act=user.suspend/);
    await page.reload();
    await page.getByRole('cell', { name: msg('act.user.suspend') }).waitFor();
    const wide: number = await page.evaluate('document.documentElement.scrollWidth');
    assert.ok(wide <= 390, `${wide} pixels wide`);
    await assertAccessible(page, 'audit of a platform, on a phone');
    await page.goto(`${world.url}/audit?act=user.token`);
    await page.getByText(msg('audit.noneFound')).waitFor();
    await page.goto(`${world.url}/audit?act=wrong`);
    await page.getByRole('alert').waitFor();
    assertNoProblems(problems);
  });

  test('a webhook shows its last deliveries', async (t) => {
    const platform = await service.platform();
    const user = await service.user(platform);
    const { id } = await hook(service, platform, { url: 'https://example.com/hook' });
    const opening = { path: '/webhooks', token: platform.token };
    const { page, problems } = await openConsole(world, t, opening);
    const deliveries = page.getByRole('button', { name: msg('webhooks.deliveries') });
    await deliveries.click();
    await page.getByText(msg('webhooks.noDeliveries')).waitFor();
    await rows(
      service.db,
      `INSERT INTO webhook_deliveries (webhook_id, message_id, type, user_id, seq, attempt, status, error, ms)
       VALUES ($1, 'm1', 'image.created', $2, 1, 1, 204, NULL, 12),
              ($1, 'm2', 'image.updated', $2, 2, 1, NULL, 'connection refused', 3)`,
      [id, user.id],
    );
    await rows(
      service.db,
      `INSERT INTO webhook_lanes (webhook_id, user_id, seq, last, failures, due_at)
       VALUES ($1, $2, 2, 2, 1, now() + interval '1 hour')`,
      [id, user.id],
    );
    await page.getByRole('button', { name: msg('webhooks.readAgain') }).click();
    const attempts = page.locator('.deliveries li');
    await attempts.nth(1).waitFor();
    const [failed = '', arrived = ''] = await attempts.allInnerTexts();
    assert.match(failed, /image\.updated.*3 ms.*connection refused/s);
    assert.match(arrived, /image\.created\s+204\s+12 ms$/);
    await assertAccessible(page, 'deliveries');
    assertNoProblems(problems);
  });
}
