import type { Request, RequestHandler, Response } from 'express';
import { ServiceError } from '../base/errors/catalogue.js';
import { assertAnyAllowed } from './auth/allow.js';
import type { Claims } from './auth/claims.js';
import type { EndedUrls } from './auth/ended-urls.js';
import type { Tokens } from './auth/tokens.js';
import { schemesOf, type Operation, type Scheme } from './operation.js';
import type { RateLimit } from './rate-limit.js';

const anonymous: Claims = { scope: 'user', typ: 'access', jti: '' };

/** Verifies signed URLs of operations. */
export interface OperationUrls {
  /**
   * @returns what the URL permits. @throws ServiceError `forbidden` for an expired or invalid
   *   signature.
   */
  claims(path: Readonly<Record<string, string>>, query: Readonly<Record<string, unknown>>): Claims;
}

/** Admits visitors of links by the secret in the path. */
interface Visitors {
  /**
   * @param beforePassword whether the password need not have been entered.
   * @throws ServiceError `not_found`, `link_ended`, `password_required`.
   */
  claims(request: Request, beforePassword: boolean): Promise<Claims>;
}

/** Authorizes requests by their tokens and enforces rate limits. */
export class Gate {
  constructor(
    private readonly tokens: Tokens,
    private readonly rateLimit: RateLimit,
    private readonly signedUrls?: OperationUrls,
    private readonly endedUrls?: Pick<EndedUrls, 'refresh'>,
    private readonly visitors?: Visitors,
    /** Whether anybody may read the log of a platform. */
    private readonly publishes?: (platformId: string) => Promise<boolean>,
  ) {}

  /** @throws ServiceError 401, `forbidden`, `not_allowed`, or `rate_limited`. */
  async authorize(operation: Operation, request: Request): Promise<Claims> {
    if (operation.scheme === 'Link') return this.#visitor(operation, request);
    const schemes = schemesOf(operation);
    if (schemes.length === 0) return anonymous;
    const claims =
      this.#byUrl(operation, request) ??
      (await this.#byPublication(operation, request)) ??
      (await authenticate(request.headers.authorization, schemes, this.tokens));
    this.rateLimit.countRequest(claims, request.ip ?? '');
    const path = request.params as Record<string, string>;
    if (isMe(path) && claims.userId !== undefined) path.user_id = claims.userId;
    authorize(claims, path);
    if (isMe(path)) throw new ServiceError('user_not_found');
    assertAnyAllowed(claims, operation);
    const fresh = this.endedUrls?.refresh(claims.iat);
    if (fresh) await fresh; // so that URLs in the response have not ended already
    return claims;
  }

  async #visitor({ beforePassword }: Operation, request: Request): Promise<Claims> {
    if (!this.visitors) throw new ServiceError('not_found');
    const claims = await this.visitors.claims(request, beforePassword === true);
    this.rateLimit.countRequest(claims, request.ip ?? '');
    return claims;
  }

  /** @throws ServiceError `forbidden`. */
  #byUrl({ signed }: Operation, { headers, params, query }: Request): Claims | undefined {
    if (!signed || headers.authorization !== undefined || query.sig === undefined) return undefined;
    return this.signedUrls?.claims(params as Record<string, string>, query);
  }

  /** Anybody is a guest of a platform that publishes its log. */
  async #byPublication(
    { published }: Operation,
    { headers, params, ip }: Request,
  ): Promise<Claims | undefined> {
    const { platform_id: id = '' } = params as Partial<Record<string, string>>;
    if (!published || headers.authorization !== undefined) return undefined;
    const platformId = id.toLowerCase();
    if (!(await this.publishes?.(platformId))) return undefined;
    this.rateLimit.countReading(platformId, ip ?? '');
    return {
      scope: 'platform',
      typ: 'access',
      jti: `log of ${platformId}`,
      platformId,
      linkedAt: 0,
    };
  }

  /**
   * Wraps a handler so that its 401s carry a challenge and count against the client IP, which many
   * clients may share. Past the limit, only requests without a token of ours are rejected: a valid one
   * still works, and the holder of an expired or revoked one still learns what to do.
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
    operation: Operation,
    request: Request,
    response: Response,
  ): void {
    if (error.code === 'unauthorized') this.rateLimit.countFailedAuth(request.ip ?? '');
    const [word = 'Refresh'] = schemesOf(operation);
    response.set('WWW-Authenticate', `${word} realm="imgstore", error="${error.code}"`);
  }
}

/** Whether the path names the user of the token. */
const isMe = ({ user_id: user }: Partial<Record<string, string>>): boolean =>
  user?.toLowerCase() === 'me';

/**
 * Checks the ids in the path against the token: platforms and users can access only their own
 * paths. The response does not depend on whether another's id exists. When a platform accesses a
 * user on a path without the platform's id, the handler must check that the user belongs to it.
 */
function authorize(claims: Claims, path: Partial<Record<string, string>>): void {
  const own =
    claims.scope === 'admin' ||
    (claims.scope === 'platform'
      ? path.platform_id === undefined || path.platform_id.toLowerCase() === claims.platformId
      : path.user_id === undefined
        ? path.platform_id === undefined
        : path.user_id.toLowerCase() === claims.userId);
  if (!own) throw new ServiceError('forbidden');
}

const scopeOfScheme = { Admin: 'admin', Platform: 'platform', User: 'user' } as const;
const owners = { admin: 'an administrator', platform: 'a platform', user: 'a user' } as const;

/**
 * Reads `Authorization: <scheme> <token>`. `Bearer` is accepted in place of the scheme word, since
 * every token identifies its holder and is issued with this type.
 *
 * @throws ServiceError 401 unless the header has a valid access token of one of the schemes, under
 *   its scheme word.
 */
async function authenticate(
  header: string | undefined,
  schemes: readonly Scheme[],
  tokens: Tokens,
): Promise<Claims> {
  const examples = schemes.map((scheme) => `"Authorization: ${scheme} <access token>"`);
  const example = examples.join(' or ');
  if (!header) throw new ServiceError('unauthorized', { message: `Send ${example}.` });
  const [word = '', token, ...rest] = header.trim().split(/ +/);
  const good = schemes.filter((scheme) =>
    [scheme.toLowerCase(), 'bearer'].includes(word.toLowerCase()),
  );
  if (good.length === 0 || !token || rest.length > 0) {
    throw new ServiceError('unauthorized', { message: `This operation requires ${example}.` });
  }
  const claims = await tokens.verifyAccess(token);
  if (!good.some((scheme) => claims.scope === scopeOfScheme[scheme])) {
    throw new ServiceError('unauthorized', {
      message: `This operation requires a ${good.join(' or ')} token, not one of ${owners[claims.scope]}: send ${example}.`,
    });
  }
  return claims;
}
