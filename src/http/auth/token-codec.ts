import jwt from 'jsonwebtoken';
import { v7 as uuidv7, validate as isUuid } from 'uuid';
import { ServiceError } from '../../base/errors/catalogue.js';
import type { Claims, Holder, Scope, TokenType } from './claims.js';
import { scopeOf } from './claims.js';
import { secondMs } from '../../base/units.js';
import type { Keyring, SigningKey } from './keyring.js';

const algorithm = 'HS256';
const issuer = 'imgstore';

/** The subject of administrator tokens. */
const administrator = 'admin';

interface Payload {
  sub: string;
  scope: Scope;
  typ: TokenType;
  jti: string;
  platform_id?: string;
  fam?: string;
  gen?: number;
  iat: number;
  exp: number;
}

export interface Grant {
  readonly holder: Holder;
  readonly type: TokenType;
  /** Seconds. */
  readonly lifetime: number;
  readonly family?: string;
  readonly generation?: number;
  /** `jti` of a token that is made again; of a new one by default. */
  readonly id?: string;
  /** When it was issued, in seconds since 1970; now by default. */
  readonly issuedAt?: number;
}

/** A signed token, its `jti`, and when it was issued, in seconds since 1970. */
export interface SignedToken {
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
    ...(grant.generation !== undefined && { gen: grant.generation }),
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
    return { claims: { ...claimsOf(payload), kid: key.id }, issuedAt, expiresAt };
  } catch (cause) {
    if (cause instanceof jwt.TokenExpiredError) throw new ServiceError('token_expired', { cause });
    throw new ServiceError('unauthorized', { message: 'The token is invalid.', cause });
  }
}

/** The key id in a token, read before anything in it can be trusted. */
function keyIdOf(token: string): string | undefined {
  try {
    const keyId: unknown = jwt.decode(token, { complete: true })?.header.kid;
    return isUuid(keyId) ? (keyId as string) : undefined;
  } catch {
    return undefined; // its payload is not JSON
  }
}

function claimsOf({ sub, scope, typ, jti, iat, platform_id, fam, gen }: Payload): Claims {
  const holder: Holder =
    scope === 'user'
      ? { userId: sub, platformId: platform_id }
      : scope === 'platform'
        ? { platformId: sub }
        : {};
  return { ...holder, scope, typ, jti, iat, fam, gen };
}
