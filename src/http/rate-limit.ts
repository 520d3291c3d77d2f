import type { Claims } from './auth/claims.js';
import { ServiceError } from '../base/errors/catalogue.js';
import { rateLimitKey } from './client-ip.js';
import { RateCounter } from './rate-counter.js';

/** Allowed events per minute on this node; undefined for no limit. */
export interface RateLimits {
  /** Requests of one token. */
  readonly perToken: number | undefined;
  /** Failed authentications of one client IP. */
  readonly failedAuth: number | undefined;
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
    { perToken, failedAuth }: RateLimits,
    private readonly announce?: (event: CountedEvent) => void,
  ) {
    this.#counters = { perToken: counterOf(perToken), failedAuth: counterOf(failedAuth) };
  }

  /**
   * Counts a request of a token, or of the client IP of a link: its bearers do not know each other.
   * @throws ServiceError `rate_limited`.
   */
  countRequest({ jti, linkedAt }: Claims, ip: string): void {
    const key = linkedAt === undefined ? jti : `${jti} ${rateLimitKey(ip)}`;
    this.#count({ limit: 'perToken', key });
  }

  /** @throws ServiceError `rate_limited`. */
  countFailedAuth(ip: string): void {
    this.#count({ limit: 'failedAuth', key: rateLimitKey(ip) });
  }

  /** Counts an event of another process. */
  note({ limit, key }: CountedEvent): void {
    this.#counters[limit]?.take(key);
  }

  #count(event: CountedEvent): void {
    const counter = this.#counters[event.limit];
    if (!counter) return;
    const waitSeconds = counter.take(event.key);
    if (waitSeconds > 0) throw new ServiceError('rate_limited', { retryAfter: waitSeconds });
    this.announce?.(event);
  }
}
