import { row } from '../../database/sql.js';
import type { Queryable } from '../../database/sql.js';

/** Locks a number until the session ends or unlocks it. @returns false if another session has it. */
export const tryLock = async (session: Queryable, lock: bigint): Promise<boolean> =>
  (
    await row<{ taken: boolean }>(session, 'SELECT pg_try_advisory_lock($1) AS taken', [
      String(lock),
    ])
  )?.taken === true;

export const unlock = (session: Queryable, lock: bigint): Promise<unknown> =>
  row(session, 'SELECT pg_advisory_unlock($1)', [String(lock)]);
