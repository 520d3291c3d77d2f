import { entityOf, now, type RowOf } from '../../database/columns.js';

const consoleCodeColumns = {
  /** SHA-256, so that nobody can sign in with the contents of the table. */
  hash: { type: 'bytea', primary: true },
  expiresAt: { name: 'expires_at', type: 'timestamptz' },
  /** Of whom it signs in. */
  name: { type: 'text', default: '' },
  /** Those that its bearer may choose from; null: it signs in an administrator. */
  platformIds: { name: 'platform_ids', type: 'uuid', array: true, nullable: true },
  userId: { name: 'user_id', type: 'uuid', nullable: true },
} as const;

/** Codes that sign in to the console and have not been used yet. */
export const ConsoleCodeEntity = entityOf('console_codes', consoleCodeColumns);

/** Token signing keys, encrypted with the master key, which is never stored in the database. */
const signingKeyColumns = {
  id: { type: 'text', primary: true },
  sealed: { type: 'bytea' },
  createdAt: { name: 'created_at', type: 'timestamptz', default: now },
  revokedAt: { name: 'revoked_at', type: 'timestamptz', nullable: true },
} as const;

export type SigningKeyRow = RowOf<typeof signingKeyColumns>;

export const SigningKeyEntity = entityOf('signing_keys', signingKeyColumns);

export const refreshTokenColumns = {
  id: { type: 'uuid', primary: true },
  /** All tokens that descend from one grant; reusing a spent one revokes them all. */
  familyId: { name: 'family_id', type: 'uuid' },
  platformId: { name: 'platform_id', type: 'uuid', nullable: true },
  userId: { name: 'user_id', type: 'uuid', nullable: true },
  createdAt: { name: 'created_at', type: 'timestamptz', default: now },
  expiresAt: { name: 'expires_at', type: 'timestamptz' },
  spentAt: { name: 'spent_at', type: 'timestamptz', nullable: true },
  revokedAt: { name: 'revoked_at', type: 'timestamptz', nullable: true },
  /** A `Successor`: what the token was exchanged for. */
  successor: { type: 'jsonb', nullable: true },
  /** SHA-256 of the Idempotency-Key of the request that spent it. */
  keyHash: { name: 'key_hash', type: 'bytea', nullable: true },
} as const;

export const RefreshTokenEntity = entityOf('refresh_tokens', refreshTokenColumns);

export const narrowTokenColumns = {
  id: { type: 'uuid', primary: true },
  /** Null, with `userId`: an administrator's. */
  platformId: { name: 'platform_id', type: 'uuid', nullable: true },
  userId: { name: 'user_id', type: 'uuid', nullable: true },
  name: { type: 'text' },
  allow: { type: 'text', array: true },
  createdBy: { name: 'created_by', type: 'text' },
  createdAt: { name: 'created_at', type: 'timestamptz', default: now },
  expiresAt: { name: 'expires_at', type: 'timestamptz' },
  /** To the hour. */
  lastUsedAt: { name: 'last_used_at', type: 'timestamptz', nullable: true },
  revokedAt: { name: 'revoked_at', type: 'timestamptz', nullable: true },
} as const;

/** A narrow token, which stays for as long as audit and change feed may name it. */
export const NarrowTokenEntity = entityOf('narrow_tokens', narrowTokenColumns);

export const identityColumns = {
  platformId: { name: 'platform_id', type: 'uuid', primary: true },
  /** Another one whenever it changes, which ends all that was concluded from it. */
  id: { type: 'uuid' },
  issuer: { type: 'text' },
  audience: { type: 'text' },
  jwksUrl: { name: 'jwks_url', type: 'text', nullable: true },
  /** In place of a URL. */
  jwks: { type: 'jsonb', nullable: true },
  userClaim: { name: 'user_claim', type: 'text' },
  createUsers: { name: 'create_users', type: 'boolean' },
  allow: { type: 'text', array: true },
  createdAt: { name: 'created_at', type: 'timestamptz', default: now },
  updatedAt: { name: 'updated_at', type: 'timestamptz', default: now },
} as const;

const formerUserColumns = {
  id: { type: 'uuid', primary: true },
  platformId: { name: 'platform_id', type: 'uuid' },
  /** SHA-256 of the platform_user_id; null if the platform had no identity then. */
  hash: { type: 'bytea', nullable: true },
  deletedAt: { name: 'deleted_at', type: 'timestamptz' },
} as const;

/** The identity provider whose tokens are a platform's users. */
export const IdentityEntity = entityOf('identities', identityColumns);

/** Users who were deleted: URLs of their files have ended, and tokens from before make none of them anew. */
export const FormerUserEntity = entityOf('former_users', formerUserColumns);

/** A session lasts as long as a refresh token of the family that has its id. */
export const sessionColumns = {
  id: { type: 'uuid', primary: true },
  /** Null, with `userId`: an administrator's. */
  platformId: { name: 'platform_id', type: 'uuid', nullable: true },
  userId: { name: 'user_id', type: 'uuid', nullable: true },
  /** Of the person, as audit and change feed call them. */
  name: { type: 'text' },
  device: { type: 'text' },
  createdAt: { name: 'created_at', type: 'timestamptz', default: now },
  /** To the hour, once that after its creation has begun. */
  lastUsedAt: { name: 'last_used_at', type: 'timestamptz', default: now },
} as const;

/** Somebody's sign-in, which stays for as long as audit and change feed may name it. */
export const SessionEntity = entityOf('sessions', sessionColumns);

/** What has a name that audit and change feed show: narrow tokens and sessions. */
export const namedTokens =
  '(SELECT id, name FROM narrow_tokens UNION ALL SELECT id, name FROM sessions)';

/** Of an entry with a `token_id`: the name of its narrow token or session. */
export const tokenName = `(SELECT t.name FROM ${namedTokens} t WHERE t.id = token_id) AS "tokenName"`;
