import { hourMs, minuteMs, secondMs } from '../units.js';

/** After each failed attempt, how long until the next one. */
const waits = [
  5 * secondMs,
  ...[5, 30].map((minutes) => minutes * minuteMs),
  ...[2, 5, 10, 14, 20, 24].map((hours) => hours * hourMs),
];

/** By which part of itself a wait is longer or shorter at most, so that not all come at once. */
const jitter = 0.2;

/**
 * @param failures attempts so far.
 * @returns milliseconds until the next one; undefined after the last.
 */
export function waitAfter(failures: number, random = Math.random()): number | undefined {
  const wait = waits[failures - 1];
  return wait && Math.round(wait * (1 + jitter * (2 * random - 1)));
}
