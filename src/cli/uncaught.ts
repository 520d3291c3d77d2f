import { guarded } from '../guard.js';
import { minuteMs } from '../units.js';

/** Longest time that finishing may take after an error that nobody caught, in milliseconds. */
const finishMs = minuteMs;

/**
 * Hears from now on of errors that nobody caught: thrown outside of a promise, or by one that nobody
 * waits for. The process cannot be trusted from then on: the first one aborts the answered signal, so
 * that what runs is finished and the process ends; when that takes too long it ends anyhow, with 1.
 * @param tell puts each of them into the log.
 */
export function onUncaught(tell: (error: unknown) => void): AbortSignal {
  const broken = new AbortController();
  const hear = (error: unknown): void => {
    tell(error);
    if (broken.signal.aborted) return;
    const exit = (): void => process.exit(1);
    setTimeout(guarded(exit, exit), finishMs).unref();
    broken.abort(error);
  };
  // What even this throws has nowhere else to go.
  const caught = guarded(() => process.exit(1), hear);
  process.on('uncaughtException', caught);
  process.on('unhandledRejection', caught);
  return broken.signal;
}
