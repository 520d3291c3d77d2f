import { chromium } from 'playwright-core';
import type { Browser } from 'playwright-core';
import { ensureInstalled, installed } from './installed.js';
import type { Scope } from './scope.js';

const programs = ['chromium'];

/** As root, installs the distribution's Chromium with apt; otherwise its tests are skipped. */
export async function ensureChromium(report: (message: string) => void): Promise<void> {
  if (process.getuid?.() !== 0) return;
  const packages = ['chromium', 'fonts-noto-cjk'];
  await ensureInstalled({ purpose: 'The tests in a browser', programs, packages }, report);
}

/** Options for tests that need a browser. */
export const needsChromium: { skip?: string } =
  process.getuid?.() === 0 || (await installed(programs))
    ? {}
    : { skip: 'needs the package chromium, and root to install it' };

/** A browser that is closed with its scope. */
export async function openChromium(scope: Scope): Promise<Browser> {
  await ensureChromium(() => undefined);
  const browser = await chromium.launch({
    executablePath: '/usr/bin/chromium',
    // Its sandbox does not start as root, and all pages are our own. Without a graphics card,
    // SwiftShader draws maps. Pages of one context share a process and its compiled code: a process
    // for each page would take a third of the whole run.
    args: [
      '--no-sandbox',
      '--disable-dev-shm-usage',
      '--enable-unsafe-swiftshader',
      '--renderer-process-limit=1',
    ],
  });
  scope.after(() => browser.close());
  return browser;
}
