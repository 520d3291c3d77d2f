import { setTimeout as delay } from 'node:timers/promises';
import { secondMs } from '../../base/units.js';

/** Thrown by a check that cannot be made; the reason completes "Skipped because". */
export class Skip extends Error {
  override readonly name = 'Skip';
}

/**
 * Shorter than the limit of a check, so that checks waiting for a broken resource are skipped and
 * do not time out.
 */
const limitMs = 25 * secondMs;

/** A resource that several checks share, opened by the first of them. */
export class Needed<T> {
  #opening: Promise<T> | undefined;
  #inTime: Promise<T> | undefined;

  /** @param absence the reason why checks are skipped without it. */
  constructor(
    private readonly absence: string,
    private readonly begin: () => Promise<T>,
  ) {}

  /** For the check that reports what is wrong with it. @throws what opening it throws. */
  open(): Promise<T> {
    this.#opening ??= this.begin();
    this.#inTime ??= withinTime(limitMs, this.#opening);
    return this.#inTime;
  }

  /** For all other checks. @throws Skip */
  async get(): Promise<T> {
    try {
      return await this.open();
    } catch (error) {
      throw error instanceof Skip ? error : new Skip(this.absence);
    }
  }

  /** Closes it if it was opened, even if that is still in progress. */
  async release(end: (opened: T) => Promise<void>): Promise<void> {
    const opened = await this.#opening?.then(
      (value) => ({ value }),
      () => undefined,
    );
    if (opened) await end(opened.value);
  }
}

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
