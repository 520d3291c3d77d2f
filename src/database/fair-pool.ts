import pg from 'pg';
import { guarded, ignore } from '../base/guarded.js';
import {
  databaseConnections,
  databaseConnectionsMax,
  databaseWaiting,
  queryErrors,
  querySeconds,
} from '../base/telemetry/metrics.js';
import { secondMs } from '../base/units.js';
import { currentCaller } from '../base/telemetry/context.js';
import { FairSemaphore } from './fairness.js';
import { isConnectionError } from './connection-error.js';
import { preparedName } from './sql.js';

/**
 * A pool that discards its idle connections when one of them turns out to be dead. The server has
 * most likely restarted, and each remaining connection would fail another request.
 */
class RenewingPool extends pg.Pool {
  #renewing = false;

  constructor(config?: pg.PoolConfig) {
    super(config);
    // A dead connection fails the request that uses it.
    const renew = guarded(ignore, () => this.renew());
    const watch = guarded(ignore, (client: pg.PoolClient) => client.on('error', renew));
    this.on('connect', watch);
  }

  /** Replaces all idle connections. */
  protected async renew(): Promise<void> {
    if (this.#renewing || this.ending) return;
    this.#renewing = true;
    // The pool hands out idle connections before it opens new ones, so these are all of them.
    const idle = Array.from({ length: this.idleCount }, async () =>
      (await super.connect()).release(true),
    );
    await Promise.allSettled(idle);
    this.#renewing = false;
  }
}

const conflicts = new Set(['40001', '40P01', '55P03']);
const seconds = querySeconds.of();

function errorTypeOf(error: unknown): string {
  if (isConnectionError(error)) return 'connection';
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code === '57014') return 'timeout';
  if (conflicts.has(code)) return 'conflict';
  return code.startsWith('23') ? 'constraint' : 'other';
}

/** Measures a statement from when it is sent. @returns its argument. */
function measured<Answer>(answer: Answer): Answer {
  if (!(answer instanceof Promise)) return answer;
  const began = performance.now();
  const end = (): void => seconds.observe((performance.now() - began) / secondMs);
  answer.then(end, (error: unknown) => {
    end();
    queryErrors.of(errorTypeOf(error)).add();
  });
  return answer;
}

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
 * A pool in which one caller holds at most a quarter of the connections (docs/adr/0017). Internal
 * work of imgstore, such as jobs, is not limited.
 */
export class FairPool extends RenewingPool {
  readonly #semaphore: FairSemaphore;
  readonly #holders = new WeakMap<pg.PoolClient, string>();
  readonly #unwatch: readonly (() => void)[];

  constructor(config: pg.PoolConfig = {}) {
    super({ Client: PreparingClient, ...config });
    const total = this.options.max;
    this.#semaphore = new FairSemaphore({
      total,
      perCaller: Math.max(2, Math.floor(total / 4)),
      waiting,
      waitMs: config.connectionTimeoutMillis ?? waitMs,
    });
    // A miscounted slot must not end the process.
    const renew = guarded(ignore, () => this.renew());
    const giveBack = guarded(ignore, (_error: unknown, client: pg.PoolClient) => {
      this.#release(client);
      // The server was demoted, or the database was read-only when this session began; others, too.
      if (client instanceof PreparingClient && client.isReadOnly) setImmediate(renew);
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

/**
 * Error codes of the server, before it runs anything, for a statement that is not as it was
 * prepared: a migration has changed the types of its columns, or a pooler passes each transaction
 * to another session, which lacks the statement or has another one of its name.
 */
const stale = new Set<unknown>(['0A000', '26000', '42P05']);

const isStale = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && stale.has(error.code);

/** A standby rejects what writes, and so does a session that may only read. */
const isReadOnlyError = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === '25006';

type Run = (sql: string, values?: unknown[]) => Promise<pg.QueryResult>;

/**
 * A connection that runs statements marked as prepared by name. A stale one is retried with its
 * full text, and is then always sent in full on this connection. Not within transactions, which the
 * first attempt would abort.
 */
class PreparingClient extends pg.Client {
  readonly #stale = new Set<string>();
  #isReadOnly = false;

  /** Whether the server rejected a statement of this session because it would write. */
  get isReadOnly(): boolean {
    return this.#isReadOnly;
  }

  constructor(config?: string | pg.ClientConfig) {
    super(config);
    const query = this.query.bind(this) as Run & typeof this.query;
    const run = (...given: Parameters<Run>): unknown => {
      const [sql, values, ...callback] = given;
      const name = typeof sql === 'string' && callback.length === 0 ? this.#nameOf(sql) : undefined;
      if (name === undefined) return query(...given);
      return query({ name, text: sql, values }).catch((error: unknown) => {
        if (!isStale(error)) throw error;
        this.#stale.add(name);
        return query(sql, values);
      });
    };
    this.query = ((...given: Parameters<Run>) =>
      this.#watched(measured(run(...given)))) as typeof this.query;
  }

  #watched<Answer>(answer: Answer): Answer {
    if (answer instanceof Promise) {
      answer.catch((error: unknown) => {
        if (isReadOnlyError(error)) this.#isReadOnly = true;
      });
    }
    return answer;
  }

  #nameOf(sql: string): string | undefined {
    const name = preparedName(sql);
    if (name === undefined || this.#stale.has(name)) return undefined;
    return this.getTransactionStatus() === 'T' ? undefined : name;
  }
}
