import { setTimeout as delay } from 'node:timers/promises';
import type { DataSource, EntityManager } from 'typeorm';
import { whileOpen, withoutLimits } from './data-source.js';
import { detectDeadClient } from './connection-error.js';
import { type Queryable, rows, value } from './sql.js';
import { minuteMs, secondMs } from '../base/units.js';

/** First half of these advisory-lock keys: "imgs" in ASCII. */
const lockClass = 0x696d6773;

/**
 * Second half: work that one node does at a time. 5 was that of 0.3 which deletes objects.
 */
const jobLocks = {
  rollUp: 1,
  trashExpiry: 2,
  storeMove: 3,
  changeExpiry: 4,
  platformRemoval: 6,
  verification: 7,
  metadata: 8,
  platformMaps: 9,
  bulkChanges: 10,
  backup: 11,
  custody: 12,
  custodyCheck: 13,
  legalHolds: 14,
} as const;

/**
 * First half of the keys of backup repositories; only one process writes to each at a time: "imgb".
 */
const repositoryClass = 0x696d6762;

/** Statement timeout of jobs, in milliseconds. */
const statementLimitMs = 15 * minuteMs;

/** How often a waiting node retries the lock, in milliseconds. */
const lockPollMs = 2 * secondMs;

/**
 * The connection that holds the lock: if the node or the connection dies, lock and work both end.
 */
type Session = EntityManager;
type Work<T> = (session: Session) => Promise<T>;
type LockName = keyof typeof jobLocks;

/**
 * Runs `work` unless another node is already doing it.
 * @returns undefined if another node holds the lock.
 */
export const tryWithLock = <T>(
  db: DataSource,
  lock: LockName,
  work: Work<T>,
): Promise<T | undefined> =>
  withSession(db, async (session) =>
    (await tryAdvisoryLock(session, lock)) ? work(session) : undefined,
  );

/**
 * Runs `work` once no other node is doing it; a waiting node takes over from one that dies. If the
 * other node finished normally, `work` must find nothing left to do.
 * @returns undefined if `signal` ended the wait.
 */
export const withLock = <T>(
  db: DataSource,
  lock: LockName,
  signal: AbortSignal,
  work: Work<T>,
): Promise<T | undefined> =>
  withSession(db, async (session) => {
    while (!signal.aborted) {
      if (await tryAdvisoryLock(session, lock)) return work(session);
      await delay(lockPollMs, undefined, { signal }).catch(() => undefined);
    }
    return undefined;
  });

/**
 * Tries to lock a repository for writing by this session. @param id its UUID. @returns whether it
 * did.
 */
export async function claimRepository(session: Queryable, id: string): Promise<boolean> {
  const sql = 'SELECT pg_try_advisory_lock($1, hashtext($2)) AS taken';
  return (await value<boolean>(session, sql, [repositoryClass, id])) === true;
}

/** A session whose locks are free when this returns. */
export const withSession = <T>(db: DataSource, work: Work<T>): Promise<T> =>
  whileOpen(withoutLimits(db, statementLimitMs), async (own) => {
    const runner = own.createQueryRunner();
    try {
      await detectDeadClient(runner);
      return await work(runner.manager);
    } finally {
      // The server notices the end of a session only a moment later; a broken one has ended already.
      await rows(runner, 'SELECT pg_advisory_unlock_all()').catch(() => undefined);
      await runner.release();
    }
  });

/** For work that is one short transaction. @returns false if another node is at it. */
export async function lockForTransaction(tx: Queryable, lock: LockName): Promise<boolean> {
  const sql = 'SELECT pg_try_advisory_xact_lock($1, $2) AS taken';
  return (await value<boolean>(tx, sql, [lockClass, jobLocks[lock]])) === true;
}

async function tryAdvisoryLock(session: Session, lock: LockName): Promise<boolean> {
  const sql = 'SELECT pg_try_advisory_lock($1, $2) AS taken';
  return (await value<boolean>(session, sql, [lockClass, jobLocks[lock]])) === true;
}
