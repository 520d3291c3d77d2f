import { createHash } from 'node:crypto';
import type { DataSource, EntityManager } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import type { Config } from '../../base/config/options.js';
import { runAsCaller } from '../../database/fairness.js';
import { isForeignKeyViolation, rows, type Queryable } from '../../database/sql.js';
import { ServiceError } from '../../base/errors/catalogue.js';
import {
  type Claims,
  type Holder,
  type Scope,
  callerOf,
  scopeOf,
  type AllowWord,
  tokenType,
} from './claims.js';
import type { Keyring } from './keyring.js';
import * as queries from './auth.sql.js';
import { noteUse } from './narrow.sql.js';
import { noteSessionUse } from './sessions.sql.js';
import { ignore } from '../../base/guarded.js';
import { currentBearer, runOutside } from '../../base/telemetry/context.js';
import type { ForeignTokens } from './foreign-tokens.js';
import { decode, encode, isForeign, type VerifiedToken, VerifiedTokens } from './token-codec.js';
import { dayMs, hourMs, minuteMs, secondMs } from '../../base/units.js';

type Lifetimes = Pick<
  Config,
  | 'tokens.admin_ttl'
  | 'tokens.platform_ttl'
  | 'tokens.user_ttl'
  | 'tokens.refresh_ttl'
  | 'tokens.refresh_grace'
  | 'idempotency.retention_hours'
>;

export interface TokenPair {
  readonly access_token: string;
  readonly refresh_token: string;
  readonly token_type: typeof tokenType;
}

/** How long a session that stays lasts unused, in seconds. */
const sessionUnused = (30 * dayMs) / secondMs;

/** Narrow tokens and sessions whose last use is remembered. */
const maxNoted = 10_000;

/** A token and its state. */
interface InspectedToken extends VerifiedToken {
  readonly state: queries.TokenState | 'token_expired' | 'token_spent';
}

/** Issues, verifies, refreshes, and revokes tokens. */
export class Tokens {
  readonly #verified: VerifiedTokens;
  /** Narrow tokens and sessions: the hour in which their last use was noted, since 1970. */
  readonly #usedIn = new Map<string, number>();

  constructor(
    private readonly db: DataSource,
    private readonly keyring: Keyring,
    private readonly lifetimes: Lifetimes,
    foreign?: Pick<ForeignTokens, 'verify'>,
  ) {
    this.#verified = new VerifiedTokens(
      (token) =>
        foreign && isForeign(token) ? foreign.verify(token) : decodeAccess(token, keyring),
      ({ claims }) => runAsCaller(callerOf(claims), () => queries.tokenState(db, claims)),
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
    return (await this.#issue(holder, db, family)).pair;
  }

  async #issue(
    { session, ...holder }: Holder & Pick<Claims, 'session'>,
    db: DataSource | EntityManager,
    family: string,
  ): Promise<{ pair: TokenPair; refresh: queries.Successor }> {
    const key = await this.keyring.current(db);
    const generation = await this.#generation(db, holder);
    const longest = session === undefined ? Infinity : sessionUnused;
    const lifetime = Math.min(longest, this.lifetimes['tokens.refresh_ttl']);
    const accessLifetime = this.lifetime(scopeOf(holder));
    const access = encode(key, {
      holder,
      type: 'access',
      lifetime: accessLifetime,
      family,
      session,
      generation,
    });
    const refresh = encode(key, { holder, type: 'refresh', lifetime, family, session, generation });
    await queries.insertRefreshToken(db, {
      id: refresh.id,
      familyId: family,
      holder,
      // The row also records that the family is revoked, so it is kept as long as either token
      // could be valid.
      lifetime: Math.max(lifetime, accessLifetime),
    });
    const { token, id, issuedAt } = refresh;
    return {
      pair: { access_token: access.token, refresh_token: token, token_type: tokenType },
      refresh: { id, keyId: key.id, generation, issuedAt, lifetime },
    };
  }

  /** A narrow token. @param lifetime in seconds. */
  async issueNarrow(
    holder: Holder,
    lifetime: number,
    db: EntityManager,
    allow: readonly AllowWord[],
  ): Promise<{ token: string; id: string }> {
    const key = await this.keyring.current(db);
    const generation = await this.#generation(db, holder);
    return encode(key, { holder, type: 'narrow', lifetime, generation, allow });
  }

  /** The tokens of a new session that stays, which ends with the family that begins here. */
  async issueOfStaying(
    holder: Holder,
    { id, name }: { id: string; name: string },
    tx: EntityManager,
  ): Promise<TokenPair> {
    return (await this.#issue({ ...holder, session: name }, tx, id)).pair;
  }

  /**
   * The access token of any other new session, likewise.
   * @param lifetime in seconds. @throws ServiceError `platform_not_found`.
   */
  async issueOfSession(
    holder: Holder,
    { id, name, lifetime }: { id: string; name: string; lifetime: number },
    tx: EntityManager,
  ): Promise<string> {
    const key = await this.keyring.current(tx);
    const generation = await this.#generation(tx, holder);
    const grant = { holder, type: 'access', lifetime, family: id, session: name } as const;
    await queries.insertRefreshToken(tx, { id: uuidv7(), familyId: id, holder, lifetime });
    return encode(key, { ...grant, generation }).token;
  }

  /**
   * Issues access tokens only, for several holders of one platform; their refresh tokens stay
   * valid. In a session, they are of that session, and end with it.
   */
  async reissueAccess(holders: readonly Holder[]): Promise<string[]> {
    const first = holders[0];
    if (!first) return [];
    const key = await this.keyring.current();
    const generation = await this.#generation(this.db, first);
    const bearer = currentBearer();
    const left = (bearer?.session?.expiresAt ?? Infinity) - Math.floor(Date.now() / secondMs);
    const within = bearer?.session && { family: bearer.token, session: bearer.session.name };
    return holders.map(
      (holder) =>
        encode(key, {
          holder,
          type: 'access',
          lifetime: Math.min(this.lifetime(scopeOf(holder)), left),
          generation,
          ...within,
        }).token,
    );
  }

  /**
   * @throws ServiceError `unauthorized`, `token_expired`, `token_revoked`, `platform_suspended`,
   *   `user_suspended`.
   */
  async verifyAccess(token: string): Promise<Claims> {
    const { claims } = await this.#verified.check(token);
    if (claims.typ === 'narrow') this.#noteUse(claims.jti, noteUse);
    else if (claims.session !== undefined && claims.fam) this.#noteUse(claims.fam, noteSessionUse);
    return claims;
  }

  /** Notes once an hour that a narrow token or a session is used; no request waits for it. */
  #noteUse(id: string, note: typeof noteUse): void {
    const hour = Math.floor(Date.now() / hourMs);
    if (this.#usedIn.get(id) === hour) return;
    if (this.#usedIn.size >= maxNoted) this.#usedIn.clear();
    this.#usedIn.set(id, hour);
    runOutside(() => note(this.db, id)).catch(ignore); // the next hour notes another one
  }

  /**
   * Exchanges a refresh token for a new pair. It works once; reusing a spent one revokes its whole
   * family, since either the holder or a thief has a copy (RFC 9700, section 4.14.2). Whoever repeats
   * the request because its answer was lost gets the same refresh token (docs/adr/0006).
   * @param key the Idempotency-Key of the request.
   */
  async refresh(token: string, key?: string): Promise<TokenPair> {
    const { claims } = await decode(token, this.keyring);
    const { typ, fam } = claims;
    if (typ !== 'refresh' || fam === undefined) {
      throw new ServiceError('unauthorized', { message: 'A refresh token is required.' });
    }
    const keyHash = key === undefined ? null : createHash('sha256').update(key).digest();
    return runAsCaller(callerOf(claims), () => this.#trade(claims, fam, keyHash));
  }

  async #trade(claims: Claims, family: string, keyHash: Buffer | null): Promise<TokenPair> {
    const pair = await this.db
      .transaction(async (tx) => {
        await queries.lockFamily(tx, family);
        const given = await queries.selectRefreshToken(tx, claims.jti);
        const successor = given && this.#repeated(given, keyHash);
        if (!given || given.revoked || (given.spent && !successor)) {
          await queries.revokeFamily(tx, family);
          return undefined; // an error would undo it
        }
        const pair = successor
          ? await this.#again(claims, family, successor, tx)
          : await this.#next(claims, family, keyHash, tx);
        // Checked last: anything revoked up to now was revoked before the new pair became valid.
        const state = await queries.tokenState(tx, claims);
        if (state === 'valid') return pair;
        throw new ServiceError(state);
      })
      .catch((error: unknown) => {
        // The user was deleted in the meantime.
        throw isForeignKeyViolation(error) ? new ServiceError('token_revoked') : error;
      });
    if (pair) return pair;
    throw new ServiceError('token_revoked');
  }

  /** What a spent token was exchanged for, if this is a repeat of the request that spent it. */
  #repeated(
    { spent, spentFor, keyHash: firstKey, unusedSuccessor }: queries.RefreshTokenState,
    keyHash: Buffer | null,
  ): queries.Successor | undefined {
    if (!spent || spentFor === null || !unusedSuccessor) return undefined;
    const { 'tokens.refresh_grace': grace, 'idempotency.retention_hours': hours } = this.lifetimes;
    const isRepeat =
      keyHash === null
        ? grace > 0 && spentFor <= grace
        : firstKey?.equals(keyHash) === true && spentFor <= (hours * hourMs) / secondMs;
    return isRepeat ? unusedSuccessor : undefined;
  }

  /** Spends a refresh token. */
  async #next(
    claims: Claims,
    family: string,
    keyHash: Buffer | null,
    tx: EntityManager,
  ): Promise<TokenPair> {
    const { pair, refresh: successor } = await this.#issue(claims, tx, family);
    const isSpent = await queries.spendRefreshToken(tx, claims.jti, { successor, keyHash });
    if (!isSpent) throw new ServiceError('token_revoked'); // with its user, just now
    await queries.forgetSpentTokens(tx, family, claims.jti);
    return pair;
  }

  /** The refresh token that a spent one was exchanged for, with a fresh access token. */
  async #again(
    { session, ...holder }: Claims,
    family: string,
    { id, keyId, generation, issuedAt, lifetime }: queries.Successor,
    tx: EntityManager,
  ): Promise<TokenPair> {
    const key = await this.keyring.find(keyId, tx);
    if (!key) throw new ServiceError('token_revoked');
    const grant = { holder, family, session, generation };
    const accessLifetime = this.lifetime(scopeOf(holder));
    const access = { ...grant, type: 'access', lifetime: accessLifetime } as const;
    const refresh = { ...grant, type: 'refresh', lifetime, id, issuedAt } as const;
    // A minute more: the clocks of node and database differ, and the transaction takes a while.
    await queries.keepRefreshToken(tx, id, accessLifetime + minuteMs / secondMs);
    return {
      access_token: encode(await this.keyring.current(tx), access).token,
      refresh_token: encode(key, refresh).token,
      token_type: tokenType,
    };
  }

  /** Whether a verified token is valid, or the error code of its refusal. */
  state(claims: Claims): Promise<queries.TokenState> {
    return queries.tokenState(this.db, claims);
  }

  /** Which of these verified tokens are no longer valid: their places in the list. */
  ended(tokens: readonly Claims[]): Promise<readonly number[]> {
    return queries.endedTokens(this.db, tokens);
  }

  /**
   * The content and state of a token with a valid signature. @throws ServiceError `unauthorized`
   * for any other token.
   */
  async inspect(token: string): Promise<InspectedToken> {
    const verified = await decode(token, this.keyring, { ignoreExpiration: true });
    const { claims, expiresAt } = verified;
    const expired = expiresAt * secondMs <= Date.now();
    const state = expired ? 'token_expired' : await queries.tokenState(this.db, claims);
    if (state !== 'valid' || claims.typ !== 'refresh') return { ...verified, state };
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
    await queries.endNarrowTokens(db, platformId);
    await queries.endCodes(db, platformId);
  }

  async #generation(db: Queryable, { platformId }: Holder): Promise<number | undefined> {
    if (platformId === undefined) return undefined;
    const found = await queries.tokenGeneration(db, platformId);
    if (found === undefined) throw new ServiceError('platform_not_found');
    return found;
  }
}

async function decodeAccess(token: string, keyring: Keyring): Promise<VerifiedToken> {
  const decoded = await decode(token, keyring);
  if (decoded.claims.typ !== 'refresh') return decoded;
  throw new ServiceError('unauthorized', { message: 'An access token is required.' });
}

/** Deletes expired refresh tokens. */
export const forgetExpiredTokens = (db: Queryable): Promise<unknown> =>
  rows(db, 'DELETE FROM refresh_tokens WHERE expires_at < now()');
