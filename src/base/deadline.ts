import { guarded, ignore } from './guarded.js';

/**
 * Runs `work` with a signal that aborts when `signal` does, or after `ms` milliseconds.
 *
 * AbortSignal.any() with AbortSignal.timeout() does not work here: Node.js 20 collects the timeout
 * as garbage while others wait for it, so it never fires. Lint forbids it.
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
