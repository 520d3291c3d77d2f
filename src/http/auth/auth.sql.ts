import { IsNull, Not, type EntityManager } from 'typeorm';
import { nameList, only, now } from '../../database/columns.js';
import {
  column,
  exists,
  insert,
  onlyRow,
  onlyValue,
  prepared,
  type Queryable,
  row,
  rows,
  value,
} from '../../database/sql.js';
import type { Claims, Holder } from './claims.js';
import {
  RefreshTokenEntity,
  refreshTokenColumns,
  SigningKeyEntity,
  type SigningKeyRow,
} from './entity.js';

export type SealedKey = Pick<SigningKeyRow, 'id' | 'sealed'>;

/** A DataSource, or the EntityManager of a transaction. */
export type Repositories = Pick<EntityManager, 'getRepository'>;

const sealed = { id: true, sealed: true } as const;

export const selectNewestKey = async (db: Repositories): Promise<SealedKey | undefined> =>
  (await db.getRepository(SigningKeyEntity).findOne({
    select: sealed,
    where: { revokedAt: IsNull() },
    order: { createdAt: 'DESC', id: 'DESC' },
  })) ?? undefined;

export const selectSigningKeys = (db: Repositories): Promise<SealedKey[]> =>
  db.getRepository(SigningKeyEntity).find({ select: sealed });

/** Every signing key, the newest first; the first one that is not revoked signs. */
export const listKeys = (db: Repositories): Promise<Omit<SigningKeyRow, 'sealed'>[]> =>
  db.getRepository(SigningKeyEntity).find({
    select: { id: true, createdAt: true, revokedAt: true },
    order: { createdAt: 'DESC', id: 'DESC' },
  });

export const insertKey = (tx: EntityManager, key: SealedKey): Promise<unknown> =>
  insert(tx, SigningKeyEntity, key);

export const revokeOtherKeys = (tx: EntityManager, id: string): Promise<unknown> =>
  tx.update(SigningKeyEntity, { id: Not(id), revokedAt: IsNull() }, { revokedAt: now });

/** Codes that sign in to a platform, or its users, end with its tokens. */
export const endCodes = (tx: Queryable, platformId: string): Promise<unknown> =>
  rows(tx, 'DELETE FROM console_codes WHERE $1::uuid = ANY (platform_ids)', [platformId]);

/** Narrow tokens that have lost their signing key, or their platform's generation, are listed no more. */
export const endNarrowTokens = (tx: Queryable, platformId?: string): Promise<unknown> =>
  rows(
    tx,
    `UPDATE narrow_tokens SET revoked_at = now()
     WHERE revoked_at IS NULL AND ($1::uuid IS NULL OR platform_id = $1)`,
    [platformId ?? null],
  );

/**
 * The state of each token in `tokens`: the columns place, kid, fam, platform_id, gen, user_id, narrow,
 * identity.
 */
const states = (tokens: string): string => `
  SELECT token.place, CASE
    WHEN token.identity IS NULL
        AND NOT EXISTS (SELECT FROM signing_keys WHERE id = token.kid AND revoked_at IS NULL)
      OR token.identity IS NOT NULL AND NOT EXISTS (
        SELECT FROM identities WHERE platform_id = token.platform_id AND id = token.identity)
      OR EXISTS (
        SELECT FROM refresh_tokens WHERE family_id = token.fam AND revoked_at IS NOT NULL)
      OR token.narrow IS NOT NULL AND NOT EXISTS (
        SELECT FROM narrow_tokens WHERE id = token.narrow AND revoked_at IS NULL)
      OR token.platform_id IS NOT NULL AND p.id IS NULL
      OR token.user_id IS NOT NULL AND u.id IS NULL
      THEN 'token_revoked'
    WHEN p.suspended_at IS NOT NULL THEN 'platform_suspended'
    WHEN u.suspended_at IS NOT NULL THEN 'user_suspended'
    ELSE 'valid' END AS state
  FROM ${tokens} LEFT JOIN platforms p ON p.id = token.platform_id AND p.token_generation = token.gen
  LEFT JOIN users u ON u.id = token.user_id AND u.platform_id = token.platform_id`;

const tokenStands = prepared(
  states(
    `(VALUES (1, $1::text, $2::uuid, $3::uuid, $4::integer, $5::uuid, $6::uuid, $7::uuid))
     AS token (place, kid, fam, platform_id, gen, user_id, narrow, identity)`,
  ),
);

/** Whether a token is valid, or the error code of its refusal. */
export type TokenState = 'valid' | 'token_revoked' | 'platform_suspended' | 'user_suspended';

const narrowId = ({ typ, jti }: Claims): string | null => (typ === 'narrow' ? jti : null);

/** Whether a verified token is still valid: checks its key or identity, row or family, platform, and user. */
export async function tokenState(db: Queryable, claims: Claims): Promise<TokenState> {
  const found = await row<{ state: TokenState }>(db, tokenStands, [
    claims.kid ?? null,
    claims.fam ?? null,
    claims.platformId ?? null,
    claims.gen ?? null,
    claims.userId ?? null,
    narrowId(claims),
    claims.identity ?? null,
  ]);
  return found?.state ?? 'token_revoked';
}

/** Which of these verified tokens are no longer valid: their places in the list. */
export const endedTokens = async (
  db: Queryable,
  tokens: readonly Claims[],
): Promise<readonly number[]> =>
  column<number>(
    db,
    `SELECT place::integer - 1 FROM (${states(
      `unnest($1::text[], $2::uuid[], $3::uuid[], $4::integer[], $5::uuid[], $6::uuid[], $7::uuid[])
       WITH ORDINALITY AS token (kid, fam, platform_id, gen, user_id, narrow, identity, place)`,
    )}) AS found WHERE state <> 'valid'`,
    [
      tokens.map(({ kid }) => kid ?? null),
      tokens.map(({ fam }) => fam ?? null),
      tokens.map(({ platformId }) => platformId ?? null),
      tokens.map(({ gen }) => gen ?? null),
      tokens.map(({ userId }) => userId ?? null),
      tokens.map(narrowId),
      tokens.map(({ identity }) => identity ?? null),
    ],
  );

export const tokenGeneration = (db: Queryable, platformId: string) =>
  value<number>(db, `SELECT token_generation FROM platforms WHERE id = $1`, [platformId]);

const newToken = only(refreshTokenColumns, 'id', 'familyId', 'platformId', 'userId', 'expiresAt');

export const insertRefreshToken = (
  db: Queryable,
  token: { id: string; familyId: string; holder: Holder; lifetime: number },
): Promise<unknown> =>
  rows(
    db,
    `INSERT INTO refresh_tokens (${nameList(newToken)})
     VALUES ($1, $2, $3, $4, now() + make_interval(secs => $5))`,
    [
      token.id,
      token.familyId,
      token.holder.platformId ?? null,
      token.holder.userId ?? null,
      token.lifetime,
    ],
  );

/** Holds off other uses of the refresh tokens of a family, on every node, until the transaction ends. */
export const lockFamily = (tx: Queryable, familyId: string): Promise<unknown> =>
  row(tx, 'SELECT pg_advisory_xact_lock(hashtextextended($1, 2))', [familyId]);

/** What a refresh token was exchanged for: all that it takes to sign the same token again. */
export interface Successor {
  /** Its `jti`. */
  readonly id: string;
  /** `kid` of its signing key. */
  readonly keyId: string;
  readonly generation?: number;
  /** Seconds since 1970. */
  readonly issuedAt: number;
  /** Seconds. */
  readonly lifetime: number;
}

/** How a refresh token was used. */
export interface Use {
  readonly successor: Successor;
  /** SHA-256 of the Idempotency-Key of the request. */
  readonly keyHash: Buffer | null;
}

/** Marks a refresh token as used. @returns false when it was used or revoked before. */
export async function spendRefreshToken(db: Repositories, id: string, use: Use): Promise<boolean> {
  const unspent = { id, spentAt: IsNull(), revokedAt: IsNull() };
  const change = { spentAt: now, successor: { ...use.successor }, keyHash: use.keyHash };
  const { affected } = await db.getRepository(RefreshTokenEntity).update(unspent, change);
  return affected === 1;
}

/** Keeps a refresh token's row for this many seconds from now at least. */
export const keepRefreshToken = (db: Queryable, id: string, seconds: number): Promise<unknown> =>
  rows(
    db,
    `UPDATE refresh_tokens SET expires_at = now() + make_interval(secs => $2)
     WHERE id = $1 AND expires_at < now() + make_interval(secs => $2)`,
    [id, seconds],
  );

/**
 * Deletes the used refresh tokens of a family but the last one: whoever uses one that is gone revokes
 * the family all the same, and a client that refreshes forever takes two rows.
 */
export const forgetSpentTokens = (db: Queryable, familyId: string, last: string) =>
  rows(
    db,
    `DELETE FROM refresh_tokens
     WHERE family_id = $1 AND id <> $2 AND spent_at IS NOT NULL AND revoked_at IS NULL`,
    [familyId, last],
  );

export const revokeFamily = (db: Repositories, familyId: string): Promise<unknown> =>
  db
    .getRepository(RefreshTokenEntity)
    .update({ familyId, revokedAt: IsNull() }, { revokedAt: now });

/** Invalidates every token of a platform and its users. @returns false for an unknown platform. */
export const raiseTokenGeneration = (db: Queryable, platformId: string) =>
  exists(
    db,
    `UPDATE platforms
     SET token_generation = token_generation + 1, revoked_at = now(), updated_at = now()
     WHERE id = $1 RETURNING id`,
    [platformId],
  );

/** The columns id, family_id, platform_id, and expires_at of valid refresh tokens; one of a family at most. */
export const liveRefreshTokens = `(
  SELECT t.id, t.family_id, t.platform_id, t.expires_at
  FROM refresh_tokens t LEFT JOIN platforms p ON p.id = t.platform_id
  WHERE t.spent_at IS NULL AND t.revoked_at IS NULL AND t.expires_at > now()
    AND (p.revoked_at IS NULL OR t.created_at >= p.revoked_at)
    AND t.created_at > coalesce((SELECT max(revoked_at) FROM signing_keys), '-infinity'))`;

/** Their number. @param platformId only this platform and its users; undefined for all. */
export const countLiveRefreshTokens = (db: Queryable, platformId: string | undefined) =>
  onlyValue<number>(
    db,
    `SELECT count(*)::int AS live FROM ${liveRefreshTokens} t
     WHERE $1::uuid IS NULL OR t.platform_id = $1`,
    [platformId ?? null],
  );

export interface RefreshTokenState {
  readonly spent: boolean;
  readonly revoked: boolean;
  /** Seconds since it was used. */
  readonly spentFor: number | null;
  readonly keyHash: Buffer | null;
  /** What it was exchanged for, while that has not been used. */
  readonly unusedSuccessor: Successor | null;
}

/** Whether and how a refresh token has been used, or revoked; undefined once it has been deleted. */
export const selectRefreshToken = (db: Queryable, id: string) =>
  row<RefreshTokenState>(
    db,
    `SELECT t.spent_at IS NOT NULL AS spent, t.revoked_at IS NOT NULL AS revoked,
            extract(epoch FROM now() - t.spent_at)::float8 AS "spentFor", t.key_hash AS "keyHash",
            CASE WHEN s.id IS NOT NULL THEN t.successor END AS "unusedSuccessor"
     FROM refresh_tokens t
     LEFT JOIN refresh_tokens s ON s.id = (t.successor ->> 'id')::uuid
       AND s.spent_at IS NULL AND s.revoked_at IS NULL
     WHERE t.id = $1`,
    [id],
  );

const second = (time: string): string => `ceil(extract(epoch FROM ${time}))::float8`;

/** Of more deleted users within the lifetime of a URL, those of the first last until they expire. */
const mostDeleted = 10_000;

/**
 * When signed URLs ended, in seconds since 1970, as far as it is not longer ago than this many
 * seconds: those of everyone, of platforms, and of users.
 */
export async function selectEndedUrls(
  db: Queryable,
  seconds: number,
): Promise<{
  everyone: number;
  platforms: [id: string, at: number][];
  users: [id: string, at: number][];
}> {
  const recent = 'now() - make_interval(secs => $1)';
  const listed = (table: string, ...times: readonly string[]): string =>
    `(SELECT coalesce(json_agg(json_build_array(id, ${second(`greatest(${times.join(', ')})`)})), '[]')
      FROM ${table} WHERE ${times.map((time) => `${time} > ${recent}`).join(' OR ')})`;
  const platforms = '(SELECT platform_id AS id, requested_at FROM erasures) AS e';
  const users = `(SELECT id, deleted_at FROM former_users WHERE deleted_at > ${recent}
    ORDER BY deleted_at DESC LIMIT ${mostDeleted}) AS f`;
  return onlyRow(
    db,
    `SELECT coalesce(${second(`(SELECT max(revoked_at) FROM signing_keys WHERE revoked_at > ${recent})`)}, 0) AS everyone,
            ${listed('platforms', 'suspended_at', 'revoked_at')}::jsonb || ${listed(platforms, 'requested_at')}::jsonb AS platforms,
            ${listed('users', 'suspended_at')}::jsonb || ${listed(users, 'deleted_at')}::jsonb AS users`,
    [seconds],
  );
}
