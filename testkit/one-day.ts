import { setTimeout as delay } from 'node:timers/promises';
import { dayMs, secondMs } from '../src/base/units.js';

/** More than a test file takes, even on a machine under load. */
const neededMs = 180 * secondMs;

/** For tests that must not run across midnight UTC: if it is near, waits until it has passed. */
export async function withinOneDay(): Promise<void> {
  const left = dayMs - (Date.now() % dayMs);
  if (left < neededMs) await delay(left);
}
