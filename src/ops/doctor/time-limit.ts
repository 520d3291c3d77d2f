import { setTimeout as delay } from 'node:timers/promises';

/** Thrown if an answer takes too long. */
export class TooLate extends Error {
  override readonly name = 'TooLate';
  constructor(readonly ms: number) {
    super(`no answer within ${ms} ms`);
  }
}

/** Waits for work no longer than this; the work itself continues. @throws TooLate */
export async function withinTime<T>(
  ms: number,
  work: Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  const done = new AbortController();
  const stop = signal ? AbortSignal.any([done.signal, signal]) : done.signal;
  const late = delay(ms, undefined, { signal: stop }).then(() => Promise.reject(new TooLate(ms)));
  work.catch(() => undefined); // it may fail after the timeout
  try {
    return await Promise.race([work, late]);
  } finally {
    done.abort();
    late.catch(() => undefined);
  }
}
