import assert from 'node:assert/strict';
import axe from 'axe-core';
import type { AxeResults, RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';

/** Collects only violations, not passed checks. */
const options: RunOptions = { resultTypes: ['violations'] };

/** Fails if axe finds serious or critical violations on the page in its current state. */
export async function assertAccessible(page: Page, where = page.url()): Promise<void> {
  if (!(await page.evaluate<boolean>('"axe" in globalThis'))) await page.evaluate(axe.source);
  const { violations } = await page.evaluate(
    (given) =>
      (globalThis as unknown as { axe: { run(how: RunOptions): Promise<AxeResults> } }).axe.run(
        given,
      ),
    options,
  );
  const grave = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
  const failures = grave.map(({ id, nodes }) =>
    nodes
      .map(({ html, failureSummary }) => `${where}: ${id}: ${html} ${failureSummary}`)
      .join('\n'),
  );
  assert.deepEqual(failures, []);
}
