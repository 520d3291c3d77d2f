import assert from 'node:assert/strict';
import { test } from 'node:test';
import { jobNames } from '../../../src/ops/job-runs.js';
import { seedFolder, seedImages } from '../../../testkit/image-rows.js';
import { done } from '../../../testkit/expect.js';
import { assertAccessible } from '../accessible.js';
import { assertNoProblems, atPage, type ConsoleWorld, narrow, openConsole } from '../harness.js';
import { msg } from '../words.js';

/** A run of every job, the second of which failed. */
const jobs = jobNames.map((job, index) => ({
  job,
  ended_at: '20250131_000000',
  ms: 1,
  error: index === 1 ? 'no space left' : null,
}));

export function testOperating(world: ConsoleWorld): void {
  const { service } = world;

  test('the overview says how to make the first backup, and names jobs in each language', async (t) => {
    const token = await service.adminToken();
    for (const locale of ['en-US', 'ko-KR']) {
      const { page, problems } = await openConsole(world, t, { browser: { locale } });
      await page.route('**/api/v1/status', async (route) => {
        const answer = (await (await route.fetch()).json()) as { result: object };
        const result = { ...answer.result, jobs, backup: null };
        await route.fulfill({ json: { ...answer, result } });
      });
      await page.locator('input').fill(token);
      await page.keyboard.press('Enter');
      await page
        .locator('.jobs li')
        .nth(jobNames.length - 1)
        .waitFor();
      const shown = await page.locator('.jobs li').allInnerTexts();
      for (const name of jobNames) assert.ok(!shown.some((text) => text.includes(name)), name);
      assert.match(shown[0] ?? '', /no space left/);
      await page.locator('.caution-note').getByText('imgstore backup DIR').waitFor();
      await assertAccessible(page, `overview, ${locale}`);
      assertNoProblems(problems);
    }
  });

  test('a platform issues a token of a user, which works, and pauses a link', async (t) => {
    const platform = await service.platform('Coast survey');
    const user = await service.user(platform);
    const folder = await seedFolder(service, user, 'Site A');
    await seedImages(service, user, [{}]);
    const links = `/api/v1/users/${user.id}/links`;
    const as = ['User', user.token] as const;
    const form = { kind: 'view', folder_id: folder, title: 'For the city' };
    done(await service.client.post(links, { as, form }));
    const opening = { path: `/users/${user.id}`, token: platform.token };
    const { page, problems } = await openConsole(world, t, opening);
    await page.getByRole('button', { name: msg('users.issueToken') }).click();
    const dialog = page.getByRole('dialog');
    const token = await dialog.locator('code').innerText();
    done(await service.client.get(`/api/v1/users/${user.id}`, { as: ['User', token] }));
    await dialog.getByRole('button', { name: msg('action.done') }).click();
    await dialog.getByRole('button', { name: msg('tokens.closeForGood') }).click();
    await dialog.waitFor({ state: 'detached' });
    assert.ok(!(await page.content()).includes(token));
    const entry = page.getByRole('listitem', { name: /^For the city/ });
    await entry.getByRole('button', { name: msg('action.pause') }).click();
    await entry.getByRole('button', { name: msg('action.resume') }).waitFor();
    const [link] = done(
      await service.client.get<{ items: { state: string }[] }>(links, { as }),
    ).items;
    assert.equal(link?.state, msg('links.state.paused'));
    await assertAccessible(page, 'a user, for the platform');
    await page.getByRole('link', { name: msg('users.openLibrary') }).click();
    await atPage(page, msg('library.all'));
    assertNoProblems(problems);
  });

  test('a platform creates a webhook, whose secret is shown once, pauses and deletes it', async (t) => {
    const platform = await service.platform('Hooked');
    const opening = { path: '/webhooks', token: platform.token };
    const { page, problems } = await openConsole(world, t, opening);
    await page.getByText(msg('webhooks.none')).waitFor();
    await assertAccessible(page, 'no webhooks');
    await page.getByRole('button', { name: msg('webhooks.create') }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel(msg('webhooks.url')).fill('https://example.com/hook');
    await dialog.getByLabel(msg('webhooks.types')).fill('image.created, no.such');
    await dialog.getByRole('button', { name: msg('action.create'), exact: true }).click();
    await dialog.getByRole('alert').waitFor();
    await dialog.getByLabel(msg('webhooks.types')).fill('image.created, link.deleted');
    await dialog.getByRole('button', { name: msg('action.create'), exact: true }).click();
    assert.match(await dialog.locator('code').innerText(), /^whsec_/);
    await dialog.getByRole('button', { name: msg('copy.named', { name: 'Secret' }) }).click();
    await dialog.getByText(msg('copy.done')).waitFor();
    await dialog.getByRole('button', { name: msg('action.done') }).click();
    const entry = page.getByRole('listitem', { name: /example\.com/ });
    await entry.getByText('image.created, link.deleted').waitFor();
    await entry.getByRole('button', { name: msg('action.pause') }).click();
    await entry.getByText(msg('webhooks.paused'), { exact: true }).waitFor();
    await assertAccessible(page, 'webhooks');
    await entry.getByRole('button', { name: msg('suspension.more') }).click();
    await page.getByRole('menuitem', { name: msg('webhooks.delete') }).click();
    await dialog.getByRole('button', { name: msg('webhooks.delete') }).click();
    await page.getByText(msg('webhooks.none')).waitFor();
    assertNoProblems(problems);
  });

  test('the landing page speaks the language of the browser, and leads to the console', async (t) => {
    for (const locale of ['en-US', 'ko-KR']) {
      const { page, problems } = await openConsole(world, t, { browser: { ...narrow, locale } });
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        await page.goto(service.service.url);
        await page.getByText('imgstore console --home HOME').waitFor();
        const wide: number = await page.evaluate('document.documentElement.scrollWidth');
        assert.ok(wide <= 390, `${wide} pixels wide`);
        await assertAccessible(page, `landing page, ${locale}, ${colorScheme}`);
      }
      assert.equal(/[가-힣]/.test(await page.locator('body').innerText()), locale === 'ko-KR');
      await page.locator('a[href="console/"]').click();
      await page.locator('input[type=password]').waitFor();
      assertNoProblems(problems);
    }
  });
}
