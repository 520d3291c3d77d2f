import type { Request, RequestHandler, Response } from 'express';
import { authenticate, authorize } from '../auth/authenticate.js';
import type { Claims } from '../auth/claims.js';
import type { Tokens } from '../auth/tokens.js';
import { ServiceError } from '../errors/catalogue.js';
import { rateLimitKey } from './client-ip.js';
import type { Operation } from './operation.js';
import { RateLimit } from './rate-limit.js';

/** Allowed events per minute on this node; undefined for no limit. */
export interface RateLimits {
  /** Requests of one token. */
  readonly perToken: number | undefined;
  /** Failed authentications of one client address. */
  readonly failedAuth: number | undefined;
}

const anonymous: Claims = { scope: 'user', typ: 'access', jti: '' };

const limitOf = (perMinute: number | undefined): RateLimit | undefined =>
  perMinute === undefined ? undefined : new RateLimit(perMinute);

/** Authorizes requests by their tokens and limits how many may run. */
export class Gate {
  readonly #perToken: RateLimit | undefined;
  readonly #failedAuth: RateLimit | undefined;

  constructor(
    private readonly tokens: Tokens,
    limits: RateLimits,
  ) {
    this.#perToken = limitOf(limits.perToken);
    this.#failedAuth = limitOf(limits.failedAuth);
  }

  /** @throws ServiceError 401, `forbidden`, or `rate_limited`. */
  async authorize({ scheme }: Operation, request: Request): Promise<Claims> {
    if (scheme === 'none') return anonymous;
    const claims = await authenticate(request.headers.authorization, scheme, this.tokens);
    assertAllowed(this.#perToken?.take(claims.jti));
    authorize(claims, request.params as Record<string, string>);
    return claims;
  }

  /**
   * Wraps a handler so that its 401s carry a challenge and count against the client address. Past
   * the limit, only requests without a valid token are rejected, so that one client with an expired
   * token does not lock out others at the same address.
   */
  withAuthChallenge(operation: Operation, handler: RequestHandler): RequestHandler {
    return async (request, response, next) => {
      try {
        await handler(request, response, next);
      } catch (error) {
        if (error instanceof ServiceError && error.status === 401) {
          this.#noteFailure(error, operation, request, response);
        }
        throw error;
      }
    };
  }

  #noteFailure(
    error: ServiceError,
    { scheme }: Operation,
    request: Request,
    response: Response,
  ): void {
    assertAllowed(this.#failedAuth?.take(rateLimitKey(request.ip ?? '')));
    const word = scheme === 'none' ? 'Refresh' : scheme;
    response.set('WWW-Authenticate', `${word} realm="imgstore", error="${error.code}"`);
  }
}

function assertAllowed(waitSeconds = 0): void {
  if (waitSeconds > 0) throw new ServiceError('rate_limited', { retryAfter: waitSeconds });
}
