import { secondMs } from '../../base/units.js';

/** Time between two reports of one step. */
const intervalMs = 5 * secondMs;

/** Limits reports to one message every few seconds; skipped messages are not built. */
export function throttled(report: (message: string) => void): (message: () => string) => void {
  let last = performance.now();
  return (message) => {
    if (performance.now() - last < intervalMs) return;
    last = performance.now();
    report(message());
  };
}
