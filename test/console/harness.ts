import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, describe } from 'node:test';
import type {
  Browser,
  BrowserContext,
  BrowserContextOptions,
  Locator,
  Page,
} from 'playwright-core';
import { eventually } from '../../testkit/eventually.js';
import { needsChromium, openChromium } from '../../testkit/chromium.js';
import { lastFirst } from '../../testkit/scope.js';
import type { Scope } from '../../testkit/scope.js';
import { ownService } from '../../testkit/service.js';
import type { TestService } from '../../testkit/service.js';
import { slow, type Network } from './network.js';
import { msg } from './words.js';

/** The service and the browser that all tests of the console share. */
export interface ConsoleWorld {
  readonly service: TestService;
  readonly browser: Browser;
  /** URL of the console. */
  readonly url: string;
}

/** Tests with one service and one browser: starting a browser costs more than most tests. */
export function describeConsole(name: string, defineTests: (world: ConsoleWorld) => void): void {
  describe(name, needsChromium, async () => {
    if (needsChromium.skip !== undefined) return;
    const scope = lastFirst({ after });
    const service = await ownService(scope, { 'trash.retention_days': '30' });
    const browser = await openChromium(scope);
    defineTests({ service, browser, url: `${service.service.url}/console` });
  });
}

export interface OpenPage {
  readonly page: Page;
  /** Problems in the browser: errors, violations of the policy, requests to other servers. */
  readonly problems: string[];
}

interface Opening {
  /** The part of the path after `/console`. */
  readonly path?: string;
  readonly token?: string;
  /** Options of its browser context. */
  readonly browser?: BrowserContextOptions;
  /** For a context that the page changes: goes offline, remembers choices, opens other pages. */
  readonly own?: boolean;
  /** Throttles the page from its first request on. */
  readonly network?: Network;
  /** Is done before the first request of the page. */
  readonly before?: (page: Page) => Promise<unknown>;
}

/** Windows as narrow as those of phones, and browsers of phones. */
export const narrow = { viewport: { width: 390, height: 844 } } as const;
export const phone = { ...narrow, hasTouch: true, isMobile: true } as const;

const usual = {
  locale: 'en-US',
  viewport: { width: 1280, height: 800 },
  // A quarter of the pixels in the same layout: without a graphics card, drawing takes most of the time.
  deviceScaleFactor: 0.5,
  reducedMotion: 'reduce',
  // Routes of tests do not see what one answers.
  serviceWorkers: 'block',
} as const;

/** Contexts by their options: what they have compiled and cached is shared. They end with the browser. */
const shared = new WeakMap<Browser, Map<string, Promise<BrowserContext>>>();

function sharedContext(browser: Browser, options: BrowserContextOptions): Promise<BrowserContext> {
  const contexts = shared.get(browser) ?? new Map<string, Promise<BrowserContext>>();
  shared.set(browser, contexts);
  const key = JSON.stringify(options);
  const context = contexts.get(key) ?? browser.newContext({ ...usual, ...options });
  contexts.set(key, context);
  return context;
}

/** Timeout of each step: a machine busy with other tests takes many times as long as usual. */
const patienceMs = 120_000;

/** A page that is closed with its scope; so is the session that its tab keeps. */
async function newPage(browser: Browser, scope: Scope, { own, browser: options = {} }: Opening) {
  if (!own) {
    const page = await (await sharedContext(browser, options)).newPage();
    scope.after(() => page.close());
    return page;
  }
  const context = await browser.newContext({ ...usual, ...options });
  scope.after(() => context.close());
  return context.newPage();
}

/** Failed requests, which the page handles, are not errors of the page. */
const expected = /^Failed to load resource/;

/** Opens the console like a user, who is signed in if a token is given. */
export async function openConsole(
  { browser, url }: Pick<ConsoleWorld, 'browser' | 'url'>,
  scope: Scope,
  { path = '/', token, network, before, ...where }: Opening = {},
): Promise<OpenPage> {
  const page = await newPage(browser, scope, where);
  page.setDefaultTimeout(patienceMs);
  const problems: string[] = [];
  page.on('pageerror', ({ message }) => problems.push(message));
  page.on('console', (said) => {
    const text = said.text();
    if (said.type() === 'error' && !expected.test(text)) problems.push(text);
  });
  page.on('request', (request) => {
    const to = request.url();
    if (!to.startsWith(new URL(url).origin) && !/^(data|blob):/.test(to)) problems.push(to);
  });
  if (network) await slow(page, network);
  await before?.(page);
  if (token !== undefined) await page.addInitScript(signedInWith(token));
  await page.goto(`${url}${path}`);
  if (token !== undefined) await page.locator('#page').waitFor();
  return { page, problems };
}

/** As if the tab had signed in, and were loaded again: only once, since its pages may sign out. */
const signedInWith = (token: string): string => `
  if (!name) {
    name = 'signed in';
    sessionStorage.setItem('imgstore.token', '${token}');
  }`;

export async function signIn(page: Page, token: string): Promise<void> {
  await page.getByLabel(msg('signIn.token')).fill(token);
  await page.getByRole('button', { name: msg('action.signIn') }).click();
  await page.locator('#page').waitFor();
}

export const asksForToken = (page: Page): Promise<void> =>
  page.getByLabel(msg('signIn.token')).waitFor();

/** What the tab keeps over a reload. */
export const keptIn = (page: Page): Promise<string[]> =>
  page.evaluate<string[]>('Object.values(sessionStorage)');

/** Waits for the heading of a page. */
export const atPage = (page: Page, title: string): Promise<void> =>
  page.getByRole('heading', { level: 1, name: title }).waitFor();

type Box = NonNullable<Awaited<ReturnType<Locator['boundingBox']>>>;

/** Where an element stands once the page no longer moves it. */
export async function standing(element: Locator): Promise<Box> {
  let stands: Box | null = null;
  let seen = 0;
  await eventually('it stays where it is', async () => {
    const before = JSON.stringify(stands);
    stands = await element.boundingBox();
    seen = stands && JSON.stringify(stands) === before ? seen + 1 : 0;
    return seen === 10;
  });
  return stands as unknown as Box;
}

/** Tiles of images whose pictures have loaded. */
export const shownTiles = (page: Page): Locator =>
  page.locator('.tile').filter({ has: page.locator('img') });

/** Waits until a library says how many items it shows. */
export const counted = (page: Page, count: number): Promise<void> =>
  page
    .getByRole('status')
    .filter({ hasText: `${msg('library.count', { count })} ·` })
    .first()
    .waitFor();

/** Waits until these images are there and drawn. */
export const drawn = (page: Page, images: string): Promise<void> =>
  eventually(`${images} are drawn`, () =>
    page.evaluate<boolean>(
      `(() => {
         const images = [...document.querySelectorAll('${images}')];
         return images.length > 0 && images.every((one) => one.complete && one.naturalWidth > 0);
       })()`,
    ),
  );

/** The file that is saved by a button on the page. */
export async function saved(page: Page, section: string): Promise<string> {
  const button = page
    .getByRole('region', { name: section })
    .getByRole('button', { name: msg('statistics.csv') });
  const [download] = await Promise.all([page.waitForEvent('download'), button.click()]);
  return readFile(await download.path(), 'utf8');
}

export function assertNoProblems(problems: readonly string[]): void {
  assert.deepEqual(problems, []);
}

/** The database URL, for commands on the same installation. */
export const databaseUrlOf = ({ db }: TestService): string =>
  (db.options as { readonly url?: string }).url ?? '';
