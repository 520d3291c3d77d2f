import { byToken } from '../database/actor.js';

/**
 * What to select the user from unless it is being deleted: that may take seconds, during which
 * waiting transactions would exhaust the connections. A deletion in turn waits for transactions that
 * selected this. Locks the user's row until the transaction ends, whose changes are put down to the
 * token.
 * @param token placeholder of what `currentToken` returns.
 */
export const lockedUser = (userId: string, token: string): string =>
  `users WHERE id = ${userId} AND ${byToken(token)}
   AND pg_try_advisory_xact_lock_shared(hashtextextended(id::text, 0))
   FOR NO KEY UPDATE`;
