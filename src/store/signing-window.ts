import { secondMs } from '../base/units.js';

export interface SigningWindowOptions {
  /** Minimum lifetime of a URL in seconds; the maximum is a quarter longer. */
  readonly ttlSeconds: number;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
}

/**
 * The interval, a quarter of the minimum lifetime, in which the signed URL of an object stays the
 * same, so that clients can cache it. Lifetimes count from its start.
 */
export class SigningWindow {
  readonly #length: number;
  readonly #now: () => number;
  /** Seconds from a window's start until its URLs expire. */
  readonly lifetime: number;

  constructor({ ttlSeconds, now = Date.now }: SigningWindowOptions) {
    const ttl = Math.ceil(ttlSeconds);
    this.#length = Math.max(1, Math.floor(ttl / 4));
    this.#now = now;
    this.lifetime = this.#length + ttl;
  }

  /** Start of the current window, in seconds since 1970. */
  start(): number {
    return Math.floor(this.#now() / secondMs / this.#length) * this.#length;
  }
}
