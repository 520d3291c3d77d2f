import assert from 'node:assert/strict';
import axe from 'axe-core';
import type { AxeResults, RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';

/** Nothing is collected of what is all right. */
const options: RunOptions = { resultTypes: ['violations'] };

/** Fails on what axe finds serious or critical on a page as it is. */
export async function assertAccessible(page: Page, where = page.url()): Promise<void> {
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate(
    (given) =>
      (globalThis as unknown as { axe: { run(how: RunOptions): Promise<AxeResults> } }).axe.run(
        given,
      ),
    options,
  );
  const grave = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
  const told = grave.map(({ id, nodes }) =>
    nodes
      .map(({ html, failureSummary }) => `${where}: ${id}: ${html} ${failureSummary}`)
      .join('\n'),
  );
  assert.deepEqual(told, []);
}
