import { setTimeout as delay } from 'node:timers/promises';
import { minuteMs, secondMs } from '../../src/base/units.js';
import { atPage, openConsole } from '../../test/console/harness.js';
import { msg } from '../../test/console/words.js';
import type { Member } from '../../testkit/world.js';
import { ownWindow, problemsIn, stock, Traffic, type Desk, type Section } from './traffic.js';

/** Between what somebody does, and between uploads of others. */
const [pauseMs, uploadMs] = [20 * secondMs, 10 * secondMs];
/** Requests that follow what somebody does within this time are taken for its. */
const ownMs = 2 * secondMs;

/** Requests of the console while somebody looks at pictures and another client uploads: one for each ten seconds at most. */
export async function workBesideUploads(desk: Desk, minutes: number): Promise<Section> {
  const user = await desk.tenant.user();
  await stock(desk, user);
  const opening = { ...ownWindow, path: '/library', token: user.token };
  const { page, problems } = await openConsole(desk, desk.scope, opening);
  await page.locator('.tile img').first().waitFor();
  await delay(3 * secondMs);
  const traffic = new Traffic(page);
  const { keyboard, mouse } = page;
  const acts: (() => Promise<unknown>)[] = [
    async () => {
      await mouse.move(640, 400);
      for (let turn = 0; turn < 5; turn += 1) await mouse.wheel(0, 300);
    },
    async () => {
      await page.locator('.tile:has(img)').first().click();
      await page.locator('.shot img:not(.waiting)').nth(1).waitFor();
    },
    () => keyboard.press('ArrowRight'),
    async () => {
      await keyboard.press('Escape');
      await atPage(page, msg('library.all'));
    },
    async () => {
      await page.getByLabel(msg('library.search')).fill('Harbour Road 17');
      await keyboard.press('Enter');
      await atPage(page, msg('library.found', { search: 'Harbour Road 17' }));
    },
    async () => {
      await page.goBack();
      await atPage(page, msg('library.all'));
    },
    () => page.getByRole('treeitem', { name: 'Site A' }).click(),
    () => page.getByRole('link', { name: msg('library.title'), exact: true }).click(),
  ];
  const end = performance.now() + minutes * minuteMs;
  const uploading = uploadUntil(end, user);
  let [done, own] = [0, 0];
  for (; performance.now() < end; done += 1) {
    const before = traffic.requests;
    await acts[done % acts.length]?.();
    await delay(ownMs);
    own += traffic.requests - before;
    await delay(Math.max(0, Math.min(pauseMs - ownMs, end - performance.now())));
  }
  const uploads = await uploading;
  const { requests, bytes, asked } = traffic;
  const most = Math.round((minutes * minuteMs) / uploadMs);
  const kb = (of: number): string => `${Math.round(of / 1_000)} KB`;
  const findings = problemsIn(problems);
  if (requests > most) findings.push(`${requests} requests, more than ${most}`);
  return {
    head: [`${minutes} min, ${done} acts beside ${uploads} uploads`, 'Requests'],
    rows: [
      ['all of the API', `${requests}, ${kb(bytes.api)} (goal: ${most})`],
      [`of them within ${ownMs / secondMs} s of an act`, String(own)],
      ...[...asked].sort((a, b) => b[1] - a[1]).map(([what, count]) => [what, String(count)]),
      ['beside them, pictures', kb(bytes.pictures)],
      ['beside them, the console itself', kb(bytes.frame)],
    ],
    findings,
  };
}

/** Uploads into the folders, one picture every few seconds. @returns how many. */
async function uploadUntil(end: number, user: Member): Promise<number> {
  const into = await user.folders();
  let count = 0;
  for (; performance.now() < end; count += 1) {
    await user.upload({ folder_id: into[count % into.length]?.id ?? '' });
    await delay(uploadMs);
  }
  return count;
}
