import { setTimeout as delay } from 'node:timers/promises';
import type { DataSource, QueryRunner } from 'typeorm';
import type { Logger } from '../base/telemetry/logger.js';
import { secondMs } from '../base/units.js';
import { isConnectionError } from './connection-error.js';
import {
  allWithin,
  isRecoveryConflict,
  onlyValue,
  type Queryable,
  row,
  type TimeLimited,
  value,
} from './sql.js';

/** Thrown when a replica belongs to another installation or is no longer a replica. */
export class NotAReplica extends Error {
  override readonly name = 'NotAReplica';
}

const identity = `SELECT id, pg_is_in_recovery() AS standby FROM instance`;

/** One standby server, connected on first use. */
export class Replica {
  #connected: Promise<unknown> | undefined;

  constructor(private readonly db: DataSource) {}

  /** @param instanceId the installation that it must replicate. */
  async session(instanceId: string): Promise<QueryRunner> {
    this.#connected ??= this.#connect(instanceId);
    try {
      await this.#connected;
    } catch (error) {
      this.#connected = undefined;
      throw error;
    }
    return this.db.createQueryRunner();
  }

  async #connect(instanceId: string): Promise<void> {
    if (!this.db.isInitialized) await this.db.initialize();
    const found = await row<{ id: string; standby: boolean }>(this.db, identity);
    if (found?.id !== instanceId) throw new NotAReplica('it holds another installation');
    if (!found.standby) throw new NotAReplica('it is not a standby server');
  }

  async close(): Promise<void> {
    await this.#connected?.catch(() => undefined);
    if (this.db.isInitialized) await this.db.destroy();
  }
}

/**
 * The primary's log position, past everything answered so far. Unflushed changes can have been
 * answered only if the operator turned synchronous commits off.
 */
export const logPosition = (primary: Queryable): Promise<string> =>
  onlyValue(
    primary,
    `SELECT CASE current_setting('synchronous_commit') WHEN 'off' THEN pg_current_wal_insert_lsn()
            ELSE pg_current_wal_flush_lsn() END::text AS position`,
  );

/** Whether a standby has replayed up to a position. A promoted standby does not count. */
export async function hasReplayed(session: Queryable, position: string): Promise<boolean> {
  const sql = 'SELECT pg_is_in_recovery() AND pg_last_wal_replay_lsn() >= $1::pg_lsn AS replayed';
  return (await value<boolean | null>(session, sql, [position])) === true;
}

/** How long a read waits for a replica before falling back to the primary, in milliseconds. */
const maxWaitMs = 25;
/** Milliseconds between two checks of a replica's position. */
const pollMs = 3;
/** How long a replica is skipped after it was behind, and after it failed, in milliseconds. */
const lagCooldownMs = 200;
const failureCooldownMs = 2 * secondMs;

/** The primary, or a session on a replica. */
type Session = Pick<DataSource, 'query' | 'transaction'>;

interface ReplicaState {
  readonly replica: Replica;
  /** Its index in `database.replicas`, for logging: the URL contains a password. */
  readonly number: number;
  restUntil: number;
  resting: boolean;
}

/**
 * Reads that may go to standby servers but never return stale data: a replica is used only after it
 * has replayed everything that the primary had when the read began, regardless of the writer and
 * the node (docs/adr/0007). In all other cases the primary answers.
 */
export class ReplicatedReads implements TimeLimited {
  readonly #replicas: ReplicaState[];
  #turn = 0;

  constructor(
    private readonly primary: Session,
    replicas: readonly DataSource[],
    /** The installation that all replicas must hold. */
    private readonly instanceId: string,
    private readonly logger: Logger,
  ) {
    this.#replicas = replicas.map((db, i) => ({
      replica: new Replica(db),
      number: i + 1,
      restUntil: 0,
      resting: false,
    }));
  }

  /** Whether reads may go to replicas, where nothing can be written. */
  get replicated(): boolean {
    return this.#replicas.length > 0;
  }

  query(sql: string, parameters?: unknown[]): Promise<unknown> {
    return this.#read((db) => db.query(sql, parameters));
  }

  queryWithin(limitMs: number, sql: string, parameters?: unknown[]): Promise<unknown> {
    return this.#read((db) => allWithin(db, limitMs, (tx) => tx.query(sql, parameters)));
  }

  async #read(run: (db: Session) => Promise<unknown>): Promise<unknown> {
    const replica = this.#next();
    const session = replica && (await this.#ready(replica, await logPosition(this.primary)));
    if (!session) return run(this.primary);
    try {
      return await run(session.manager);
    } catch (error) {
      if (!isConnectionError(error) && !isRecoveryConflict(error)) throw error;
      this.#rest(replica, failureCooldownMs, (error as Error).message);
    } finally {
      await session.release();
    }
    return run(this.primary);
  }

  async close(): Promise<void> {
    for (const { replica } of this.#replicas) await replica.close();
  }

  /** The next available replica, round-robin. */
  #next(): ReplicaState | undefined {
    const now = performance.now();
    const awake = this.#replicas.filter(({ restUntil }) => restUntil <= now);
    return awake[(this.#turn = (this.#turn + 1) % Math.max(awake.length, 1))];
  }

  /** A session on an up-to-date replica; undefined if none catches up in time. */
  async #ready(replica: ReplicaState, position: string): Promise<QueryRunner | undefined> {
    const late = new AbortController();
    const session = this.#caughtUp(replica.replica, position, late.signal);
    const giveBack = (): void => {
      late.abort();
      void session.then((runner) => runner.release()).catch(() => undefined);
    };
    try {
      const found = await Promise.race([session, delay(maxWaitMs, 'late' as const)]);
      if (found !== 'late') {
        this.#wake(replica);
        return found;
      }
      giveBack();
      this.#rest(replica, lagCooldownMs, 'it is behind or does not answer');
    } catch (error) {
      this.#rest(replica, failureCooldownMs, (error as Error).message);
    }
    return undefined;
  }

  async #caughtUp(replica: Replica, position: string, late: AbortSignal): Promise<QueryRunner> {
    const session = await replica.session(this.instanceId);
    try {
      while (!(await hasReplayed(session, position)))
        await delay(pollMs, undefined, { signal: late });
      return session;
    } catch (error) {
      await session.release();
      throw error;
    }
  }

  #rest(replica: ReplicaState, ms: number, reason: string): void {
    replica.restUntil = performance.now() + ms;
    if (replica.resting) return;
    replica.resting = true;
    this.logger.warn('skipping a read replica', { number: replica.number, reason });
  }

  #wake(replica: ReplicaState): void {
    if (!replica.resting) return;
    replica.resting = false;
    this.logger.info('a read replica is available again', { number: replica.number });
  }
}
