import type { DataSource, EntityManager } from 'typeorm';
import { unlimited } from './data-source.js';
import { noticeLostClient } from './lost-client.js';
import { row } from './sql.js';

/** First half of the keys of these locks: "imgs" in ASCII. */
const lockClass = 0x696d6773;

/** Second half: work that one node does at a time. */
export const jobLocks = { rollUp: 1, trashExpiry: 2, storeMove: 3 } as const;

/** The longest that one statement of a job may run, in milliseconds. */
const statementLimitMs = 15 * 60_000;

/**
 * Runs `work` unless another node is at it. The lock belongs to the session that the work is done
 * through, a connection of its own: when the node dies, or the connection, both end at once.
 * @returns undefined when another one holds the lock.
 */
export async function exclusively<T>(
  db: DataSource,
  lock: keyof typeof jobLocks,
  work: (session: EntityManager) => Promise<T>,
): Promise<T | undefined> {
  const own = await unlimited(db, statementLimitMs).initialize();
  try {
    const runner = own.createQueryRunner();
    try {
      await noticeLostClient(runner);
      const attempt = await row<{ taken: boolean }>(
        runner,
        'SELECT pg_try_advisory_lock($1, $2) AS taken',
        [lockClass, jobLocks[lock]],
      );
      return attempt?.taken ? await work(runner.manager) : undefined;
    } finally {
      await runner.release();
    }
  } finally {
    await own.destroy(); // the end of the session is the end of the lock
  }
}
