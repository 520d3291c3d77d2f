import { guarded, ignore } from './guarded.js';

/**
 * Runs `work` with a signal that aborts as `signal` does, or after so many milliseconds.
 *
 * AbortSignal.any() with AbortSignal.timeout() is no way to do this: in Node.js 20, the timeout is
 * collected as garbage while others wait for it, and never comes. Lint refuses it.
 */
export async function withDeadline<T>(
  signal: AbortSignal,
  ms: number,
  work: (until: AbortSignal) => Promise<T>,
): Promise<T> {
  const late = new AbortController();
  const expire = (): void => late.abort(new DOMException(`not within ${ms} ms`, 'TimeoutError'));
  const timer = setTimeout(guarded(ignore, expire), ms);
  try {
    return await work(AbortSignal.any([signal, late.signal]));
  } finally {
    clearTimeout(timer);
  }
}
