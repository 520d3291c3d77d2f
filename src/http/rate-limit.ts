import { LRUCache } from 'lru-cache';
import { ServiceError } from '../base/errors/catalogue.js';
import { minuteMs, secondMs } from '../base/units.js';
import { callerOf, type Claims } from './auth/claims.js';
import { rateLimitKey } from './host.js';

/** Keys that are remembered, a few megabytes: a new one evicts the one idle longest. */
const capacity = 50_000;

/**
 * Allows this many events per minute and key, all of them at once if need be (the generic cell rate
 * algorithm): each event costs its share of a minute, and a key may be one minute ahead. Takes one
 * number per key and no timers.
 */
export class RateCounter {
  /** When each key will have paid for all its events, in milliseconds. */
  readonly #paid = new LRUCache<string, number>({ max: capacity });
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
    this.#paid.set(key, paid);
    return 0;
  }

  /** Takes back an event that turned out to be none. */
  giveBack(key: string): void {
    const paid = this.#paid.get(key);
    if (paid !== undefined) this.#paid.set(key, paid - this.#costMs);
  }

  get size(): number {
    return this.#paid.size;
  }
}

/** Allowed events per minute on this node; undefined for no limit. */
interface RateLimits {
  /** Requests of one token. */
  readonly perToken: number | undefined;
  /** Failed authentications of one client IP. */
  readonly failedAuth: number | undefined;
  /** Wrong passwords of one link from one client IP. */
  readonly linkPassword: number | undefined;
  /** Steps of sign-ins at the provider, from one client IP. */
  readonly signIn: number | undefined;
  /** Requests for the published log of one platform from one client IP. */
  readonly publishedLog: number | undefined;
}

const counterOf = (perMinute: number | undefined): RateCounter | undefined =>
  perMinute === undefined ? undefined : new RateCounter(perMinute);

/** An event that counts against a limit. */
export interface CountedEvent {
  readonly limit: keyof RateLimits;
  readonly key: string;
}

/** Limits how often tokens are used, and how often client IPs fail to authenticate. */
export class RateLimit {
  readonly #counters: Readonly<Record<keyof RateLimits, RateCounter | undefined>>;

  /**
   * @param announce notifies the node's other HTTP processes, if any, which then `note` the event.
   */
  constructor(
    { perToken, failedAuth, linkPassword, signIn, publishedLog }: RateLimits,
    private readonly announce?: (event: CountedEvent) => void,
  ) {
    this.#counters = {
      perToken: counterOf(perToken),
      failedAuth: counterOf(failedAuth),
      linkPassword: counterOf(linkPassword),
      signIn: counterOf(signIn),
      publishedLog: counterOf(publishedLog),
    };
  }

  /**
   * Counts a request of a token, of all narrow tokens of their owner together, or of the client IP of a
   * link: its bearers do not know each other. @throws ServiceError `rate_limited`.
   */
  countRequest(claims: Claims, ip: string): void {
    const { jti, linkedAt, allow } = claims;
    const token = allow ? callerOf(claims) : jti;
    const key = linkedAt === undefined ? token : `${jti} ${rateLimitKey(ip)}`;
    this.#count({ limit: 'perToken', key });
  }

  /** @throws ServiceError `rate_limited`. */
  countFailedAuth(ip: string): void {
    this.#count({ limit: 'failedAuth', key: rateLimitKey(ip) });
  }

  /** Counts a step of a sign-in at the provider, which asks that for something. @throws ServiceError `rate_limited`. */
  countSignIn(ip: string): void {
    this.#count({ limit: 'signIn', key: rateLimitKey(ip) });
  }

  /** Counts a request without a token for a platform's log. @throws ServiceError `rate_limited`. */
  countReading(platformId: string, ip: string): void {
    this.#count({ limit: 'publishedLog', key: `${platformId} ${rateLimitKey(ip)}` });
  }

  /**
   * Counts a wrong password of a link. Attempts count before they are checked, so that many at once
   * are not checked either. @param attempt returns whether the password is right.
   * @throws ServiceError `rate_limited`, and whatever `attempt` throws.
   */
  async countWrongPassword(
    link: string,
    ip: string,
    attempt: () => Promise<boolean>,
  ): Promise<boolean> {
    const counter = this.#counters.linkPassword;
    const event = { limit: 'linkPassword', key: `${link} ${rateLimitKey(ip)}` } as const;
    refuseFor(counter?.take(event.key));
    let isWrong = false;
    try {
      isWrong = !(await attempt());
    } finally {
      if (!isWrong) counter?.giveBack(event.key);
    }
    if (isWrong) this.announce?.(event);
    return !isWrong;
  }

  /** Counts an event of another process. */
  note({ limit, key }: CountedEvent): void {
    this.#counters[limit]?.take(key);
  }

  #count(event: CountedEvent): void {
    const counter = this.#counters[event.limit];
    if (!counter) return;
    refuseFor(counter.take(event.key));
    this.announce?.(event);
  }
}

/** @throws ServiceError `rate_limited` if there are seconds to wait. */
function refuseFor(seconds = 0): void {
  if (seconds > 0) throw new ServiceError('rate_limited', { retryAfter: seconds });
}
