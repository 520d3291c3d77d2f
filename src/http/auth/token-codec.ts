import { hash } from 'node:crypto';
import jwt from 'jsonwebtoken';
import { LRUCache } from 'lru-cache';
import { v7 as uuidv7, validate as isUuid } from 'uuid';
import { SharedRun } from '../../base/concurrency.js';
import { ServiceError } from '../../base/errors/catalogue.js';
import { secondMs } from '../../base/units.js';
import type { TokenState } from './auth.sql.js';
import {
  type Claims,
  type Holder,
  type Scope,
  type TokenType,
  scopeOf,
  type AllowWord,
} from './claims.js';
import type { Keyring, SigningKey } from './keyring.js';

const algorithm = 'HS256';
/** Of our own tokens. */
export const issuer = 'imgstore';

/** The subject of administrator tokens. */
const administrator = 'admin';

interface Payload {
  sub: string;
  scope: Scope;
  typ: TokenType;
  jti: string;
  platform_id?: string;
  fam?: string;
  name?: string;
  gen?: number;
  allow?: readonly AllowWord[];
  iat: number;
  exp: number;
}

interface Grant {
  readonly holder: Holder;
  readonly type: TokenType;
  /** Seconds. */
  readonly lifetime: number;
  readonly family?: string;
  /** Of a token of a session, whose id is `family`: the name of who signed in. */
  readonly session?: string | undefined;
  readonly generation?: number;
  /** Of a narrow token. */
  readonly allow?: readonly AllowWord[];
  /** `jti` of a token that is made again; of a new one by default. */
  readonly id?: string;
  /** When it was issued, in seconds since 1970; now by default. */
  readonly issuedAt?: number;
}

/** A signed token, its `jti`, and when it was issued, in seconds since 1970. */
interface SignedToken {
  readonly token: string;
  readonly id: string;
  readonly issuedAt: number;
}

/** Signs a JWT (RFC 7519); the same token for the same grant with an id and a time. */
export function encode(key: SigningKey, grant: Grant): SignedToken {
  const { holder, id = uuidv7(), issuedAt = Math.floor(Date.now() / secondMs) } = grant;
  const payload: Omit<Payload, 'exp'> = {
    sub: holder.userId ?? holder.platformId ?? administrator,
    scope: scopeOf(holder),
    typ: grant.type,
    jti: id,
    ...(holder.userId && { platform_id: holder.platformId }),
    ...(grant.family && { fam: grant.family }),
    ...(grant.session !== undefined && { name: grant.session }),
    ...(grant.generation !== undefined && { gen: grant.generation }),
    ...(grant.allow && { allow: grant.allow }),
    iat: issuedAt,
  };
  const token = jwt.sign(payload, key.secret, {
    algorithm,
    issuer,
    keyid: key.id,
    expiresIn: grant.lifetime,
  });
  return { token, id, issuedAt };
}

/** The content of a token with a valid signature. */
export interface VerifiedToken {
  readonly claims: Claims;
  /** Seconds since 1970. */
  readonly issuedAt: number;
  /** Seconds since 1970. */
  readonly expiresAt: number;
  /**
   * Of a foreign token: whether the keys that it was verified with are still those of its platform.
   * @throws ServiceError `unauthorized` if they are not known.
   */
  readonly isCurrent?: () => Promise<boolean>;
}

/**
 * Checks signature, algorithm, issuer and, unless disabled, expiry.
 * @throws ServiceError `token_expired` or `unauthorized`.
 */
export async function decode(
  token: string,
  keyring: Keyring,
  { ignoreExpiration = false }: { readonly ignoreExpiration?: boolean } = {},
): Promise<VerifiedToken> {
  const keyId = keyIdOf(token);
  const key = keyId === undefined ? undefined : await keyring.find(keyId);
  if (!key) throw new ServiceError('unauthorized', { message: 'The token is invalid.' });
  try {
    const verified: unknown = jwt.verify(token, key.secret, {
      algorithms: [algorithm],
      issuer,
      ignoreExpiration,
    });
    const payload = verified as Payload;
    const { iat: issuedAt, exp: expiresAt } = payload;
    const claims = { ...claimsOf(payload), kid: key.id, exp: expiresAt };
    return { claims, issuedAt, expiresAt };
  } catch (cause) {
    if (cause instanceof jwt.TokenExpiredError) throw new ServiceError('token_expired', { cause });
    throw new ServiceError('unauthorized', { message: 'The token is invalid.', cause });
  }
}

/** What is in a token, before anything of it can be trusted; undefined if it is none. */
function decoded(token: string): jwt.Jwt | undefined {
  try {
    return jwt.decode(token, { complete: true }) ?? undefined;
  } catch {
    return undefined; // its payload is not JSON
  }
}

function keyIdOf(token: string): string | undefined {
  const keyId: unknown = decoded(token)?.header.kid;
  return isUuid(keyId) ? (keyId as string) : undefined;
}

/** Whether a token says that somebody else issued it. */
export function isForeign(token: string): boolean {
  const payload = decoded(token)?.payload;
  return typeof payload === 'object' && payload.iss !== undefined && payload.iss !== issuer;
}

function claimsOf(payload: Payload): Claims {
  const { sub, scope, typ, jti, iat, platform_id, fam, name, gen, allow } = payload;
  const holder: Holder =
    scope === 'user'
      ? { userId: sub, platformId: platform_id }
      : scope === 'platform'
        ? { platformId: sub }
        : {};
  const narrow = typ === 'narrow' && { allow: allow ?? [] };
  const session = name !== undefined && { session: name };
  return { ...holder, scope, typ, jti, iat, fam, gen, ...narrow, ...session };
}

/** About 1 KB each. */
const maxRemembered = 1_000;

interface Remembered extends VerifiedToken {
  readonly state: SharedRun<TokenState>;
  /** Final: a revoked token never becomes valid again. */
  revoked: boolean;
}

/**
 * Caches the content of verified tokens by their digests, since checking a signature takes longer
 * than the rest. Whether a token has been revoked, or its holder suspended, is queried each time;
 * concurrent requests with the same token share a query. A token that is known to be revoked costs its
 * former holder no further query; a foreign one is verified again, since its platform may have changed its
 * mind, and its user may be there again.
 */
export class VerifiedTokens {
  readonly #remembered = new LRUCache<string, Remembered>({ max: maxRemembered });

  constructor(
    private readonly verify: (token: string) => Promise<VerifiedToken>,
    private readonly stateOf: (token: VerifiedToken) => Promise<TokenState>,
  ) {}

  /** @throws ServiceError as `Tokens.verifyAccess`. */
  check(token: string): Promise<VerifiedToken> {
    return this.#check(token, true);
  }

  async #check(token: string, isFirst: boolean): Promise<VerifiedToken> {
    const digest = hash('sha256', token);
    const { isCurrent } = this.#remembered.get(digest) ?? {};
    if (isCurrent && !(await isCurrent())) this.#remembered.delete(digest);
    const known = this.#remembered.get(digest) ?? (await this.#verified(digest, token));
    if (known.expiresAt <= Math.floor(Date.now() / secondMs)) {
      this.#remembered.delete(digest);
      throw new ServiceError('token_expired');
    }
    const state = known.revoked ? 'token_revoked' : await known.state.run();
    if (state === 'valid') return known;
    if (state === 'token_revoked' && known.isCurrent) {
      this.#remembered.delete(digest);
      if (isFirst) return this.#check(token, false);
    } else if (state === 'token_revoked') known.revoked = true;
    throw new ServiceError(state);
  }

  async #verified(digest: string, token: string): Promise<Remembered> {
    const verified = await this.verify(token);
    // Concurrent first requests with a token share what one of them remembers.
    return this.#remembered.get(digest) ?? this.#remember(digest, verified);
  }

  #remember(digest: string, token: VerifiedToken): Remembered {
    const remembered = {
      ...token,
      state: new SharedRun(() => this.stateOf(token)),
      revoked: false,
    };
    this.#remembered.set(digest, remembered);
    return remembered;
  }
}
