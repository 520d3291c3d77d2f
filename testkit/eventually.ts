import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { runInNewContext } from 'node:vm';
import { minuteMs } from '../src/base/units.js';

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

/**
 * Runs `work`, and stops it after a minute: for what takes a moment, or, were it quadratic, hours.
 * @throws Error if it is stopped.
 */
export const endsSoon = <T>(work: () => T): T =>
  runInNewContext('work()', { work }, { timeout: minuteMs }) as T;
