import { minuteMs, secondMs } from '../base/units.js';

/** Maximum number of keys remembered, a few megabytes: a new key evicts the one idle longest. */
const capacity = 50_000;

/**
 * Allows this many events per minute and key, all of them at once if need be (the generic cell rate
 * algorithm): each event costs its share of a minute, and a key may be one minute ahead. Takes one
 * number per key and no timers.
 */
export class RateCounter {
  /** When each key will have paid for all its events, in milliseconds; longest idle first. */
  readonly #paid = new Map<string, number>();
  readonly #costMs: number;

  /** @param now a monotonic clock in milliseconds. */
  constructor(
    perMinute: number,
    private readonly now: () => number = () => performance.now(),
  ) {
    this.#costMs = minuteMs / perMinute;
  }

  /**
   * Counts an event. @returns 0, or the seconds until it would be allowed, in which case it is not
   * counted.
   */
  take(key: string): number {
    const now = this.now();
    const paid = Math.max(this.#paid.get(key) ?? 0, now) + this.#costMs;
    const earlyMs = paid - now - minuteMs;
    // Fractions of a minute do not add up exactly.
    if (earlyMs > 0.01) return Math.ceil(earlyMs / secondMs);
    this.#paid.delete(key);
    this.#paid.set(key, paid);
    if (this.#paid.size > capacity) this.#paid.delete(this.#paid.keys().next().value as string);
    return 0;
  }

  get size(): number {
    return this.#paid.size;
  }
}
