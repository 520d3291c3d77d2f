import { setTimeout as delay } from 'node:timers/promises';
import { dayMs, secondMs } from '../src/units.js';

/** More than a test file takes, also on a machine under load. */
const neededMs = 180 * secondMs;

/** For tests that must not pass midnight, in UTC: where it is near, waits until it is over. */
export async function withinOneDay(): Promise<void> {
  const left = dayMs - (Date.now() % dayMs);
  if (left < neededMs) await delay(left);
}
