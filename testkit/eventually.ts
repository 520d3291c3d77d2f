import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';

/**
 * Waits until `holds` does, at most `ms`; polls frequently. By default it gives up long after the slowest
 * machine: what never holds costs that time, what holds late costs nothing.
 */
export async function eventually(
  what: string,
  holds: () => boolean | Promise<boolean>,
  ms = 180_000,
): Promise<void> {
  const deadline = Date.now() + ms;
  while (!(await holds())) {
    assert.ok(Date.now() < deadline, `not within ${ms} ms: ${what}`);
    await delay(25);
  }
}
