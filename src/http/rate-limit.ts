import type { Claims } from '../auth/claims.js';
import { ServiceError } from '../errors/catalogue.js';
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

/** Limits how often tokens are used, and how often client IPs fail to authenticate. */
export class RateLimit {
  readonly #requests: RateCounter | undefined;
  readonly #failures: RateCounter | undefined;

  constructor({ perToken, failedAuth }: RateLimits) {
    this.#requests = counterOf(perToken);
    this.#failures = counterOf(failedAuth);
  }

  /** @throws ServiceError `rate_limited`. */
  countRequest({ jti }: Claims): void {
    assertAllowed(this.#requests?.take(jti));
  }

  /** @throws ServiceError `rate_limited`. */
  countFailedAuth(ip: string): void {
    assertAllowed(this.#failures?.take(rateLimitKey(ip)));
  }
}

function assertAllowed(waitSeconds = 0): void {
  if (waitSeconds > 0) throw new ServiceError('rate_limited', { retryAfter: waitSeconds });
}
