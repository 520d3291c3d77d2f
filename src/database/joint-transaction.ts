import { AsyncLocalStorage } from 'node:async_hooks';
import type { DataSource, EntityManager, QueryRunner } from 'typeorm';
import type { Queryable } from './sql.js';

/** What services need of a database: the data source, or one that joins transactions. */
export interface Database extends Queryable {
  transaction<T>(work: (tx: EntityManager) => Promise<T>): Promise<T>;
}

/** An error whose reason is only found out once the transaction that it ends has ended. */
export class AfterRollback extends Error {
  constructor(
    message: string,
    /** @returns what to throw instead, unless it throws that itself. */
    readonly explain: () => Promise<Error>,
  ) {
    super(message);
  }
}

const current = new AsyncLocalStorage<JointTransaction>();

/**
 * One transaction of everything that a piece of work does through a `JoiningDatabase`, whichever
 * services it calls: what they commit is committed with what the caller adds at the end, or not at
 * all (docs/adr/0036).
 */
export class JointTransaction implements Queryable {
  #runner: QueryRunner | undefined;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(private readonly db: DataSource) {}

  /** Whether queries belong to it: from `begin` to the end of `run`. */
  get begun(): boolean {
    return this.#runner !== undefined;
  }

  /** Commits what `work` has done since `begin`, or undoes it if it throws. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await this.#run(work);
    } catch (error) {
      throw error instanceof AfterRollback ? await error.explain() : error;
    }
  }

  async #run<T>(work: () => Promise<T>): Promise<T> {
    try {
      const result = await current.run(this, work);
      await this.#runner?.commitTransaction();
      return result;
    } catch (error) {
      // If the connection has gone, so has the transaction.
      await this.#runner?.rollbackTransaction().catch(() => undefined);
      throw error;
    } finally {
      const runner = this.#runner;
      this.#runner = undefined;
      await runner?.release();
    }
  }

  /** Takes a connection and begins, unless it has begun. @returns the session of the transaction. */
  async begin(): Promise<EntityManager> {
    if (this.#runner) return this.#runner.manager;
    const runner = this.db.createQueryRunner();
    try {
      await runner.startTransaction();
    } catch (error) {
      await runner.release();
      throw error;
    }
    this.#runner = runner;
    return runner.manager;
  }

  /** One after the other, as a connection runs them, even if several are asked at once. */
  query(sql: string, parameters?: unknown[]): Promise<unknown> {
    const run = async (): Promise<unknown> => (await this.begin()).query(sql, parameters);
    const answer = this.#turn.then(run, run);
    this.#turn = answer;
    return answer;
  }
}

/** Whether everything that is done here is one transaction. */
export const isJoint = (): boolean => current.getStore() !== undefined;

/**
 * A database whose statements join the joint transaction that they are run in, if there is one and it
 * has begun; a transaction within it begins it.
 */
export class JoiningDatabase implements Database {
  constructor(private readonly db: DataSource) {}

  query(sql: string, parameters?: unknown[]): Promise<unknown> {
    const joint = current.getStore();
    return joint?.begun ? joint.query(sql, parameters) : this.db.query(sql, parameters);
  }

  async transaction<T>(work: (tx: EntityManager) => Promise<T>): Promise<T> {
    const joint = current.getStore();
    return joint ? work(await joint.begin()) : this.db.transaction(work);
  }
}
