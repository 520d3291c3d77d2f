import type { Page } from 'playwright-core';

/** The number of images in each bubble on the map. */
export const bubbleCounts = (page: Page): Promise<number[]> =>
  page
    .locator('.map-view [data-count]')
    .evaluateAll((bubbles) =>
      bubbles.map((bubble) => Number((bubble as unknown as Bubble).dataset.count)),
    );

interface Bubble {
  readonly dataset: { readonly count: string };
}

export const sum = (numbers: readonly number[]): number =>
  numbers.reduce((all, one) => all + one, 0);

export const waitForStatus = (page: Page, text: string): Promise<void> =>
  page.getByRole('status').filter({ hasText: text }).waitFor();
