import { row, rows } from '../database/sql.js';
import type { Queryable } from '../database/sql.js';
import type { Claims, Holder } from './claims.js';

export interface SealedKey {
  readonly id: string;
  readonly sealed: Buffer;
}

export const newestKey = (db: Queryable): Promise<SealedKey | undefined> =>
  row(
    db,
    `SELECT id, sealed FROM signing_keys WHERE revoked_at IS NULL ORDER BY created_at DESC, id DESC LIMIT 1`,
  );

export const selectKeys = (db: Queryable): Promise<SealedKey[]> =>
  rows(db, `SELECT id, sealed FROM signing_keys`);

export const insertKey = (db: Queryable, id: string, sealed: Buffer): Promise<unknown> =>
  rows(db, `INSERT INTO signing_keys (id, sealed) VALUES ($1, $2)`, [id, sealed]);

export const revokeOtherKeys = (db: Queryable, id: string): Promise<unknown> =>
  rows(db, `UPDATE signing_keys SET revoked_at = now() WHERE id <> $1 AND revoked_at IS NULL`, [
    id,
  ]);

/** Whether a token that verifies still counts: its key, its family, its platform and its user. */
export async function tokenStands(db: Queryable, keyId: string, claims: Claims): Promise<boolean> {
  const found = await row<{ stands: boolean }>(
    db,
    `SELECT EXISTS (SELECT FROM signing_keys WHERE id = $1 AND revoked_at IS NULL)
        AND NOT EXISTS (SELECT FROM refresh_tokens WHERE family_id = $2 AND revoked_at IS NOT NULL)
        AND ($3::uuid IS NULL
             OR EXISTS (SELECT FROM platforms WHERE id = $3 AND token_generation = $4))
        AND ($5::uuid IS NULL
             OR EXISTS (SELECT FROM users WHERE id = $5 AND platform_id = $3)) AS stands`,
    [
      keyId,
      claims.fam ?? null,
      claims.platformId ?? null,
      claims.gen ?? null,
      claims.userId ?? null,
    ],
  );
  return found?.stands === true;
}

export const tokenGeneration = (db: Queryable, platformId: string) =>
  row<{ generation: number }>(
    db,
    `SELECT token_generation AS generation FROM platforms WHERE id = $1`,
    [platformId],
  );

export const insertRefreshToken = (
  db: Queryable,
  token: { id: string; familyId: string; holder: Holder; lifetime: number },
): Promise<unknown> =>
  rows(
    db,
    `INSERT INTO refresh_tokens (id, family_id, platform_id, user_id, expires_at)
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
export const spendRefreshToken = async (db: Queryable, id: string): Promise<boolean> =>
  (await row(
    db,
    `UPDATE refresh_tokens SET spent_at = now()
     WHERE id = $1 AND spent_at IS NULL AND revoked_at IS NULL
     RETURNING id`,
    [id],
  )) !== undefined;

export const revokeFamily = (db: Queryable, familyId: string): Promise<unknown> =>
  rows(
    db,
    `UPDATE refresh_tokens SET revoked_at = now() WHERE family_id = $1 AND revoked_at IS NULL`,
    [familyId],
  );

/** Makes every token of a platform and of its users invalid. @returns false for an unknown platform. */
export const raiseTokenGeneration = async (db: Queryable, platformId: string): Promise<boolean> =>
  (await row(
    db,
    `UPDATE platforms SET token_generation = token_generation + 1, updated_at = now()
     WHERE id = $1 RETURNING id`,
    [platformId],
  )) !== undefined;

export const deleteExpiredRefreshTokens = (db: Queryable): Promise<unknown> =>
  rows(db, `DELETE FROM refresh_tokens WHERE expires_at < now()`);
