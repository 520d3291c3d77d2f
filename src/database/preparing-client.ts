import pg from 'pg';
import { preparedName } from './prepared.js';
import { measured } from './query-metrics.js';

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
export class PreparingClient extends pg.Client {
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
