import { guarded } from '../guarded.js';
import { minuteMs, secondMs } from '../units.js';

/**
 * How far the wall clock may diverge from the monotonic one before it counts as set, in
 * milliseconds.
 */
const toleranceMs = minuteMs;

/** Milliseconds between two checks: short, because a clock may be set back only briefly. */
const pollMs = secondMs;

const offset = (): number => Date.now() - performance.now();

/**
 * Detects when the wall clock is set, in either direction: timers armed for a time of the old clock
 * would fire hours late.
 *
 * @param onFailure receives what `onSet` threw.
 * @param onSet receives how many milliseconds the clock moved ahead; negative if it was set back.
 */
export function watchClock(onSet: (aheadMs: number) => void, onFailure: (error: unknown) => void) {
  let known = offset();
  const check = guarded(onFailure, () => {
    const ahead = offset() - known;
    if (Math.abs(ahead) <= toleranceMs) return;
    known += ahead;
    onSet(Math.round(ahead));
  });
  const timer = setInterval(check, pollMs);
  return { stop: (): void => clearInterval(timer) };
}
