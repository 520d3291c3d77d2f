import type { IncomingMessage } from 'node:http';
import { guestsOf } from '../../base/callers.js';
import { ServiceError } from '../../base/errors/catalogue.js';
import { dayMs, secondMs } from '../../base/units.js';
import { runAsCaller } from '../../database/fairness.js';
import type { Queryable } from '../../database/sql.js';
import type { Claims } from '../../http/auth/claims.js';
import { clientIp, forwardedPrefix, isSecure, rateLimitKey } from '../../http/host.js';
import type { RateLimit } from '../../http/rate-limit.js';
import type { LinkKind } from './entity.js';
import { isPassword } from './password.js';
import { hashSecret, linkPath } from './links.js';
import type { VisitSecrets } from './visit-secrets.js';
import { selectVisited, type VisitedLink } from './visitors.sql.js';

/** The cookie that proves that the password was entered. */
const cookieName = 'imgstore_link';

/** How long it does, in seconds; at most until the password changes. */
const passSeconds = dayMs / secondMs;

const secretShape = /^[\w-]{22}$/;

const isSecret = (text: string): boolean => secretShape.test(text);

/** A request of somebody who has a link that is open. */
export interface Visit {
  readonly link: VisitedLink;
  /** The path of its page. */
  readonly page: string;
  /** Whether the password has been entered, if there is one. */
  readonly isAdmitted: boolean;
  /** The IP of the client. */
  readonly ip: string;
  /** Attributes of cookies for this link alone. */
  readonly cookieScope: string;
}

interface VisitorParts {
  /** The primary server, so that what was paused is paused at once. */
  readonly db: Queryable;
  readonly secrets: VisitSecrets;
  readonly rateLimit: RateLimit;
  /** Reverse proxies whose forwarding headers are trusted. */
  readonly trustProxy: number;
  /** Public base URL, if set. */
  readonly publicUrl: string | undefined;
}

/** A request with the values of the placeholders of its path. */
interface PathRequest extends IncomingMessage {
  readonly params: Readonly<Record<string, unknown>>;
}

/** Admits visitors: people who have a link. Each request asks the database for its state. */
export class Visitors {
  readonly #visits = new WeakMap<Claims, Visit>();

  constructor(private readonly parts: VisitorParts) {}

  /**
   * As in the gate. @throws ServiceError `not_found`, `link_ended`, `password_required`,
   * `rate_limited`.
   */
  async claims(request: PathRequest, beforePassword: boolean): Promise<Claims> {
    const visit = await this.enter(request, String(request.params.secret));
    if (!visit.isAdmitted && !beforePassword) throw new ServiceError('password_required');
    const { id: jti, userId, platformId } = visit.link;
    const linkedAt = Math.floor(Date.now() / secondMs);
    const claims = { scope: 'user', typ: 'access', jti, userId, platformId, linkedAt } as const;
    this.#visits.set(claims, visit);
    return claims;
  }

  /** The visit of a request that the gate has admitted. */
  visitOf(claims: Claims): Visit {
    const visit = this.#visits.get(claims);
    if (!visit) throw new Error('claims that are not those of a visitor');
    return visit;
  }

  /** The link of such a request. @throws ServiceError `not_found` if it is of the other kind. */
  linkOf(claims: Claims, kind: LinkKind): VisitedLink {
    const { link } = this.visitOf(claims);
    if (link.kind === kind) return link;
    throw new ServiceError('not_found', { message: 'The link is not for this.' });
  }

  /** @throws ServiceError `not_found`, `link_ended`, `rate_limited`. */
  async enter(request: IncomingMessage, secret: string): Promise<Visit> {
    const { db, rateLimit, trustProxy } = this.parts;
    const ip = clientIp(request, trustProxy);
    const link = isSecret(secret)
      ? await runAsCaller(guestsOf(rateLimitKey(ip)), () => selectVisited(db, hashSecret(secret)))
      : undefined;
    if (!link) {
      rateLimit.countFailedAuth(ip);
      throw new ServiceError('not_found', { message: 'There is no such link.' });
    }
    if (!link.isOpen) throw new ServiceError('link_ended');
    return {
      link,
      page: linkPath(secret),
      isAdmitted: this.#isAdmitted(link, request.headers.cookie),
      ip,
      cookieScope: this.#cookieScope(request, secret),
    };
  }

  /**
   * Checks a password. @returns the cookie that admits its client.
   * @throws ServiceError `password_required`, `rate_limited`, `unavailable`.
   */
  async admit({ link, ip, cookieScope }: Visit, password: string): Promise<string> {
    const { secrets, rateLimit } = this.parts;
    const { id, userId, platformId, passwordHash } = link;
    const caller = guestsOf(userId);
    const isRight =
      passwordHash === null ||
      (await rateLimit.countWrongPassword(id, ip, () =>
        isPassword(password, passwordHash, { platformId, caller }),
      ));
    if (!isRight) {
      const message = 'This is not the password of the link.';
      throw new ServiceError('password_required', { field: 'password', message });
    }
    const expiry = Math.floor(Date.now() / secondMs) + passSeconds;
    const pass = secrets.pass(id, passwordHash ?? Buffer.alloc(0), expiry);
    return `${cookieName}=${pass}; Max-Age=${passSeconds}; ${cookieScope}`;
  }

  #isAdmitted({ id, passwordHash }: VisitedLink, cookies = ''): boolean {
    if (passwordHash === null) return true;
    const now = Date.now() / secondMs;
    return cookies
      .split(';')
      .map((cookie) => cookie.trim().split('='))
      .some(
        ([name, pass = '']) =>
          name === cookieName && this.parts.secrets.isPass(id, passwordHash, pass, now),
      );
  }

  #cookieScope(request: IncomingMessage, secret: string): string {
    const { trustProxy, publicUrl } = this.parts;
    const prefix =
      publicUrl === undefined
        ? trustProxy > 0 && forwardedPrefix(request)
        : new URL(publicUrl).pathname.replace(/\/$/, '');
    const secure = publicUrl?.startsWith('https:') || isSecure(request, trustProxy > 0);
    return `Path=${prefix || ''}${linkPath(secret)}; HttpOnly; SameSite=Strict${secure ? '; Secure' : ''}`;
  }
}
