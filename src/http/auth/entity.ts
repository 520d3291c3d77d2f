import { EntitySchema } from 'typeorm';
import { now, type RowOf } from '../../database/columns.js';

const consoleCodeColumns = {
  /** SHA-256, so that nobody can sign in with the contents of the table. */
  hash: { type: 'bytea', primary: true },
  expiresAt: { name: 'expires_at', type: 'timestamptz' },
} as const;

/** Codes of links to the console that have not been used yet. */
export const ConsoleCodeEntity = new EntitySchema<RowOf<typeof consoleCodeColumns>>({
  name: 'console_code',
  tableName: 'console_codes',
  columns: consoleCodeColumns,
});

/** Token signing keys, encrypted with the master key, which is never stored in the database. */
const signingKeyColumns = {
  id: { type: 'text', primary: true },
  sealed: { type: 'bytea' },
  createdAt: { name: 'created_at', type: 'timestamptz', default: now },
  revokedAt: { name: 'revoked_at', type: 'timestamptz', nullable: true },
} as const;

export type SigningKeyRow = RowOf<typeof signingKeyColumns>;

export const SigningKeyEntity = new EntitySchema<SigningKeyRow>({
  name: 'signing_key',
  tableName: 'signing_keys',
  columns: signingKeyColumns,
});

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

export const RefreshTokenEntity = new EntitySchema<RowOf<typeof refreshTokenColumns>>({
  name: 'refresh_token',
  tableName: 'refresh_tokens',
  columns: refreshTokenColumns,
});

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
export const NarrowTokenEntity = new EntitySchema<RowOf<typeof narrowTokenColumns>>({
  name: 'narrow_token',
  tableName: 'narrow_tokens',
  columns: narrowTokenColumns,
});

/** Of an entry with a `token_id`: the name of its token, if that is a narrow one. */
export const tokenName =
  '(SELECT t.name FROM narrow_tokens t WHERE t.id = token_id) AS "tokenName"';
