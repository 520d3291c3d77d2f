import { hash } from 'node:crypto';
import type { JWTPayload } from 'jose';
import type { DataSource } from 'typeorm';
import { v5 as uuidv5 } from 'uuid';
import { SharedRun } from '../../base/concurrency.js';
import { ServiceError } from '../../base/errors/catalogue.js';
import { dayMs, secondMs } from '../../base/units.js';
import { runAsCaller } from '../../database/fairness.js';
import { text } from '../request-fields.js';
import type { AllowWord } from './claims.js';
import { selectIssuers, selectUserId, type KnownIdentity } from './identities.sql.js';
import { algorithms, type KeySet, type KeySets } from './key-sets.js';
import type { VerifiedToken } from './token-codec.js';

/** How far the clocks of provider and server may differ, in seconds. */
const leeway = 60;
/** How long a token may be valid from now on, in seconds. */
const maxAhead = dayMs / secondMs;
const maxCharacters = 10_000;
/** Audiences that a token may have. */
const maxAudiences = 100;

/** What a token says of itself before its signature has been checked. */
interface Unverified {
  readonly issuer: string;
  readonly audiences: readonly string[];
}

/** A token whose signature and times are right. */
interface Signed {
  readonly identity: KnownIdentity;
  readonly keys: KeySet;
  readonly payload: JWTPayload & { readonly iat: number; readonly exp: number };
}

/** Told what has been found right, one after the other. */
type Report = (step: string) => void;

interface ForeignParts {
  readonly db: DataSource;
  readonly keySets: KeySets;
  /**
   * Makes the user of a platform whom a token names. @param issuedAt of the token, in seconds since 1970.
   * @throws ServiceError `user_exists`, `platform_limit_exceeded`, `token_revoked`, `unavailable`.
   */
  readonly createUser: (platformId: string, name: string, issuedAt: number) => Promise<string>;
}

const refused = (message: string, cause?: unknown): ServiceError =>
  new ServiceError('unauthorized', { message, cause });

/** Verifies tokens of platforms' own identity providers. No message has anything of a token in it. */
export class ForeignTokens {
  readonly #asked = new Set<string>();
  /** Issuers can be forged: however many requests name one, they never hold more than one connection. */
  readonly #lookup = new SharedRun(async () => {
    const issuers = [...this.#asked];
    this.#asked.clear();
    return selectIssuers(this.parts.db, issuers);
  });

  constructor(private readonly parts: ForeignParts) {}

  /**
   * The content of a token, whose user is made if the identity says so.
   * @throws ServiceError `unauthorized`, `token_expired`, `token_revoked`, `platform_suspended`.
   */
  async verify(token: string): Promise<VerifiedToken> {
    const signed = await this.#signed(token);
    const { identity } = signed;
    const userId = await runAsCaller(identity.platformId, () => this.#userOf(signed));
    return this.#verified(token, signed, userId);
  }

  /**
   * The content of a token, or as `verify` throws; makes no user, and reports each step.
   * @returns undefined if the first request of the token would make its user.
   */
  async explain(token: string, report: Report): Promise<VerifiedToken | undefined> {
    const signed = await this.#signed(token, report);
    const { identity } = signed;
    const name = nameIn(signed);
    report(`Its claim ${identity.userClaim} names a platform_user_id: ${name}`);
    const userId = await selectUserId(this.parts.db, identity.platformId, name);
    if (userId === undefined && identity.createUsers) return undefined;
    if (userId === undefined) throw unknownUser(identity);
    report(`The platform has this user: ${userId}`);
    return this.#verified(token, signed, userId);
  }

  #verified(token: string, { identity, keys, payload }: Signed, userId: string): VerifiedToken {
    const { id, platformId, generation: gen, allow } = identity;
    const issuedAt = Math.min(payload.iat, Date.now() / secondMs);
    const claims = {
      scope: 'user',
      typ: 'foreign',
      jti: uuidv5(hash('sha256', token), id),
      platformId,
      userId,
      gen,
      identity: id,
      allow: allow as AllowWord[],
      iat: issuedAt,
      exp: payload.exp,
    } as const;
    const isCurrent = async () => (await this.parts.keySets.current(identity)) === keys;
    return { claims, issuedAt, expiresAt: payload.exp + leeway, isCurrent };
  }

  async #signed(token: string, report: Report = () => undefined): Promise<Signed> {
    const unverified = await readUnverified(token);
    const identity = await this.#identityOf(unverified);
    report(`The platform ${identity.platformId} has its issuer and audience`);
    let keys = await this.parts.keySets.current(identity);
    report(`The key set is known, with ${keys.keys.length} usable keys`);
    let payload = await payloadOf(token, keys, identity);
    if (!payload) {
      const before = keys;
      keys = await this.parts.keySets.renewed(identity);
      payload = keys === before ? undefined : await payloadOf(token, keys, identity);
    }
    if (!payload) {
      throw refused(
        'No key of the key set, which was read again for this, has the kid and algorithm of the token.',
      );
    }
    report('A key of it has signed the token, which is valid now');
    const signed = { identity, keys, payload: withTimes(payload) };
    const { revokedAt } = identity;
    if (revokedAt && signed.payload.iat * secondMs < revokedAt.getTime()) {
      throw new ServiceError('token_revoked', {
        message: 'The token was issued before the tokens of its platform were revoked.',
      });
    }
    return signed;
  }

  /** Whose token it is, according to its issuer and audience, by which the keys are chosen. */
  async #identityOf({ issuer, audiences }: Unverified): Promise<KnownIdentity> {
    this.#asked.add(issuer);
    const ofIssuer = (await this.#lookup.run()).filter((one) => one.issuer === issuer);
    const [first, second] = ofIssuer.filter(({ audience }) => audiences.includes(audience));
    if (second) {
      throw refused(
        'The token fits the identities of two platforms: have it issued for the audience of one.',
      );
    }
    if (first) return first;
    throw refused(
      ofIssuer.length > 0
        ? 'A platform has the issuer of the token, but not its audience (aud).'
        : 'No platform has the issuer (iss) of the token: it must be the same to the letter, with or without a slash at its end.',
    );
  }

  async #userOf(signed: Signed): Promise<string> {
    const { db, createUser } = this.parts;
    const { identity, payload } = signed;
    const { platformId } = identity;
    const name = nameIn(signed);
    const found = await selectUserId(db, platformId, name);
    if (found !== undefined) return found;
    if (!identity.createUsers) throw unknownUser(identity);
    if (identity.suspended) throw new ServiceError('platform_suspended');
    try {
      return await createUser(platformId, name, payload.iat);
    } catch (error) {
      const code = error instanceof ServiceError ? error.code : undefined;
      const made = code === 'user_exists' ? await selectUserId(db, platformId, name) : undefined;
      if (made !== undefined) return made;
      if (code !== 'platform_limit_exceeded') throw error;
      throw refused('The user is new, and the platform may have no more users.', error);
    }
  }
}

const unknownUser = ({ userClaim }: KnownIdentity): ServiceError =>
  refused(
    `The platform has no user whose platform_user_id is, to the letter, what the claim ${userClaim} says: create the user, or set create_users.`,
  );

const platformUserId = text(1, 255);

/** @throws ServiceError `unauthorized`. */
function nameIn({ identity: { userClaim }, payload }: Signed): string {
  const value = Object.hasOwn(payload, userClaim) ? payload[userClaim] : undefined;
  if (value === undefined) throw refused(`The token has no claim ${userClaim}.`);
  const name = typeof value === 'string' ? platformUserId.safeParse(value) : undefined;
  if (name?.success) return name.data;
  throw refused(`The claim ${userClaim} must be text of 1 to 255 characters.`);
}

/** @throws ServiceError `unauthorized`. */
async function readUnverified(token: string): Promise<Unverified> {
  if (token.length > maxCharacters) {
    throw refused(`The token has more than ${maxCharacters.toLocaleString('en')} characters.`);
  }
  const { decodeJwt, decodeProtectedHeader } = await import('jose');
  let parts;
  try {
    parts = { header: decodeProtectedHeader(token), payload: decodeJwt(token) };
  } catch (cause) {
    throw refused('The token is not a signed JWT.', cause);
  }
  const { header, payload } = parts;
  if (!algorithms.includes(header.alg ?? '')) {
    throw refused(`The token must be signed with one of ${algorithms.join(', ')}.`);
  }
  const { iss: issuer, aud } = payload;
  const audiences = [aud].flat().filter((one) => typeof one === 'string');
  const isText = typeof issuer === 'string' && !issuer.includes('\0') && issuer.isWellFormed();
  if (!isText) throw refused('The token has no issuer (iss).');
  if (audiences.length === 0) throw refused('The token has no audience (aud).');
  if (audiences.length > maxAudiences) throw refused('The token has too many audiences (aud).');
  return { issuer, audiences };
}

/**
 * The content of a token with a good signature. @returns undefined if no key has its `kid`.
 * @throws ServiceError `unauthorized`, `token_expired`.
 */
async function payloadOf(
  token: string,
  keys: KeySet,
  { issuer, audience }: KnownIdentity,
): Promise<JWTPayload | undefined> {
  const { errors, jwtVerify } = await import('jose');
  try {
    const { payload } = await jwtVerify(token, keys.find, {
      issuer,
      audience,
      algorithms: [...algorithms],
      clockTolerance: leeway,
      requiredClaims: ['exp', 'iat'],
    });
    return payload;
  } catch (error) {
    if (error instanceof errors.JWKSNoMatchingKey) return undefined;
    if (error instanceof errors.JWTExpired) throw new ServiceError('token_expired');
    if (error instanceof errors.JWTClaimValidationFailed) {
      const { claim, reason } = error;
      const what = faults.get(reason) ?? 'says that the token is not valid yet';
      throw refused(`The claim ${claim} ${what}.`, error);
    }
    throw refused(reasons.get((error as { code?: string }).code ?? '') ?? notSigned, error);
  }
}

const faults = new Map<string, string>([
  ['missing', 'is missing'],
  ['invalid', 'must be a number'],
]);
const notSigned = 'The signature of the token is not one of the key set of its platform.';
const reasons = new Map([
  ['ERR_JWKS_MULTIPLE_MATCHING_KEYS', 'Several keys fit the token: it must name its own by kid.'],
  ['ERR_JWS_INVALID', 'The token is not a well-formed signed JWT.'],
  [
    'ERR_JOSE_NOT_SUPPORTED',
    'The token has header parameters that are marked as critical (crit) and not understood.',
  ],
]);

/** @throws ServiceError `unauthorized`. */
function withTimes(payload: JWTPayload): Signed['payload'] {
  const now = Date.now() / secondMs;
  const { iat, exp } = payload;
  if (iat === undefined || exp === undefined) throw refused('The claims exp and iat are required.');
  if (iat > now + leeway) throw refused('The claim iat is in the future: compare the clocks.');
  if (exp > now + maxAhead + leeway) {
    throw refused('The claim exp is more than 24 hours ahead: have tokens issued for less.');
  }
  return { ...payload, iat, exp };
}
