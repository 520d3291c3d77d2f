import { byToken } from '../../database/callers.js';

/**
 * SQL to select the user from, with its row locked until the transaction ends; no row while the
 * user is being deleted, since that may take seconds, during which waiting transactions would
 * exhaust the connections. A deletion in turn waits for transactions that selected this. Changes in
 * the transaction are attributed to the token. @param token placeholder for the result of
 * `currentToken`.
 */
export const lockedUser = (userId: string, token: string): string =>
  `users WHERE id = ${userId} AND ${byToken(token)}
   AND pg_try_advisory_xact_lock_shared(hashtextextended(id::text, 0))
   FOR NO KEY UPDATE`;
