import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventually } from '../../../testkit/eventually.js';
import { seedImages } from '../../../testkit/image-rows.js';
import { longOnly } from '../../../testkit/long-form.js';
import { filePart, jpeg } from '../../../testkit/pictures.js';
import { assertNoProblems, atPage, openConsole, type ConsoleWorld } from '../harness.js';
import { msg } from '../words.js';
import { assertAccessible } from '../accessible.js';

export function testPages(world: ConsoleWorld): void {
  const { service } = world;

  test('the overview shows health, contents and uploads, in light and dark mode', async (t) => {
    const user = await service.user();
    const image_data = filePart(await jpeg({ width: 64, height: 48 }));
    await service.client.post(user.images, {
      as: ['User', user.token],
      form: { image_data },
    });
    const token = await service.adminToken();
    const { page, problems } = await openConsole(world, t, { token });
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await atPage(page, msg('overview.title'));
      await page.getByText(msg('overview.ready')).waitFor();
      const today = page
        .getByRole('table', { name: msg('overview.uploads') })
        .getByRole('cell')
        .last();
      await eventually('the upload is counted', async () => Number(await today.textContent()) >= 1);
      await page.locator('.day-chart canvas').waitFor();
      await assertAccessible(page, `overview, ${colorScheme}`);
    }
    assertNoProblems(problems);
  });

  test('a platform sees only its own users, searches them, and creates one', async (t) => {
    const [mine, other] = [await service.platform('mine'), await service.platform('theirs')];
    for (const name of ['Kim Min-ji', 'Lee Jun']) {
      await service.service.tenants.users.create(mine.id, name);
    }
    await service.service.tenants.users.create(other.id, 'Kim of another');
    const { page, problems } = await openConsole(world, t, { token: mine.token });
    await atPage(page, msg('users.title'));
    await page.getByRole('cell', { name: 'Lee Jun', exact: true }).waitFor();
    await page.getByLabel(msg('users.search')).fill('kim');
    await page.getByRole('cell', { name: 'Lee Jun', exact: true }).waitFor({ state: 'detached' });
    assert.equal(await page.getByRole('cell', { name: /^Kim/ }).count(), 1);
    await page.getByLabel(msg('users.search')).fill('');
    await page.getByRole('button', { name: msg('users.create') }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel(msg('users.name')).fill('Lee Jun');
    await dialog.getByRole('button', { name: msg('action.create'), exact: true }).click();
    await dialog.getByText(msg('problem.user_exists')).waitFor();
    await dialog.getByLabel(msg('users.name')).fill('Park');
    await dialog.getByRole('button', { name: msg('action.create'), exact: true }).click();
    for (const name of [msg('signIn.token'), msg('tokens.refresh')]) {
      await dialog.getByRole('button', { name: msg('copy.named', { name }) }).click();
    }
    await dialog.getByText(msg('copy.done')).nth(1).waitFor();
    await dialog.getByRole('button', { name: msg('action.done') }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('cell', { name: 'Park', exact: true }).waitFor();
    await page.getByRole('button', { name: msg('users.editQuota', { name: 'Park' }) }).click();
    await dialog.getByLabel(msg('users.quota')).fill('-1');
    await dialog.getByRole('button', { name: msg('action.save') }).click();
    await dialog.getByRole('alert').waitFor();
    await dialog.getByLabel(msg('users.quota')).fill('2.5');
    await dialog.getByLabel(msg('users.unit')).selectOption('GB');
    await dialog.getByText(msg('users.quotaLeft', { wanted: '2.5 GB', left: '2.5 GB' })).waitFor();
    await assertAccessible(page, 'quota');
    await dialog.getByRole('button', { name: msg('action.save') }).click();
    await page.getByText(msg('users.used', { used: '0 MB', max: '2.5 GB' })).waitFor();
    await page.reload();
    await page.getByText(msg('users.used', { used: '0 MB', max: '2.5 GB' })).waitFor();
    await assertAccessible(page, 'users');
    await page.goto(`${world.url}/platforms/${other.id}`);
    assert.equal(await page.getByText('Kim of another').count(), 0);
    assertNoProblems(problems);
  });

  test('an administrator sees quotas, and who is suspended', async (t) => {
    const platform = await service.platform('with limits');
    const { tenants } = service.service;
    const { user_id: id } = await tenants.users.create(platform.id, 'suspended one');
    const trashed = { deleted_at: new Date().toISOString() };
    await seedImages(service, { id, platformId: platform.id }, [{}, {}, trashed]);
    await tenants.users.suspend(id, true);
    await tenants.platforms.limit(platform.id, { maxBytes: null, maxImages: null, maxUsers: 10 });
    const { page, problems } = await openConsole(world, t, {
      path: `/platforms/${platform.id}`,
      token: await service.adminToken(),
    });
    await page
      .getByRole('meter', { name: msg('users.quotaOf', { name: 'suspended one' }) })
      .waitFor();
    // Both numbers of images are on the page, each with what it counts.
    const figure = (label: string) => page.locator('.figure', { hasText: label });
    await figure(msg('users.imagesInAll')).getByText('3', { exact: true }).waitFor();
    await page.getByRole('columnheader', { name: msg('users.images') }).waitFor();
    await page.getByRole('cell', { name: '2', exact: true }).waitFor();
    await page.getByText(msg('users.suspended'), { exact: true }).waitFor();
    await figure(msg('users.title'))
      .getByText(msg('users.limit', { max: 10 }))
      .waitFor();
    assert.equal(await page.getByRole('button', { name: msg('users.create') }).count(), 0);
    assert.equal(await page.getByRole('button', { name: msg('users.editQuota') }).count(), 0);
    await page.getByText(`imgstore platform limit ${platform.id}`).waitFor();
    assertNoProblems(problems);
  });

  test(
    'ten thousand users can be scrolled; only those in view are rendered',
    longOnly,
    async (t) => {
      const platform = await service.platform('large');
      await service.db.query(
        `INSERT INTO users (id, platform_id, platform_user_id, max_storage_bytes)
       SELECT gen_random_uuid(), $1, 'user ' || n, 1000000000 FROM generate_series(1, 10000) n`,
        [platform.id],
      );
      const { page, problems } = await openConsole(world, t, { token: platform.token });
      const table = page.getByRole('table', { name: msg('users.title') });
      await table.waitFor();
      assert.equal(await table.getAttribute('aria-rowcount'), '10001');
      assert.ok((await page.getByRole('row').count()) < 60);
      const lastDrawn = `Math.max(...[...document.querySelectorAll('[aria-rowindex]')]
      .map((row) => Number(row.getAttribute('aria-rowindex'))))`;
      await eventually('rows of the third page are drawn', async () => {
        await table.evaluate((node) => ((node as { scrollTop: number }).scrollTop = 1e9));
        return (await page.evaluate<number>(lastDrawn)) > 402;
      });
      assert.ok((await page.getByRole('row').count()) < 60);
      assertNoProblems(problems);
    },
  );
}
