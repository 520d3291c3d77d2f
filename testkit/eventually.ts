import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';

/**
 * Polls until `holds` returns true, for at most `ms`. The default timeout is generous even for slow
 * machines: it costs time only if the condition never holds.
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
