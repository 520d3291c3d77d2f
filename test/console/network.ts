import type { Page } from 'playwright-core';

/** Bytes per second, and milliseconds of delay. */
export interface Network {
  readonly up: number;
  readonly down: number;
  readonly latency: number;
}

/** As telephones have it where many share a cell. */
export const mobile: Network = { up: 190_000, down: 1_100_000, latency: 80 };

/** Slow enough for something to happen while a photograph is sent. */
export const crawling: Network = { up: 20_000, down: 1_100_000, latency: 0 };

/** Has a page send and receive no faster. @returns what ends that. */
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
