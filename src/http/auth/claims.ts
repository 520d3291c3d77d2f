import { guestsOf } from '../../base/callers.js';
import type { Bearer } from '../../base/telemetry/context.js';

/** The holder of a token; an administrator has neither platform nor user. */
export interface Holder {
  readonly platformId?: string;
  readonly userId?: string;
}

export type Scope = 'admin' | 'platform' | 'user';

const ofUsers = ['read', 'upload', 'change', 'delete', 'links'] as const;

/** What narrow tokens of each kind of owner may be allowed. */
export const allowWords = {
  user: ofUsers,
  platform: [...ofUsers, 'users', 'webhooks', 'statistics'],
  admin: ['read', 'platforms'],
} as const satisfies Record<Scope, readonly string[]>;

export type AllowWord = (typeof allowWords)[Scope][number];
/**
 * A narrow token is an access token that may do less; earlier releases refuse the word. A foreign one is of
 * the identity provider of a platform.
 */
export type TokenType = 'access' | 'refresh' | 'narrow' | 'foreign';

/** The token type that OAuth 2.0 clients expect (RFC 6750). */
export const tokenType = 'bearer';

/** The content of a verified token. */
export interface Claims extends Holder {
  readonly scope: Scope;
  readonly typ: TokenType;
  readonly jti: string;
  /** The id of the key that signed the token; none for a link, or a foreign token. */
  readonly kid?: string;
  /** The id of the identity that a foreign token was verified by. */
  readonly identity?: string;
  /** When the token was issued, in seconds since 1970. */
  readonly iat?: number;
  /** When it expires, in seconds since 1970; none of a link. */
  readonly exp?: number;
  /** The refresh-token family of the token, if any. */
  readonly fam?: string;
  /** Of a token of a session, whose id is `fam`: the name of who signed in. */
  readonly session?: string;
  /** The platform's token generation at the time of issue. */
  readonly gen?: number;
  /** All that a narrow or foreign token may do; undefined for any other, which may do everything. */
  readonly allow?: readonly AllowWord[];
  /** When the signed URL was made that gives access, in seconds since 1970; none with a token. */
  readonly linkedAt?: number;
}

/** The caller to whom a holder's work is charged; guests have another share. */
export const callerOf = ({
  platformId,
  userId,
  linkedAt,
}: Holder & Pick<Claims, 'linkedAt'>): string => {
  const holder = userId ?? platformId ?? 'administrator';
  return linkedAt === undefined ? holder : guestsOf(holder);
};

/** Whom changes are attributed to: the session of the token, or else the token. */
export const bearerOf = ({ scope, jti, fam, session, exp }: Claims): Bearer =>
  session === undefined || fam === undefined
    ? { scope, token: jti }
    : { scope, token: fam, session: { name: session, expiresAt: exp ?? 0 } };

export const scopeOf = (holder: Holder): Scope =>
  holder.userId ? 'user' : holder.platformId ? 'platform' : 'admin';
