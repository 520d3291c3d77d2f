import { chromium, type Browser, type LaunchOptions } from 'playwright-core';
import { needs, programs } from './programs.js';
import type { Scope } from './scope.js';

/** Options for tests that need a browser. */
export const needsChromium = await needs(programs.chromium);

/** A browser that is closed with its scope, and by Ctrl-C, which then ends the process unless `options` say no. */
export async function openChromium(scope: Scope, options: LaunchOptions = {}): Promise<Browser> {
  await programs.chromium.install(() => undefined);
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
    ...options,
  });
  scope.after(() => browser.close());
  return browser;
}
