import { row, rows } from '../database/sql.js';
import type { Queryable } from '../database/sql.js';

/** Stores a code, and deletes expired ones. @param lifetime in seconds. */
export const insertCode = (tx: Queryable, hash: Buffer, lifetime: number): Promise<unknown> =>
  rows(
    tx,
    `WITH stale AS (DELETE FROM console_codes WHERE expires_at < now())
     INSERT INTO console_codes (hash, expires_at) VALUES ($1, now() + $2 * interval '1 second')`,
    [hash, lifetime],
  );

/**
 * @returns whether the code was still valid; of concurrent callers, only one gets true. A code from
 * before keys were revoked ends with them, as the tokens do. @param lifetime in seconds.
 */
export const spendCode = async (tx: Queryable, hash: Buffer, lifetime: number): Promise<boolean> =>
  (
    await row<{ good: boolean }>(
      tx,
      `DELETE FROM console_codes WHERE hash = $1
       RETURNING expires_at > now() AND expires_at - $2 * interval '1 second'
         > coalesce((SELECT max(revoked_at) FROM signing_keys), '-infinity') AS good`,
      [hash, lifetime],
    )
  )?.good === true;
