import { minuteMs, secondMs } from '../units.js';

/** Keys remembered at most, a few megabytes: the longest idle one makes room for a new one. */
const capacity = 50_000;

/**
 * So many events per minute and key, and as many at once (the generic cell rate algorithm): each
 * event costs its share of a minute, and a key may be a minute ahead. One number per key, no timers.
 */
export class RateLimit {
  /** When each key will have paid for all it had, in milliseconds; the longest idle key first. */
  readonly #paid = new Map<string, number>();
  readonly #costMs: number;

  /** @param now a clock in milliseconds that never goes back. */
  constructor(
    perMinute: number,
    private readonly now: () => number = () => performance.now(),
  ) {
    this.#costMs = minuteMs / perMinute;
  }

  /** Counts an event. @returns 0, or after how many seconds it would be allowed; then it does not count. */
  take(key: string): number {
    const now = this.now();
    const paid = Math.max(this.#paid.get(key) ?? 0, now) + this.#costMs;
    const earlyMs = paid - now - minuteMs;
    // Shares of a minute do not add up exactly.
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
