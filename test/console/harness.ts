import { msg } from './words.js';
import assert from 'node:assert/strict';
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
    const service = await ownService(scope);
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
  /** Options for a separate browser context. */
  readonly browser?: BrowserContextOptions;
  /** Throttles the page from its first request on. */
  readonly network?: Network;
}

/** A quarter of the pixels in the same layout: without a graphics card, drawing takes most of the time. */
const usual = {
  locale: 'en-US',
  viewport: { width: 1280, height: 800 },
  deviceScaleFactor: 0.5,
  reducedMotion: 'reduce',
} as const;

const shared = new WeakMap<Browser, Promise<BrowserContext>>();

/** The default context, whose script cache is shared; it ends with the browser. */
function sharedContext(browser: Browser): Promise<BrowserContext> {
  const context = shared.get(browser) ?? browser.newContext(usual);
  shared.set(browser, context);
  return context;
}

/** Timeout of each step: a machine busy with other tests takes many times as long as usual. */
const patienceMs = 120_000;

/** A page that is closed with its scope; so is the session that its tab keeps. */
async function newPage(browser: Browser, scope: Scope, options?: BrowserContextOptions) {
  if (!options) {
    const page = await (await sharedContext(browser)).newPage();
    scope.after(() => page.close());
    return page;
  }
  const context = await browser.newContext({ ...usual, ...options });
  scope.after(() => context.close());
  return context.newPage();
}

/** Failed requests, which the page handles, are not errors of the page. */
const expected = /^Failed to load resource/;

/** Opens the console like a user, and signs in if a token is given. */
export async function openConsole(
  { browser, url }: ConsoleWorld,
  scope: Scope,
  { path = '/', token, browser: options, network }: Opening = {},
): Promise<OpenPage> {
  const page = await newPage(browser, scope, options);
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
  await page.goto(`${url}${path}`);
  if (token !== undefined) await signIn(page, token);
  return { page, problems };
}

export async function signIn(page: Page, token: string): Promise<void> {
  await page.getByLabel(msg('signIn.token')).fill(token);
  await page.getByRole('button', { name: msg('action.signIn') }).click();
  await page.locator('#page').waitFor();
}

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

export function assertNoProblems(problems: readonly string[]): void {
  assert.deepEqual(problems, []);
}

/** The database URL, for commands on the same installation. */
export const databaseUrlOf = ({ db }: TestService): string =>
  (db.options as { readonly url?: string }).url ?? '';
