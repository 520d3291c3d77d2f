import { setTimeout as delay } from 'node:timers/promises';

/** Thrown in place of an answer that takes too long. */
export class TooLate extends Error {
  override readonly name = 'TooLate';
  constructor(readonly ms: number) {
    super(`no answer within ${ms} ms`);
  }
}

/** Waits for work no longer than this; the work itself goes on. @throws TooLate */
export async function withinTime<T>(
  ms: number,
  work: Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  const done = new AbortController();
  const stop = signal ? AbortSignal.any([done.signal, signal]) : done.signal;
  const late = delay(ms, undefined, { signal: stop }).then(() => Promise.reject(new TooLate(ms)));
  work.catch(() => undefined); // if it fails after that
  try {
    return await Promise.race([work, late]);
  } finally {
    done.abort();
    late.catch(() => undefined);
  }
}
