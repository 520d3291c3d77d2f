import type { DataSource, EntityManager } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import type { Config } from '../config/options.js';
import { runAsCaller } from '../database/callers.js';
import { isForeignKeyViolation } from '../database/sql.js';
import type { Queryable } from '../database/sql.js';
import { ServiceError } from '../errors/catalogue.js';
import type { Claims, Holder, Scope } from './claims.js';
import { callerOf, scopeOf } from './claims.js';
import type { Keyring } from './keyring.js';
import * as queries from './queries.js';
import { decode, encode } from './token-codec.js';
import type { VerifiedToken } from './token-codec.js';
import { secondMs } from '../units.js';
import { VerifiedTokens } from './verified-tokens.js';

export type Lifetimes = Pick<
  Config,
  'tokens.admin_ttl' | 'tokens.platform_ttl' | 'tokens.user_ttl' | 'tokens.refresh_ttl'
>;

/** The token type that OAuth 2.0 clients expect (RFC 6750). */
export const tokenType = 'bearer';

export interface TokenPair {
  readonly access_token: string;
  readonly refresh_token: string;
  readonly token_type: typeof tokenType;
}

/** A token and its state. */
export interface InspectedToken extends VerifiedToken {
  readonly state: queries.TokenState | 'token_expired' | 'token_spent';
}

/** Issues, verifies, refreshes, and revokes tokens. */
export class Tokens {
  readonly #verified: VerifiedTokens;

  constructor(
    private readonly db: DataSource,
    private readonly keyring: Keyring,
    private readonly lifetimes: Lifetimes,
  ) {
    this.#verified = new VerifiedTokens(
      (token) => decodeAccess(token, keyring),
      ({ claims, keyId }) =>
        runAsCaller(callerOf(claims), () => queries.tokenState(db, keyId, claims)),
    );
  }

  /** Lifetime of access tokens of this scope, in seconds. */
  lifetime(scope: Scope): number {
    return this.lifetimes[`tokens.${scope}_ttl`];
  }

  /** An access and a refresh token for a holder; starts a new family unless one is given. */
  async issue(
    holder: Holder,
    db: DataSource | EntityManager = this.db,
    family = uuidv7(),
  ): Promise<TokenPair> {
    const key = await this.keyring.current(db);
    const generation = await this.#generation(db, holder);
    const lifetime = this.lifetimes['tokens.refresh_ttl'];
    const accessLifetime = this.lifetime(scopeOf(holder));
    const access = encode(key, {
      holder,
      type: 'access',
      lifetime: accessLifetime,
      family,
      generation,
    });
    const refresh = encode(key, { holder, type: 'refresh', lifetime, family, generation });
    await queries.insertRefreshToken(db, {
      id: refresh.id,
      familyId: family,
      holder,
      // The row also records that the family is revoked, so it is kept as long as either token
      // could be valid.
      lifetime: Math.max(lifetime, accessLifetime),
    });
    return { access_token: access.token, refresh_token: refresh.token, token_type: tokenType };
  }

  /** An access token without a refresh token. @param lifetime in seconds. */
  async issueAccess(
    holder: Holder,
    lifetime: number,
    db: EntityManager,
  ): Promise<{ token: string; id: string }> {
    const key = await this.keyring.current(db);
    const generation = await this.#generation(db, holder);
    return encode(key, { holder, type: 'access', lifetime, generation });
  }

  /**
   * Issues access tokens only, for several holders of one platform; their refresh tokens stay
   * valid.
   */
  async reissueAccess(holders: readonly Holder[]): Promise<string[]> {
    const first = holders[0];
    if (!first) return [];
    const key = await this.keyring.current();
    const generation = await this.#generation(this.db, first);
    return holders.map(
      (holder) =>
        encode(key, {
          holder,
          type: 'access',
          lifetime: this.lifetime(scopeOf(holder)),
          generation,
        }).token,
    );
  }

  /**
   * @throws ServiceError `unauthorized`, `token_expired`, `token_revoked`, `platform_suspended`,
   *   `user_suspended`.
   */
  async verifyAccess(token: string): Promise<Claims> {
    return (await this.#verified.check(token)).claims;
  }

  /**
   * Exchanges a refresh token for a new pair. It works once; reusing a spent one revokes its whole
   * family, since either the holder or a thief has a copy (RFC 9700, section 4.14.2).
   */
  async refresh(token: string): Promise<TokenPair> {
    const { claims, keyId } = await decode(token, this.keyring);
    const { typ, fam } = claims;
    if (typ !== 'refresh' || fam === undefined) {
      throw new ServiceError('unauthorized', { message: 'A refresh token is required.' });
    }
    return runAsCaller(callerOf(claims), () => this.#trade(claims, keyId, fam));
  }

  async #trade(claims: Claims, keyId: string, family: string): Promise<TokenPair> {
    const pair = await this.db
      .transaction(async (tx) => {
        if (!(await queries.spendRefreshToken(tx, claims.jti))) return undefined;
        const fresh = await this.issue(claims, tx, family);
        await queries.forgetSpentTokens(tx, family, claims.jti);
        // Checked last: anything revoked up to now was revoked before the new pair became valid.
        const state = await queries.tokenState(tx, keyId, claims);
        if (state === 'valid') return fresh;
        throw new ServiceError(state);
      })
      .catch((error: unknown) => {
        // The user was deleted in the meantime.
        throw isForeignKeyViolation(error) ? new ServiceError('token_revoked') : error;
      });
    if (pair) return pair;
    await queries.revokeFamily(this.db, family);
    throw new ServiceError('token_revoked');
  }

  /**
   * The content and state of a token with a valid signature. @throws ServiceError `unauthorized`
   * for any other token.
   */
  async inspect(token: string): Promise<InspectedToken> {
    const verified = await decode(token, this.keyring, { ignoreExpiration: true });
    const { claims, keyId, expiresAt } = verified;
    const expired = expiresAt * secondMs <= Date.now();
    const state = expired ? 'token_expired' : await queries.tokenState(this.db, keyId, claims);
    if (state !== 'valid' || claims.typ === 'access') return { ...verified, state };
    const row = await queries.selectRefreshToken(this.db, claims.jti);
    if (!row || row.revoked) return { ...verified, state: 'token_revoked' };
    return { ...verified, state: row.spent ? 'token_spent' : 'valid' };
  }

  /**
   * The number of sign-ins, that is, of valid refresh tokens: all of them, or those of a platform
   * and its users.
   */
  countLive(platformId?: string): Promise<number> {
    return queries.countLiveRefreshTokens(this.db, platformId);
  }

  /** Revokes every token of a platform and its users immediately, on every node. */
  async revokePlatform(platformId: string, db: Queryable = this.db): Promise<void> {
    if (!(await queries.raiseTokenGeneration(db, platformId))) {
      throw new ServiceError('platform_not_found');
    }
  }

  async #generation(db: Queryable, { platformId }: Holder): Promise<number | undefined> {
    if (platformId === undefined) return undefined;
    const found = await queries.tokenGeneration(db, platformId);
    if (!found) throw new ServiceError('platform_not_found');
    return found.generation;
  }
}

async function decodeAccess(token: string, keyring: Keyring): Promise<VerifiedToken> {
  const decoded = await decode(token, keyring);
  if (decoded.claims.typ === 'access') return decoded;
  throw new ServiceError('unauthorized', { message: 'An access token is required.' });
}

/** Deletes expired refresh tokens. */
export const forgetExpiredTokens = (db: Queryable): Promise<unknown> =>
  queries.deleteExpiredRefreshTokens(db);
