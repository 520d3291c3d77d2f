import { guarded } from '../guard.js';
import { minuteMs, secondMs } from '../units.js';

/** How far the wall clock may part from the monotonic one before it counts as set, in milliseconds. */
const toleranceMs = minuteMs;

/** Milliseconds between two looks: short, because a clock may be set back for a moment only. */
const lookMs = secondMs;

const offset = (): number => Date.now() - performance.now();

/**
 * Notices when somebody sets the wall clock, whichever way: timers that were armed for a time of
 * the old clock would come hours late.
 *
 * @param onFailure told what `onSet` threw.
 * @param onSet told by how many milliseconds the clock has moved ahead; negative when set back.
 */
export function watchClock(onSet: (aheadMs: number) => void, onFailure: (error: unknown) => void) {
  let known = offset();
  const look = guarded(onFailure, () => {
    const ahead = offset() - known;
    if (Math.abs(ahead) <= toleranceMs) return;
    known += ahead;
    onSet(Math.round(ahead));
  });
  const timer = setInterval(look, lookMs);
  return { stop: (): void => clearInterval(timer) };
}
