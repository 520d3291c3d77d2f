import assert from 'node:assert/strict';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import type { Scope } from '../../testkit/scope.js';
import type { TestService } from '../../testkit/service.js';

/** What the tests of the console share: one service and one browser. */
export interface ConsoleWorld {
  readonly service: TestService;
  readonly browser: Browser;
  /** Where the console is. */
  readonly url: string;
}

export interface OpenPage {
  readonly page: Page;
  /** What the browser had to complain of: errors, violations of the policy, requests elsewhere. */
  readonly problems: string[];
}

interface Opening {
  /** As after `/console`. */
  readonly path?: string;
  readonly token?: string;
  /** For a context of its own. */
  readonly browser?: BrowserContextOptions;
}

/** A quarter of the pixels in the same layout: without a graphics card, most time goes to drawing. */
const usual = {
  locale: 'en-US',
  viewport: { width: 1280, height: 800 },
  deviceScaleFactor: 0.5,
  reducedMotion: 'reduce',
} as const;

const shared = new WeakMap<Browser, Promise<BrowserContext>>();

/** The context of all who want no special one: they share its cache of scripts. Ends with the browser. */
function sharedContext(browser: Browser): Promise<BrowserContext> {
  const context = shared.get(browser) ?? browser.newContext(usual);
  shared.set(browser, context);
  return context;
}

/** For each step: a machine that is busy with other tests takes many times as long as usual. */
const patienceMs = 120_000;

/** A page that is closed with its scope; a token is only in the page's memory, and goes with it. */
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

/** A failed request is for the page to tell, and no error of the page. */
const expected = /^Failed to load resource/;

/** Opens the console as a reader would, who has pasted a token if one is given. */
export async function openConsole(
  { browser, url }: ConsoleWorld,
  scope: Scope,
  { path = '/', token, browser: options }: Opening = {},
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
  await page.goto(`${url}${path}`);
  if (token !== undefined) await signIn(page, token);
  return { page, problems };
}

export async function signIn(page: Page, token: string): Promise<void> {
  await page.getByLabel('Access token').fill(token);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.locator('#page').waitFor();
}

/** Waits for the headline of a page. */
export const atPage = (page: Page, title: string): Promise<void> =>
  page.getByRole('heading', { level: 1, name: title }).waitFor();

export function assertNoProblems(problems: readonly string[]): void {
  assert.deepEqual(problems, []);
}

/** For commands on the same installation. */
export const databaseUrlOf = ({ db }: TestService): string =>
  (db.options as { readonly url?: string }).url ?? '';
