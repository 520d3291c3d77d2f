import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { logged, proofOf, PublishedLog } from '../../../testkit/custody.js';
import { jpeg } from '../../../testkit/pictures.js';
import { temporaryDirectory } from '../../../testkit/temporary.js';
import { assertAccessible } from '../accessible.js';
import { assertNoProblems, type ConsoleWorld, openConsole } from '../harness.js';
import { koMsg, msg } from '../words.js';

/** Chooses files on the page that checks a proof. */
async function choose(page: Page, files: Readonly<Record<string, string | Buffer>>): Promise<void> {
  for (const [id, content] of Object.entries(files)) {
    const file = { name: id, mimeType: 'application/octet-stream', buffer: Buffer.from(content) };
    await page.locator(`#${id}`).setInputFiles(file);
  }
}

const verdict = (page: Page, text: string): Promise<void> =>
  page.getByRole('status').getByRole('heading', { name: text, exact: true }).waitFor();

/** Tests of the page that checks proofs in the browser alone. */
export function testChecking(world: ConsoleWorld): void {
  const { service } = world;
  const origin = service.service.url;

  async function proved() {
    const user = await (await service.platform()).user();
    const picture = await jpeg({ seed: randomInt(1_000_000) });
    const { id } = await user.upload(
      { latitude: '37.5', longitude: '127', address_road: '세종대로 110' },
      picture,
    );
    await logged(service.db);
    return { user, id, picture, proof: await proofOf(user, id) };
  }

  test('a proof is checked in the browser, which asks nobody', async (t) => {
    const { user, id, picture, proof } = await proved();
    const checkpoint = await PublishedLog.of(user.tenant).checkpoint();
    const { page, problems } = await openConsole({ ...world, url: origin }, t, { path: '/check' });
    const asked: string[] = [];
    page.on('request', (request) => {
      if (!request.url().includes('/assets/')) asked.push(request.url());
    });
    await choose(page, { proof, picture });
    await verdict(page, msg('check.good'));
    const status = page.getByRole('status');
    await status.getByText(id).waitFor();
    await status.getByText('["세종대로 110", null, null, null, null, null]').waitFor();
    await status.getByText(msg('check.compare')).waitFor();
    await assertAccessible(page);
    await choose(page, { checkpoint });
    await status.getByText(msg('check.same')).waitFor();

    await choose(page, { picture: await jpeg({ seed: 5 }) });
    await verdict(page, msg('check.bad'));
    await status.getByText(msg('check.otherPicture')).waitFor();
    await choose(page, { picture });
    await verdict(page, msg('check.good'));

    const at = proof.indexOf('\n content ') + 20;
    const changed = Buffer.from(proof);
    changed[at] = (changed[at] ?? 0) ^ 1;
    await choose(page, { proof: changed });
    await verdict(page, msg('check.bad'));

    await user.upload();
    await logged(service.db);
    await choose(page, { proof, checkpoint: await PublishedLog.of(user.tenant).checkpoint() });
    await status.getByText('The proof is of 1 entries, the checkpoint of 2').waitFor();
    await choose(page, { proof: 'anything' });
    await status.getByText('This is not a proof of imgstore.').waitFor();
    assert.deepEqual(asked, []);
    assertNoProblems(problems);
  });

  test('it is in Korean for who reads Korean, and works from a file', async (t) => {
    const { picture, proof } = await proved();
    const answer = await fetch(`${origin}/check`);
    assert.match(answer.headers.get('content-security-policy') ?? '', /^default-src 'none'/);
    const folder = await temporaryDirectory('check-page');
    t.after(() => rm(folder, { recursive: true, force: true }));
    await writeFile(join(folder, 'check.html'), await answer.text());
    const context = await world.browser.newContext({ locale: 'ko-KR', offline: true });
    t.after(() => context.close());
    const page = await context.newPage();
    await page.goto(`file://${join(folder, 'check.html')}`);
    await choose(page, { proof, picture });
    await verdict(page, koMsg('check.good'));
    await choose(page, { proof: proof.replace(/^ place .*$/m, ' place 1 2') });
    await verdict(page, koMsg('check.bad'));
    await page.getByText(koMsg('check.changed')).waitFor();
  });
}
