import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventTypes } from '../../../src/feed/webhooks/schemas.js';
import { actNames } from '../../../src/http/audit/acts.js';
import { jobNames } from '../../../src/ops/job-runs.js';
import { seedFolder, seedImages } from '../../../testkit/image-rows.js';
import { done, refused } from '../../../testkit/expect.js';
import { Issuer } from '../../../testkit/issuer.js';
import { assertAccessible } from '../accessible.js';
import { assertNoProblems, atPage, type ConsoleWorld, narrow, openConsole } from '../harness.js';
import { koMsg, msg } from '../words.js';

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
    await dialog.getByRole('button', { name: msg('dialog.leave') }).click();
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
    const types = dialog.getByRole('group', { name: msg('webhooks.types') });
    assert.equal(await types.getByRole('checkbox').count(), eventTypes.length);
    await types.getByRole('button', { name: msg('webhooks.noTypes') }).click();
    const [created, ended] = [
      { thing: msg('thing.image'), change: msg('change.created') },
      { thing: msg('thing.link'), change: msg('change.deleted') },
    ].map((values) => msg('audit.change', values));
    for (const type of [created, ended]) {
      await types.getByRole('checkbox', { name: type ?? '', exact: true }).check();
    }
    await assertAccessible(page, 'types of events');
    await dialog.getByRole('button', { name: msg('action.create'), exact: true }).click();
    assert.match(await dialog.locator('code').innerText(), /^whsec_/);
    await dialog.getByRole('button', { name: msg('copy.named', { name: 'Secret' }) }).click();
    await dialog.getByText(msg('copy.done')).waitFor();
    await dialog.getByRole('button', { name: msg('action.done') }).click();
    const entry = page.getByRole('listitem', { name: /example\.com/ });
    await entry.getByText(`${created}, ${ended}`).waitFor();
    const [hook] = done(
      await service.client.get<{ types: string[] }[]>(`/api/v1/platforms/${platform.id}/webhooks`, {
        as: ['Platform', platform.token],
      }),
    );
    assert.deepEqual(hook?.types, ['image.created', 'link.deleted']);
    await entry.getByRole('button', { name: msg('action.pause') }).click();
    await entry.getByText(msg('webhooks.paused'), { exact: true }).waitFor();
    await assertAccessible(page, 'webhooks');
    await entry.getByRole('button', { name: msg('webhooks.more') }).click();
    await page.getByRole('menuitem', { name: msg('webhooks.delete') }).click();
    await dialog.getByRole('button', { name: msg('webhooks.delete') }).click();
    await page.getByText(msg('webhooks.none')).waitFor();
    assertNoProblems(problems);
  });

  test('a platform makes and revokes a narrow token of a user, holds the user, and then deletes it', async (t) => {
    const platform = await service.platform();
    const user = await service.user(platform);
    await seedImages(service, user, [{}, {}]);
    const opening = { path: `/users/${user.id}`, token: platform.token };
    const { page, problems } = await openConsole(world, t, opening);
    await page.getByRole('button', { name: msg('narrow.create') }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel(msg('narrow.name')).fill('Camera app');
    await dialog.getByLabel(msg('allow.read'), { exact: true }).uncheck();
    await dialog.getByLabel(msg('allow.upload'), { exact: true }).check();
    await dialog.getByRole('button', { name: msg('action.create'), exact: true }).click();
    const token = await dialog.locator('code').innerText();
    const as = ['User', token] as const;
    refused(await service.client.get(user.images, { as }), 403, 'not_allowed');
    await page.keyboard.press('Escape');
    await dialog.getByRole('button', { name: msg('dialog.leave') }).click();
    const entry = page.getByRole('listitem', { name: 'Camera app' });
    await entry.getByText(msg('allow.upload')).waitFor();
    await entry.getByRole('button', { name: msg('narrow.revoke') }).click();
    await dialog.getByRole('button', { name: msg('narrow.revoke') }).click();
    await entry.waitFor({ state: 'detached' });
    assert.equal((await service.client.get(user.images, { as })).status, 401);

    await page.getByRole('button', { name: msg('holds.create'), exact: true }).click();
    await dialog.getByLabel(msg('holds.reason')).fill('Case 118');
    await dialog.getByRole('button', { name: msg('holds.create'), exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: msg('users.delete') }).click();
    await dialog.getByText('2 photos').waitFor();
    await assertAccessible(page, 'what goes with a user');
    await dialog.getByRole('button', { name: msg('users.delete') }).click();
    await dialog.getByRole('alert').waitFor();
    await dialog.getByRole('button', { name: msg('action.cancel') }).click();
    await page.getByRole('link', { name: msg('holds.title') }).click();
    const hold = page.getByRole('listitem', { name: 'Case 118' });
    await hold.getByText(msg('holds.lasts'), { exact: true }).waitFor();
    await assertAccessible(page, 'holds');
    await hold.getByRole('button', { name: msg('holds.release') }).click();
    await dialog.getByRole('button', { name: msg('holds.release') }).click();
    await hold.getByText(msg('holds.released'), { exact: true }).waitFor();
    await page.goto(`${world.url}/users/${user.id}`);
    await page.getByRole('button', { name: msg('users.delete') }).click();
    await dialog.getByRole('button', { name: msg('users.delete') }).click();
    await page.getByText(msg('users.none')).waitFor();
    assert.equal((await user.get('')).status, 401);
    assertNoProblems(problems);
  });

  test('a platform sets up its identity provider, narrows it, and removes it', async (t) => {
    const platform = await service.platform();
    const user = await service.user(platform);
    const issuer = await Issuer.of('https://login.example');
    const as = ['User', await issuer.sign(user.record.platform_user_id)] as const;
    const opening = { path: '/tokens', token: platform.token };
    const { page, problems } = await openConsole(world, t, opening);
    await page.getByText(msg('identity.none')).waitFor();
    await page.getByRole('button', { name: msg('identity.set') }).click();
    const dialog = page.getByRole('dialog');
    const save = () => dialog.getByRole('button', { name: msg('action.save') }).click();
    await dialog.getByLabel(msg('identity.issuer')).fill(issuer.name);
    await dialog.getByLabel(msg('identity.audience')).fill('imgstore');
    await dialog.getByLabel(msg('identity.keys')).fill('{ "keys": ');
    await save();
    await dialog.getByText(msg('identity.noJson')).waitFor();
    await dialog.getByLabel(msg('identity.keys')).fill(issuer.jwks);
    await assertAccessible(page, 'setting up an identity provider');
    await save();
    await page.getByText(msg('identity.given', { count: 1 })).waitFor();
    done(await service.client.get(user.images, { as }));

    await page.getByRole('button', { name: msg('identity.change') }).click();
    await dialog.getByLabel(msg('allow.change'), { exact: true }).uncheck();
    await save();
    await dialog.waitFor({ state: 'detached' });
    const folders = `/api/v1/users/${user.id}/folders`;
    const form = { title: 'Site A' };
    refused(await service.client.post(folders, { as, form }), 403, 'not_allowed');
    await assertAccessible(page, 'an identity provider');
    await page.getByRole('button', { name: msg('identity.remove') }).click();
    await dialog.getByRole('button', { name: msg('identity.remove') }).click();
    await page.getByText(msg('identity.none')).waitFor();
    assert.equal((await service.client.get(user.images, { as })).status, 401);
    assertNoProblems(problems);
  });

  test('the audit has words for every act and change, in both languages', () => {
    for (const act of actNames) {
      assert.ok(msg(`act.${act}`) && koMsg(`act.${act}`), act);
    }
    for (const type of eventTypes) {
      const [thing, change] = type.split('.');
      assert.ok(koMsg(`thing.${thing}`) && koMsg(`change.${change}`), type);
    }
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
