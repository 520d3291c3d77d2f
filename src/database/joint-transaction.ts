import { AsyncLocalStorage } from 'node:async_hooks';
import type { DataSource, EntityManager, QueryRunner } from 'typeorm';
import type { Queryable } from './sql.js';

/** The part of a database that services use: a data source, or one that joins transactions. */
export interface Database extends Queryable {
  transaction<T>(work: (tx: EntityManager) => Promise<T>): Promise<T>;
}

/** An error whose reason can be determined only after the transaction has been rolled back. */
export class AfterRollback extends Error {
  constructor(
    message: string,
    /** @returns the error to throw instead, or throws it. */
    readonly explain: () => Promise<Error>,
  ) {
    super(message);
  }
}

const current = new AsyncLocalStorage<JointTransaction>();

/**
 * One transaction for everything that is done through a `JoiningDatabase`, across services: their
 * changes are committed together with those that the caller adds at the end, or not at all
 * (docs/adr/0016).
 */
export class JointTransaction implements Queryable {
  #runner: QueryRunner | undefined;
  #turn: Promise<unknown> = Promise.resolve();
  readonly #afterwards: (() => void)[] = [];

  constructor(private readonly db: DataSource) {}

  /** Whether queries belong to it: from `begin` to the end of `run`. */
  get begun(): boolean {
    return this.#runner !== undefined;
  }

  /** Commits the changes of `work` since `begin`, or rolls them back if it throws. */
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
      for (const work of this.#afterwards) work();
      return result;
    } catch (error) {
      // If the connection is lost, the transaction has ended with it.
      await this.#runner?.rollbackTransaction().catch(() => undefined);
      throw error;
    } finally {
      const runner = this.#runner;
      this.#runner = undefined;
      await runner?.release();
    }
  }

  /** Has something begin once the changes are there. */
  afterwards(work: () => void): void {
    this.#afterwards.push(work);
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

  /** Runs concurrent statements one after the other, as the connection requires. */
  query(sql: string, parameters?: unknown[]): Promise<unknown> {
    const run = async (): Promise<unknown> => (await this.begin()).query(sql, parameters);
    const answer = this.#turn.then(run, run);
    this.#turn = answer;
    return answer;
  }
}

/** The joint transaction that the current work is part of. */
export const jointTransaction = (): JointTransaction | undefined => current.getStore();

/** Runs what is not part of it, though it began there. */
export const withoutJoint = <T>(work: () => T): T => current.exit(work);

/** Whether there is one. */
export const isJoint = (): boolean => jointTransaction() !== undefined;

/**
 * A database whose statements run in the current joint transaction, if there is one and it has
 * begun; a nested transaction begins it.
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
