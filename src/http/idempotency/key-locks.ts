import { createHash } from 'node:crypto';
import type { DataSource, QueryRunner } from 'typeorm';
import { ServiceError } from '../../base/errors/catalogue.js';
import { secondMs } from '../../base/units.js';
import { forSqlAlone } from '../../database/data-source.js';
import { detectDeadClient } from '../../database/connection-error.js';
import { onlyValue, type Queryable, row } from '../../database/sql.js';
import type { KeyId } from './idempotency.sql.js';

/**
 * The keys in progress on all nodes, and the uploads that a request writes to: session locks of
 * PostgreSQL, held on one connection per process, so that they end with it. They only let others fail
 * or wait early. The primary key of the table guarantees that a request is executed once, the offset
 * in the row of an upload that a byte is taken once, so nothing is lost if the connection breaks.
 */
export class KeyLocks {
  /** Session locks do not exclude requests of the same session from each other. */
  readonly #here = new Set<bigint>();
  #session: Promise<LockSession> | undefined;

  constructor(private readonly db: DataSource) {}

  /** @throws ServiceError `request_in_progress` while another request has the key. */
  async hold<T>({ owner, key }: KeyId, work: () => Promise<T>): Promise<T> {
    const release = await this.tryLock(`${owner} ${key}`);
    if (!release) throw inProgress();
    try {
      return await work();
    } finally {
      await release();
    }
  }

  /**
   * Takes the lock of a name until it is released, or the connection ends.
   * @returns what releases it; undefined if another request has it, on this node or another.
   */
  async tryLock(name: string): Promise<(() => Promise<void>) | undefined> {
    const lock = lockOf(name);
    if (this.#here.has(lock)) return undefined;
    this.#here.add(lock);
    const leave = (): unknown => this.#here.delete(lock);
    const session = await this.#locked(lock).catch((error: unknown) => {
      leave();
      throw error;
    });
    if (!session) {
      leave();
      return undefined;
    }
    return async () => {
      await session.unlock(lock).catch(() => this.#discard(session));
      leave();
    };
  }

  async close(): Promise<void> {
    await (await this.#session)?.close();
  }

  /** @returns the session that holds the lock; undefined if another node holds it. */
  async #locked(lock: bigint): Promise<LockSession | undefined> {
    const usual = await this.#open();
    try {
      return (await usual.tryLock(lock)) ? usual : undefined;
    } catch {
      // The connection may have broken while it was idle.
      this.#discard(usual);
      const another = await this.#open();
      return (await another.tryLock(lock)) ? another : undefined;
    }
  }

  #open(): Promise<LockSession> {
    return (this.#session ??= LockSession.open(this.db).then(
      (session) => (this.#latest = session),
      (error: unknown) => {
        this.#session = undefined;
        throw error;
      },
    ));
  }

  #latest: LockSession | undefined;

  #discard(broken: LockSession): void {
    if (this.#latest !== broken) return;
    this.#latest = undefined;
    this.#session = undefined;
    void broken.close();
  }
}

/** Another request with this key is still in progress. */
export const inProgress = (): ServiceError => new ServiceError('request_in_progress');

const lockOf = (name: string): bigint =>
  createHash('sha256').update(name).digest().readBigInt64BE();

/** Takes the same lock until a transaction ends. @returns false if a request has it. */
export const tryLockWithin = (tx: Queryable, name: string) =>
  onlyValue<boolean>(tx, 'SELECT pg_try_advisory_xact_lock($1) AS taken', [String(lockOf(name))]);

/** Statements of this session never wait for locks. */
const statementLimitMs = 5 * secondMs;

/**
 * A connection that holds one lock for each request in progress; the locks end with it. Statements
 * run one after the other. After a failed statement, the session must be discarded.
 */
class LockSession {
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

  /** Locks a number until the session ends or unlocks it. @returns false if another session has it. */
  tryLock(lock: bigint): Promise<boolean> {
    const sql = 'SELECT pg_try_advisory_lock($1) AS taken';
    return this.#next(() => onlyValue(this.runner, sql, [String(lock)]));
  }

  unlock(lock: bigint): Promise<unknown> {
    return this.#next(() => row(this.runner, 'SELECT pg_advisory_unlock($1)', [String(lock)]));
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
