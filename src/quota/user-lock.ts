/**
 * What to select the user from unless it is being deleted: that may take seconds, during which
 * waiting transactions would exhaust the connections. A deletion in turn waits for transactions that
 * selected this. Locks the user's row until the transaction ends.
 */
export const lockedUser = (userId: string): string =>
  `users WHERE id = ${userId} AND pg_try_advisory_xact_lock_shared(hashtextextended(id::text, 0))
   FOR NO KEY UPDATE`;
