import { setTimeout as delay } from 'node:timers/promises';
import type { DataSource, QueryRunner } from 'typeorm';
import type { Logger } from '../telemetry/logger.js';
import { isConnectionError } from './connection-error.js';
import { hasReplayed, logPosition, Replica } from './replica.js';
import { isRecoveryConflict } from './sql.js';
import type { Queryable } from './sql.js';
import { secondMs } from '../units.js';

/** Milliseconds that a read waits for a replica, before the primary does it. */
const patienceMs = 25;
/** Milliseconds between two looks at how far a replica has come. */
const lookMs = 3;
/** Milliseconds that a replica is left alone after it was behind, and after it failed. */
const lateRestMs = 200;
const failedRestMs = 2 * secondMs;

interface Known {
  readonly replica: Replica;
  /** Its place in `database.replicas`, for the log: the address holds a password. */
  readonly number: number;
  restUntil: number;
  resting: boolean;
}

/**
 * Reads that may go to standby servers, and never show the past: a replica is asked only after it
 * has replayed everything that the primary had when the read began, whoever wrote it and through
 * whichever node (docs/adr/0010). In every other case the primary answers.
 */
export class ReplicatedReads implements Queryable {
  readonly #known: Known[];
  #turn = 0;

  constructor(
    private readonly primary: Queryable,
    replicas: readonly DataSource[],
    /** The installation that all of them must hold. */
    private readonly instanceId: string,
    private readonly logger: Logger,
  ) {
    this.#known = replicas.map((db, i) => ({
      ...{ replica: new Replica(db), number: i + 1 },
      ...{ restUntil: 0, resting: false },
    }));
  }

  async query(sql: string, parameters?: unknown[]): Promise<unknown> {
    const known = this.#next();
    const session = known && (await this.#ready(known, await logPosition(this.primary)));
    if (!session) return this.primary.query(sql, parameters);
    try {
      return await session.query(sql, parameters);
    } catch (error) {
      if (!isConnectionError(error) && !isRecoveryConflict(error)) throw error;
      this.#rest(known, failedRestMs, (error as Error).message);
    } finally {
      await session.release();
    }
    return this.primary.query(sql, parameters);
  }

  async close(): Promise<void> {
    for (const { replica } of this.#known) await replica.close();
  }

  /** The next one that does not rest, in turn. */
  #next(): Known | undefined {
    const now = performance.now();
    const awake = this.#known.filter(({ restUntil }) => restUntil <= now);
    return awake[(this.#turn = (this.#turn + 1) % Math.max(awake.length, 1))];
  }

  /** A session of a replica that is up to date; undefined when there is none in time. */
  async #ready(known: Known, position: string): Promise<QueryRunner | undefined> {
    const late = new AbortController();
    const session = this.#caughtUp(known.replica, position, late.signal);
    const giveBack = (): void => {
      late.abort();
      void session.then((runner) => runner.release()).catch(() => undefined);
    };
    try {
      const found = await Promise.race([session, delay(patienceMs, 'late' as const)]);
      if (found !== 'late') {
        this.#wake(known);
        return found;
      }
      giveBack();
      this.#rest(known, lateRestMs, 'it is behind, or does not answer');
    } catch (error) {
      this.#rest(known, failedRestMs, (error as Error).message);
    }
    return undefined;
  }

  async #caughtUp(replica: Replica, position: string, late: AbortSignal): Promise<QueryRunner> {
    const session = await replica.session(this.instanceId);
    try {
      while (!(await hasReplayed(session, position)))
        await delay(lookMs, undefined, { signal: late });
      return session;
    } catch (error) {
      await session.release();
      throw error;
    }
  }

  #rest(known: Known, ms: number, reason: string): void {
    known.restUntil = performance.now() + ms;
    if (known.resting) return;
    known.resting = true;
    this.logger.warn('a read replica is left out', { number: known.number, reason });
  }

  #wake(known: Known): void {
    if (!known.resting) return;
    known.resting = false;
    this.logger.info('a read replica is back', { number: known.number });
  }
}
