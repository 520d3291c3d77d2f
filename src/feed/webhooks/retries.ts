import { hourMs, minuteMs, secondMs } from '../../base/units.js';

/** The wait after each failed attempt. */
const waits = [
  5 * secondMs,
  ...[5, 30].map((minutes) => minutes * minuteMs),
  ...[2, 5, 10, 14, 20, 24].map((hours) => hours * hourMs),
];

/** Maximum deviation of a wait, as a fraction of it, so that retries spread out. */
const jitter = 0.2;

/**
 * @param failures failed attempts so far.
 * @returns milliseconds until the next one; undefined after the last.
 */
export function waitAfter(failures: number, random = Math.random()): number | undefined {
  const wait = waits[failures - 1];
  return wait && Math.round(wait * (1 + jitter * (2 * random - 1)));
}
