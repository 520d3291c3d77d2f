import { test } from 'node:test';
import assert from 'node:assert/strict';
import { done } from '../../../testkit/expect.js';
import { seedImages } from '../../../testkit/image-rows.js';
import { atPage, openConsole, signIn, type ConsoleWorld } from '../harness.js';
import { msg } from '../words.js';

export function testBelonging(world: ConsoleWorld): void {
  const { service } = world;

  test('an image of another platform is not found at any URL', async (t) => {
    const [owner, stranger] = [await service.user(), await service.platform()];
    const [image = ''] = await seedImages(service, owner, [{}]);
    const deep = `/users/${owner.id}/library/images/${image}`;
    const { page } = await openConsole(world, t, { path: deep, token: stranger.token });
    await page.getByText(msg('problem.user_not_found')).first().waitFor();
    assert.equal(await page.getByText(image).count(), 0);
    assert.equal(await page.locator('.stage').count(), 0);

    const { token } = await service.user(stranger);
    const own = `/library/images/${image}?q=bridge&at=0`;
    const other = await openConsole(world, t, { path: own, token });
    await other.page.getByText(msg('problem.image_not_found')).waitFor();
    assert.equal(await other.page.locator('.stage').count(), 0);

    // Its token is revoked: signing in with another one leads back to the same page. A page that is open would
    // hear of that before it is loaded again, which forgets why a session ended.
    await other.page.goto('about:blank');
    await service.service.tenants.tokens.revokePlatform(stranger.id);
    await other.page.goto(world.url + own);
    await other.page.getByText(msg('signIn.refused')).waitFor();
    await signIn(other.page, owner.token);
    await atPage(other.page, '20');
    const { pathname, search } = new URL(other.page.url());
    assert.equal(pathname + search, `/console${own}`);
    await other.page.locator('.stage').waitFor();
  });

  test('a platform sees only the library of its own users', async (t) => {
    const [own, foreign] = [await service.platform(), await service.user()];
    const user = await service.user(own);
    const { page } = await openConsole(world, t, { path: '/users', token: own.token });
    await page.getByRole('link', { name: msg('users.openLibraryOf') }).click();
    await atPage(page, msg('library.all'));
    await page.getByText(msg('library.none')).waitFor();
    assert.equal(new URL(page.url()).pathname, `/console/users/${user.id}/library`);

    await page.evaluate(`
      history.pushState(null, '', '/console/users/${foreign.id}/library');
      dispatchEvent(new PopStateEvent('popstate'));
    `);
    await page.getByText(msg('problem.user_not_found')).first().waitFor();
    assert.equal(await page.locator('.tile').count(), 0);
  });

  test('a platform sees what is held: in the grid, the table and the viewer', async (t) => {
    const platform = await service.platform();
    const user = await service.user(platform);
    const [image = ''] = await seedImages(service, user, [{}, {}]);
    const form = { reason: 'Case 118', image_ids: JSON.stringify([image]) };
    const as = ['Platform', platform.token] as const;
    done(await service.client.post(`/api/v1/platforms/${platform.id}/holds`, { as, form }));
    const path = `/users/${user.id}/library`;
    const { page } = await openConsole(world, t, { path, token: platform.token });
    await page.locator('.tile').nth(1).waitFor();
    const held = page.locator('.tile-badge', { hasText: msg('holds.lasts') });
    await held.waitFor();
    assert.equal(await held.count(), 1);
    await page.locator('.tile', { has: held }).click();
    await page.getByText(msg('picture.held', { reason: 'Case 118' })).waitFor();
  });
}
