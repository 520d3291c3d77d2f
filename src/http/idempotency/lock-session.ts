import type { DataSource, QueryRunner } from 'typeorm';
import { forSqlAlone } from '../../database/data-source.js';
import { detectDeadClient } from '../../database/dead-client.js';
import { secondMs } from '../../base/units.js';
import { tryLock, unlock } from './lock.sql.js';

/** Statements of this session never wait for locks. */
const statementLimitMs = 5 * secondMs;

/**
 * A connection that holds one lock for each request in progress; the locks end with it. Statements
 * run one after the other. After a failed statement, the session must be discarded.
 */
export class LockSession {
  #turn: Promise<unknown> = Promise.resolve();

  private constructor(
    private readonly own: DataSource,
    private readonly runner: QueryRunner,
  ) {}

  static async open(db: DataSource): Promise<LockSession> {
    const own = await forSqlAlone(db, statementLimitMs).initialize();
    try {
      const runner = own.createQueryRunner();
      await detectDeadClient(runner);
      return new LockSession(own, runner);
    } catch (error) {
      await own.destroy();
      throw error;
    }
  }

  /** @returns false if another session holds it. */
  tryLock(lock: bigint): Promise<boolean> {
    return this.#next(() => tryLock(this.runner, lock));
  }

  unlock(lock: bigint): Promise<unknown> {
    return this.#next(() => unlock(this.runner, lock));
  }

  /** Releases all locks. */
  async close(): Promise<void> {
    await this.runner.release().catch(() => undefined); // it may have broken
    await this.own.destroy().catch(() => undefined);
  }

  #next<T>(run: () => Promise<T>): Promise<T> {
    const answer = this.#turn.then(run, run);
    this.#turn = answer;
    return answer;
  }
}
