import type { EntityManager } from 'typeorm';
import { byToken, currentToken } from '../../database/callers.js';
import { row, type Queryable } from '../../database/sql.js';
import { UserEntity } from '../users/entity.js';

/**
 * Blocks `lockUsage` for all others until the transaction ends, after waiting for current holders.
 * Records that are deleted with the user do not appear in the change feed.
 * @returns false if there is no such user, or another transaction is doing the same.
 */
export async function closeUser(tx: Queryable, userId: string): Promise<boolean> {
  const only = await row<{ only: boolean }>(
    tx,
    `SELECT pg_try_advisory_xact_lock(hashtextextended($1, 1)) AS only`,
    [userId],
  );
  if (!only?.only) return false;
  await row(tx, `SELECT pg_advisory_xact_lock(hashtextextended($1, 0))`, [userId]);
  const closed = await row(
    tx,
    `SELECT set_config('imgstore.removed_user', id::text, true)
     FROM users WHERE id = $1 AND ${byToken('$2')} FOR UPDATE`,
    [userId, currentToken()],
  );
  return closed !== undefined;
}

/** Rows that reference the user go with it; images and folders must already be deleted. */
export const deleteUser = (tx: EntityManager, userId: string): Promise<unknown> =>
  tx.delete(UserEntity, { id: userId });
