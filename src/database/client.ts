import pg from 'pg';
import { guarded, ignore } from '../base/guarded.js';
import { queryErrors, querySeconds } from '../base/telemetry/metrics.js';
import { secondMs } from '../base/units.js';
import { isConnectionError } from './connection-error.js';
import type { Hosts } from './hosts.js';
import { preparedName } from './sql.js';

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

/**
 * The function of the server that waits for synchronous standbys. Its messages depend on
 * lc_messages, and have no code of their own.
 */
const syncWait = 'SyncRepWaitForLSN';

/**
 * Thrown for a commit whose wait for a synchronous standby was cut short, by an administrator for
 * example. PostgreSQL only warns of it: the changes are on the primary alone, and may be lost with it.
 */
class NotReplicated extends Error {
  override readonly name = 'NotReplicated';
  readonly code = '08007'; // as of any commit whose outcome is unknown

  constructor() {
    super('the commit was not confirmed by a synchronous standby');
  }
}

/** A client whose server is one of several hosts. */
interface ClientConfig extends pg.ClientConfig {
  readonly hosts?: Hosts | undefined;
}

type Connected = (error: Error | null) => void;

type Run = (sql: string, values?: unknown[]) => Promise<pg.QueryResult>;

/**
 * A connection to the host that takes writes, which runs statements marked as prepared by name. A stale one is retried with its
 * full text, and is then always sent in full on this connection. Not within transactions, which the
 * first attempt would abort.
 */
export class DatabaseClient extends pg.Client {
  readonly #hosts: Hosts | undefined;
  readonly #stale = new Set<string>();
  #isReadOnly = false;
  #isUnconfirmed = false;

  /** Whether the server rejected a statement of this session because it would write. */
  get isReadOnly(): boolean {
    return this.#isReadOnly;
  }

  constructor(config?: ClientConfig) {
    super(config);
    this.#hosts = config?.hosts;
    const note = guarded(ignore, ({ routine }: { routine?: string | undefined }) => {
      if (routine === syncWait) this.#isUnconfirmed = true;
    });
    this.on('notice', note);
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

  override connect(): Promise<pg.Client>;
  override connect(connected: Connected): void;
  override connect(connected?: Connected): Promise<pg.Client> | void {
    if (!connected) {
      return new Promise((resolve, reject) =>
        this.connect((error) => (error ? reject(error) : resolve(this))),
      );
    }
    const hosts = this.#hosts;
    if (!hosts) return super.connect(connected);
    const connect = (): void =>
      super.connect((error: Error | null) => {
        if (error) void hosts.check();
        connected(error);
      });
    hosts.direct(this).then(connect, connected);
  }

  #watched(answer: unknown): unknown {
    if (!(answer instanceof Promise)) return answer;
    return answer.then(
      (result: unknown) => {
        if (!this.#isUnconfirmed) return result;
        this.#isUnconfirmed = false;
        throw new NotReplicated();
      },
      (error: unknown) => {
        if (isReadOnlyError(error)) this.#isReadOnly = true;
        throw error;
      },
    );
  }

  #nameOf(sql: string): string | undefined {
    const name = preparedName(sql);
    if (name === undefined || this.#stale.has(name)) return undefined;
    return this.getTransactionStatus() === 'T' ? undefined : name;
  }
}
