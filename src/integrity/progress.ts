import { secondMs } from '../units.js';

/** Time between two reports of one step. */
const intervalMs = 5 * secondMs;

/** Passes on at most one message every few seconds, and makes only those. */
export function occasionally(report: (message: string) => void): (message: () => string) => void {
  let last = performance.now();
  return (message) => {
    if (performance.now() - last < intervalMs) return;
    last = performance.now();
    report(message());
  };
}
