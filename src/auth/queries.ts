import { IsNull, Not } from 'typeorm';
import type { EntityManager } from 'typeorm';
import { nameList, only } from '../database/columns.js';
import { insert } from '../database/insert.js';
import { prepared } from '../database/prepared.js';
import { row, rows } from '../database/sql.js';
import type { Queryable } from '../database/sql.js';
import { now } from '../database/table.js';
import type { Claims, Holder } from './claims.js';
import { RefreshTokenEntity, refreshTokenColumns, SigningKeyEntity } from './entity.js';
import type { SigningKeyRow } from './entity.js';

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

export const selectKeys = (db: Repositories): Promise<SealedKey[]> =>
  db.getRepository(SigningKeyEntity).find({ select: sealed });

export const insertKey = (tx: EntityManager, key: SealedKey): Promise<unknown> =>
  insert(tx, SigningKeyEntity, key);

export const revokeOtherKeys = (tx: EntityManager, id: string): Promise<unknown> =>
  tx.update(SigningKeyEntity, { id: Not(id), revokedAt: IsNull() }, { revokedAt: now });

const tokenStands = prepared(`
  SELECT EXISTS (SELECT FROM signing_keys WHERE id = $1 AND revoked_at IS NULL)
     AND NOT EXISTS (SELECT FROM refresh_tokens WHERE family_id = $2 AND revoked_at IS NOT NULL)
     AND ($3::uuid IS NULL
          OR EXISTS (SELECT FROM platforms WHERE id = $3 AND token_generation = $4))
     AND ($5::uuid IS NULL
          OR EXISTS (SELECT FROM users WHERE id = $5 AND platform_id = $3)) AS stands`);

/** Whether a verified token is still valid: its key, family, platform, and user. */
export async function isTokenValid(db: Queryable, keyId: string, claims: Claims): Promise<boolean> {
  const found = await row<{ stands: boolean }>(db, tokenStands, [
    keyId,
    claims.fam ?? null,
    claims.platformId ?? null,
    claims.gen ?? null,
    claims.userId ?? null,
  ]);
  return found?.stands === true;
}

export const tokenGeneration = (db: Queryable, platformId: string) =>
  row<{ generation: number }>(
    db,
    `SELECT token_generation AS generation FROM platforms WHERE id = $1`,
    [platformId],
  );

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

/** Marks a refresh token as used. @returns false when it was used or revoked before. */
export async function spendRefreshToken(db: Repositories, id: string): Promise<boolean> {
  const unspent = { id, spentAt: IsNull(), revokedAt: IsNull() };
  const { affected } = await db.getRepository(RefreshTokenEntity).update(unspent, { spentAt: now });
  return affected === 1;
}

export const revokeFamily = (db: Repositories, familyId: string): Promise<unknown> =>
  db
    .getRepository(RefreshTokenEntity)
    .update({ familyId, revokedAt: IsNull() }, { revokedAt: now });

/** Invalidates every token of a platform and its users. @returns false for an unknown platform. */
export const raiseTokenGeneration = async (db: Queryable, platformId: string): Promise<boolean> =>
  (await row(
    db,
    `UPDATE platforms SET token_generation = token_generation + 1, updated_at = now()
     WHERE id = $1 RETURNING id`,
    [platformId],
  )) !== undefined;

/**
 * How many refresh tokens still work; each family has one at most. A platform's row is updated when
 * its tokens are revoked, and never otherwise.
 * @param platformId of this platform and its users; undefined for all there are.
 */
export async function countLiveRefreshTokens(
  db: Queryable,
  platformId: string | undefined,
): Promise<number> {
  const counted = await row<{ live: number }>(
    db,
    `SELECT count(*)::int AS live FROM refresh_tokens t LEFT JOIN platforms p ON p.id = t.platform_id
     WHERE ($1::uuid IS NULL OR t.platform_id = $1)
       AND t.spent_at IS NULL AND t.revoked_at IS NULL AND t.expires_at > now()
       AND (p.id IS NULL OR t.created_at >= p.updated_at)
       AND t.created_at > coalesce((SELECT max(revoked_at) FROM signing_keys), '-infinity')`,
    [platformId ?? null],
  );
  return counted?.live ?? 0;
}

export const deleteExpiredRefreshTokens = (db: Queryable): Promise<unknown> =>
  rows(db, `DELETE FROM refresh_tokens WHERE expires_at < now()`);
