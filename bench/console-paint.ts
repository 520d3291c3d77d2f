// npm run build && node dist/bench/console-paint.js [--rounds 20]: the time that a browser without a cache
// takes until the first paint of the console, and until a token can be typed.
import { rm } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import type { Browser } from 'playwright-core';
import { openChromium } from '../testkit/chromium.js';
import { Started } from '../testkit/scope.js';
import { BenchService } from './harness/bench-service.js';
import { openDirectory } from './private-service.js';

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '20' } } });

interface Loaded {
  readonly paint: number;
  readonly interactive: number;
}

/** Waits in the browser for both events; milliseconds since the page was requested. */
const times = `(async () => {
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  while (document.activeElement?.type !== 'password') await frame();
  const interactive = performance.now();
  const first = () => performance.getEntriesByName('first-contentful-paint')[0];
  while (!first()) await frame();
  return { paint: first().startTime, interactive };
})()`;

async function load(browser: Browser, url: string): Promise<Loaded> {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(url, { waitUntil: 'commit' });
  const loaded = await page.evaluate<Loaded>(times);
  await context.close();
  return loaded;
}

function report(what: string, times: readonly number[]): void {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number): string =>
    (sorted[Math.floor(share * (sorted.length - 1))] ?? 0).toFixed(0);
  console.log(`| ${what} | ${at(0.5)} | ${at(0.95)} |`);
}

const scope = new Started();
try {
  const dir = await openDirectory('imgstore-console-');
  scope.after(() => rm(dir, { recursive: true, force: true }));
  const service = await BenchService.open(dir);
  scope.after(service.stop);
  const browser = await openChromium(scope);
  const loads: Loaded[] = [];
  // The first load is not counted: the programs are cold.
  for (let round = 0; round <= Number(values.rounds); round += 1) {
    const loaded = await load(browser, `${service.url}/console/`);
    if (round > 0) loads.push(loaded);
  }
  console.log('| Console, ms | p50 | p95 |\n|---|---:|---:|');
  report(
    'first paint',
    loads.map(({ paint }) => paint),
  );
  report(
    'ready for a token',
    loads.map(({ interactive }) => interactive),
  );
} finally {
  await scope.end();
}
