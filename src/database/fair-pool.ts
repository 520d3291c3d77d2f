import pg from 'pg';
import { guarded, ignore } from '../base/guarded.js';
import {
  databaseConnections,
  databaseConnectionsMax,
  databaseWaiting,
} from '../base/telemetry/metrics.js';
import { secondMs } from '../base/units.js';
import { currentCaller } from '../base/telemetry/context.js';
import { DatabaseClient } from './client.js';
import { FairSemaphore } from './fairness.js';

/** Requests of one caller that may wait for a connection. */
const waiting = 1_000;

/** Longest wait in milliseconds, unless the pool sets its own. */
const waitMs = 5 * secondMs;

type Connected = (
  error: Error | undefined,
  client: pg.PoolClient | undefined,
  release: (error?: Error | boolean) => void,
) => void;

/**
 * A pool in which one caller holds at most a quarter of the connections (docs/adr/0010). Internal
 * work of imgstore, such as jobs, is not limited. It discards its idle connections when one of them
 * turns out to be dead: the server has most likely restarted, and each of the others would fail
 * another request.
 */
export class FairPool extends pg.Pool {
  #renewing = false;
  readonly #semaphore: FairSemaphore;
  readonly #holders = new WeakMap<pg.PoolClient, string>();
  readonly #unwatch: readonly (() => void)[];

  constructor(config: pg.PoolConfig = {}) {
    super({ Client: DatabaseClient, ...config });
    const total = this.options.max;
    this.#semaphore = new FairSemaphore({
      total,
      perCaller: Math.max(2, Math.floor(total / 4)),
      waiting,
      waitMs: config.connectionTimeoutMillis ?? waitMs,
    });
    const renew = guarded(ignore, () => this.#renew());
    // A dead connection fails the request that uses it.
    const watch = guarded(ignore, (client: pg.PoolClient) => client.on('error', renew));
    this.on('connect', watch);
    // A miscounted slot must not end the process.
    const giveBack = guarded(ignore, (_error: unknown, client: pg.PoolClient) => {
      this.#release(client);
      // The server was demoted, or the database was read-only when this session began; others, too.
      if (client instanceof DatabaseClient && client.isReadOnly) setImmediate(renew);
    });
    this.on('release', giveBack);
    this.#unwatch = [
      databaseConnections.of('busy').watch(() => this.totalCount - this.idleCount),
      databaseConnections.of('idle').watch(() => this.idleCount),
      databaseConnectionsMax.of().watch(() => total),
      databaseWaiting.of('pool').watch(() => this.waitingCount),
      databaseWaiting.of('share').watch(() => this.#semaphore.waiting),
    ];
  }

  /** Replaces all idle connections. */
  async #renew(): Promise<void> {
    if (this.#renewing || this.ending) return;
    this.#renewing = true;
    // The pool hands out idle connections before it opens new ones, so these are all of them.
    const idle = Array.from({ length: this.idleCount }, async () =>
      (await super.connect()).release(true),
    );
    await Promise.allSettled(idle);
    this.#renewing = false;
  }

  override end(): Promise<void>;
  override end(ended: () => void): void;
  override end(ended?: () => void): Promise<void> | void {
    for (const unwatch of this.#unwatch) unwatch();
    return ended ? super.end(ended) : super.end();
  }

  override connect(): Promise<pg.PoolClient>;
  override connect(connected: Connected): void;
  override connect(connected?: Connected): Promise<pg.PoolClient> | void {
    if (!connected) return this.#connected();
    const caller = currentCaller();
    if (caller === undefined) return super.connect(connected);
    this.#acquire(caller, connected, () =>
      super.connect((error, client, release) => {
        if (client) this.#holders.set(client, caller);
        else this.#semaphore.release(caller);
        connected(error, client, release);
      }),
    );
  }

  #connected(): Promise<pg.PoolClient> {
    return new Promise((resolve, reject) =>
      this.connect((error, client) =>
        client ? resolve(client) : reject(error ?? new Error('no connection')),
      ),
    );
  }

  /** Synchronous when a slot is free, since every query passes here. */
  #acquire(caller: string, connected: Connected, connect: () => void): void {
    const refuse = (error: unknown): void => connected(error as Error, undefined, () => undefined);
    try {
      const turn = this.#semaphore.acquire(caller);
      if (turn) turn.then(connect, refuse);
      else connect();
    } catch (error) {
      refuse(error);
    }
  }

  #release(client: pg.PoolClient): void {
    const caller = this.#holders.get(client);
    if (caller === undefined) return;
    this.#holders.delete(client);
    this.#semaphore.release(caller);
  }
}
