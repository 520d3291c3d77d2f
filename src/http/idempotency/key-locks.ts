import { createHash } from 'node:crypto';
import type { DataSource } from 'typeorm';
import { ServiceError } from '../../base/errors/catalogue.js';
import { LockSession } from './lock-session.js';
import type { KeyId } from './idempotency.sql.js';

/**
 * The keys in progress on all nodes: session locks of PostgreSQL, held on one connection per
 * process, so that they end with it. They only let repeats fail early while the first request is
 * running. The primary key of the table guarantees that a request is executed once, so nothing is
 * lost if the connection breaks.
 */
export class KeyLocks {
  /** Session locks do not exclude requests of the same session from each other. */
  readonly #here = new Set<bigint>();
  #session: Promise<LockSession> | undefined;

  constructor(private readonly db: DataSource) {}

  /** @throws ServiceError `request_in_progress` while another request has the key. */
  async hold<T>(id: KeyId, work: () => Promise<T>): Promise<T> {
    const lock = lockOf(id);
    if (this.#here.has(lock)) throw inProgress();
    this.#here.add(lock);
    try {
      const session = await this.#locked(lock);
      if (!session) throw inProgress();
      try {
        return await work();
      } finally {
        await session.unlock(lock).catch(() => this.#discard(session));
      }
    } finally {
      this.#here.delete(lock);
    }
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

const lockOf = ({ owner, key }: KeyId): bigint =>
  createHash('sha256').update(`${owner} ${key}`).digest().readBigInt64BE();
