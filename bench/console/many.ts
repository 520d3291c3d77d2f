import { setTimeout as delay } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { openConsole } from '../../test/console/harness.js';
import { msg } from '../../test/console/words.js';
import { seedFolder, seedImages } from '../../testkit/image-rows.js';
import { Random } from '../../testkit/random.js';
import type { Member } from '../../testkit/world.js';
import { figure } from '../harness/report.js';
import { report } from '../private-service.js';
import { ownWindow, problemsIn, Traffic, type Desk, type Section } from './traffic.js';

const [days, folders] = [800, 200];
/** Rows of one statement. */
const atOnce = 1_000;
const screens = 50;
/** Where the line of years and months is clicked, from its top. */
const places = [0.5, 0.9, 0.2, 0.7, 0.35, 0.99, 0.05, 0.6];
const patienceMs = 1_200_000;

const title = (n: number): string => `Site ${String(n).padStart(3, '0')}`;

/** Rows without files. */
async function seed({ db }: Desk, user: Member, count: number): Promise<void> {
  const random = new Random(1);
  const ids: string[] = [];
  for (let n = 0; n < folders; n += 1) ids.push(await seedFolder({ db }, user, title(n)));
  for (let from = 0; from < count; from += atOnce) {
    const rows = Array.from({ length: Math.min(atOnce, count - from) }, () => {
      const at = Date.UTC(2024, 0, 1, 1, random.below(600)) + 86_400_000 * random.below(days);
      const taken_at = new Date(at).toISOString();
      const folder_id = random.of(ids) ?? '';
      const place = [
        37.5 + random.below(1_000) / 5_000,
        127 + random.below(1_000) / 5_000,
      ] as const;
      return { taken_at, created_at: taken_at, folder_id, place, width: 4_000, height: 3_000 };
    });
    await seedImages({ db }, user, rows);
  }
  await db.query('UPDATE users SET max_storage_bytes = 1e15 WHERE id = $1', [user.id]);
  await db.query('ANALYZE');
}

/** When the first tile with a picture is drawn, in milliseconds since the navigation. */
const watchFirst = `
  new MutationObserver((_, observer) => {
    if (!document.querySelector('.tile img')) return;
    observer.disconnect();
    requestAnimationFrame(() => (window.firstTile = performance.now()));
  }).observe(document, { subtree: true, childList: true });`;

const recordFrames = `
  window.frames = [];
  window.recording = true;
  const tick = (last) => (now) => {
    window.frames.push(now - last);
    if (window.recording) requestAnimationFrame(tick(now));
  };
  requestAnimationFrame((now) => requestAnimationFrame(tick(now)));`;

/** Until something holds, looking at each frame. */
const once = (holds: string): string =>
  `new Promise((resolve) => {
    const look = () => ((${holds}) ? resolve() : requestAnimationFrame(look));
    look();
  })`;

/** The page is elsewhere, and each tile in the window is known. */
const isDrawnAwayFrom = (y: number): string => `
  scrollY !== ${y} && (() => {
    const tiles = [...document.querySelectorAll('.tile')].filter((tile) => {
      const { top, bottom } = tile.getBoundingClientRect();
      return bottom > 0 && top < innerHeight;
    });
    return tiles.length > 0 && tiles.every((tile) => tile.querySelector('img'));
  })()`;

const at = (numbers: readonly number[], share: number): number =>
  numbers.toSorted((a, b) => a - b)[Math.floor((numbers.length - 1) * share)] ?? NaN;

async function msOf(act: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await act();
  return performance.now() - began;
}

async function jump(page: Page, share: number): Promise<number> {
  const box = await page.getByRole('slider', { name: msg('library.time') }).boundingBox();
  const y = await page.evaluate<number>('scrollY');
  const { x, y: top, width, height } = box ?? { x: 0, y: 0, width: 0, height: 0 };
  return msOf(async () => {
    await page.mouse.click(x + width / 2, top + height * share);
    await page.evaluate(once(isDrawnAwayFrom(y)));
  });
}

/** How the console deals with many pictures. */
export async function browse(desk: Desk, count: number): Promise<Section> {
  const user = await desk.tenant.user();
  report(`Creating ${count} pictures`);
  await seed(desk, user, count);
  const rows: string[][] = [];
  const found = (what: string, unit: string, ...figures: readonly number[]): void => {
    rows.push([what, `${figures.map(figure).join(', ')} ${unit}`]);
    report(rows.at(-1)?.join(': ') ?? '');
  };
  let first: Traffic | undefined;
  const { page, problems } = await openConsole(desk, desk.scope, {
    ...ownWindow,
    path: '/library',
    token: user.token,
    before: (opened) => {
      first = new Traffic(opened);
      return opened.addInitScript(watchFirst);
    },
  });
  page.setDefaultTimeout(patienceMs);
  await page.evaluate(once('window.firstTile'));
  found('first picture of the grid', 'ms', await page.evaluate<number>('window.firstTile'));
  await delay(2_000); // what follows; the feed of changes stays open
  const { requests = NaN, bytes = { frame: NaN, api: NaN } } = first ?? {};
  found('first load: the console, answers of the API', 'KB', bytes.frame / 1e3, bytes.api / 1e3);
  rows.push(['first load: requests of the API', String(requests)]);

  await page.mouse.move(640, 400);
  await page.evaluate(recordFrames);
  for (let n = 0; n < screens; n += 1) {
    await page.mouse.wheel(0, 800);
    await delay(100);
  }
  const frames = await page.evaluate<number[]>('window.recording = false, window.frames');
  found(`frames of ${screens} screens: p50, p95`, 'ms', at(frames, 0.5), at(frames, 0.95));
  const jumps: number[] = [];
  for (const share of places) jumps.push(await jump(page, share));
  found('jump until tiles are drawn: p50, longest', 'ms', at(jumps, 0.5), at(jumps, 1));

  await page.getByRole('grid').focus();
  /** Milliseconds from what is done until the page says this. */
  const until = (said: string, act: () => Promise<void>): Promise<number> =>
    msOf(async () => {
      await act();
      await page.getByText(said).last().waitFor();
    });
  const press = (name: string): Promise<void> => page.getByRole('button', { name }).last().click();
  const selecting = until(msg('library.selected', { count }), () =>
    page.keyboard.press('Control+a'),
  );
  found('select all', 'ms', await selecting);
  await page.keyboard.press('m');
  await page
    .getByRole('dialog')
    .getByRole('treeitem', { name: title(7) })
    .click();
  const moving = until(msg('library.moved', { count }), () => press(msg('action.moveHere')));
  found('move all to a folder', 's', (await moving) / 1e3);
  // Those that were in the folder before stay there.
  const undoing = until(msg('library.undone'), () => press(msg('action.undo')));
  found('take that back', 's', (await undoing) / 1e3);
  return { head: [`${count} pictures`, 'Figure'], rows, findings: problemsIn(problems) };
}
