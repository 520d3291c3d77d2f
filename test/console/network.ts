import type { Page } from 'playwright-core';

/** Throughput in bytes per second, and latency in milliseconds. */
export interface Network {
  readonly up: number;
  readonly down: number;
  readonly latency: number;
}

/** Like a phone in a busy cell. */
export const mobile: Network = { up: 190_000, down: 1_100_000, latency: 80 };

/** Like a phone where there is only 3G, far from the server. */
export const threeG: Network = { up: 93_750, down: 200_000, latency: 300 };

/** Slow enough that tests can act while a photograph is being sent. */
export const crawling: Network = { up: 20_000, down: 1_100_000, latency: 0 };

/** Throttles a page. @returns a function that ends this. */
export async function slow(
  page: Page,
  { up, down, latency }: Network,
): Promise<() => Promise<void>> {
  const session = await page.context().newCDPSession(page);
  const emulate = async (uploadThroughput: number, downloadThroughput: number, delay: number) => {
    const limits = { uploadThroughput, downloadThroughput, latency: delay };
    await session.send('Network.emulateNetworkConditions', { offline: false, ...limits });
  };
  await session.send('Network.enable');
  await emulate(up, down, latency);
  return () => emulate(-1, -1, 0);
}
