import { guarded } from '../guarded.js';
import { minuteMs } from '../units.js';

/** Longest time for an orderly stop after an uncaught error, in milliseconds. */
const finishMs = minuteMs;

/**
 * From now on catches errors that nothing else caught, thrown outside a promise or by a promise
 * that nothing awaits. The process can no longer be trusted: the first such error aborts the
 * returned signal, so that running work is finished and the process ends; if that takes too long,
 * it exits with 1.
 * @param log logs each of them.
 */
export function onUncaught(log: (error: unknown) => void): AbortSignal {
  const broken = new AbortController();
  const handle = (error: unknown): void => {
    log(error);
    if (broken.signal.aborted) return;
    const exit = (): void => process.exit(1);
    setTimeout(guarded(exit, exit), finishMs).unref();
    broken.abort(error);
  };
  // If this throws as well, there is nowhere left to report it.
  const caught = guarded(() => process.exit(1), handle);
  process.on('uncaughtException', caught);
  process.on('unhandledRejection', caught);
  return broken.signal;
}
