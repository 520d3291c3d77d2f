import type { Page } from 'playwright-core';
import sharp from 'sharp';

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

/** Hides what floats over the map. The policy of the page forbids style elements, not style sheets. */
const hidePanels = `
  const sheet = new CSSStyleSheet();
  sheet.replaceSync('.map-panel, .map-legend, .maplibregl-ctrl { visibility: hidden }');
  document.adoptedStyleSheets = [sheet];`;

/** The pixels of the map once it is drawn, without what floats over it: three bytes each. */
export async function mapPixels(page: Page) {
  const map = page.locator('.map-view[aria-busy=false]');
  await map.waitFor();
  await page.evaluate(hidePanels);
  const picture = sharp(await map.locator('canvas').screenshot());
  return picture.removeAlpha().raw().toBuffer({ resolveWithObject: true });
}
