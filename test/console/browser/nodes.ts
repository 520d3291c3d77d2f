import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hosted } from '../../../testkit/hosted-command.js';
import { longOnly } from '../../../testkit/long-form.js';
import { Relay } from '../../../testkit/relay.js';
import type { TestNode } from '../../../testkit/service.js';
import { dropFiles, photographs } from '../dropping.js';
import {
  assertNoProblems,
  atPage,
  databaseUrlOf,
  openConsole,
  type ConsoleWorld,
} from '../harness.js';
import { msg } from '../words.js';
import { crawling, slow } from '../network.js';
import { countOf } from './uploading.js';

const spent = msg('problem.link_used');

export function testNodes(world: ConsoleWorld): void {
  const { service } = world;
  let starting: Promise<TestNode> | undefined;
  /** Shared by all these tests. */
  const second = (): Promise<TestNode> => (starting ??= service.node());
  const exchange = async (url: string, code: string): Promise<number> => {
    const body = new URLSearchParams({ code });
    return (await fetch(`${url}/api/v1/auth/console`, { method: 'POST', body })).status;
  };

  test('a code created by one node signs in on any node, but only once', async (t) => {
    const { url } = await second();
    const code = await service.service.tenants.consoleSignIn.makeCode();
    const there = { ...world, url: `${url}/console` };
    const { page, problems } = await openConsole(there, t, { path: `/#code=${code}` });
    await atPage(page, msg('overview.title'));
    assertNoProblems(problems);
    assert.equal(await exchange(service.service.url, code), 401);
    const again = await openConsole(world, t, { path: `/#code=${code}` });
    await again.page.getByText(spent).waitFor();

    const other = await service.service.tenants.consoleSignIn.makeCode();
    const urls = [url, service.service.url, url, service.service.url];
    const statuses = await Promise.all(urls.map((each) => exchange(each, other)));
    assert.deepEqual(statuses.toSorted(), [200, 401, 401, 401]);
  });

  test(
    'a restart during an open session is shown and waited for, and loses nothing',
    longOnly,
    async (t) => {
      const node = await second();
      const user = await service.user();
      const relay = await Relay.to(node.url);
      t.after(() => relay.cut());
      const through = { ...world, url: `${relay.url}/console` };
      const { page } = await openConsole(through, t, { path: '/library', token: user.token });
      await page.getByText(msg('library.none')).waitFor();
      const fast = await slow(page, crawling);
      await dropFiles(page, await photographs(4));
      const begun = '.uploads-list [role=progressbar]:not([aria-valuenow="0"])';
      await page.locator(begun).first().waitFor();

      await relay.cut();
      await node.stop();
      const lost = page.getByText(msg('shell.lost'));
      await lost.waitFor();
      await page.getByLabel(msg('library.search')).fill('bridge');
      await page.getByLabel(msg('library.search')).press('Enter');
      await atPage(page, msg('library.found', { search: 'bridge' }));
      const silent = page.locator('.library-main').getByText(msg('problem.unreachable'));
      await silent.waitFor();
      await page.getByRole('button', { name: msg('upload.menu'), exact: true }).click();
      await page.getByRole('menuitem', { name: msg('library.newFolder') }).click();
      const dialog = page.getByRole('dialog');
      const name = dialog.getByLabel(msg('library.folderName'));
      await name.fill('Site C');
      await dialog.getByRole('button', { name: msg('action.save') }).click();
      await dialog.getByText(msg('problem.unreachable')).waitFor();
      assert.equal(await name.inputValue(), 'Site C');

      await node.start();
      await fast();
      await relay.reconnect();
      await lost.waitFor({ state: 'detached' });
      await silent.waitFor({ state: 'detached' });
      await page.getByText(msg('library.noneFound')).waitFor();
      await page.getByText(msg('upload.finished', { count: 4 }), { exact: true }).waitFor();
      assert.equal(await countOf(world, user.id), 4);
      await dialog.getByRole('button', { name: msg('action.save') }).click();
      await dialog.waitFor({ state: 'detached' });
      await page.getByRole('treeitem', { name: 'Site C' }).waitFor();
    },
  );

  test('a disabled console is 404, and the command says why', async () => {
    const node = await second();
    await node.stop();
    await node.start({ 'console.enabled': false });
    for (const path of ['/console', '/console/', '/console/settings.json']) {
      const answer = await fetch(`${node.url}${path}`, { redirect: 'manual' });
      const { error } = (await answer.json()) as { error?: { code?: string } };
      assert.deepEqual([answer.status, error?.code], [404, 'not_found'], path);
    }
    const page = async (url: string): Promise<string> => (await fetch(url)).text();
    assert.match(await page(service.service.url), /href="console\/"/);
    assert.doesNotMatch(await page(node.url), /console/i);

    const home = ['--home', service.home.dir, '--database-url', databaseUrlOf(service)];
    const env = { IMGSTORE_CONSOLE_ENABLED: 'false' };
    const ran = await hosted(['console', ...home], { env });
    assert.notEqual(ran.code, 0);
    assert.match(ran.stderr, /console\.enabled/);
    assert.equal(ran.stdout, '');
  });
}
