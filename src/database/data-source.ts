import pg from 'pg';
import { AbstractLogger, DataSource, type DataSourceOptions } from 'typeorm';
import { FairPool } from './fair-pool.js';
import { minuteMs, secondMs } from '../units.js';

/** How long a connection may take to come up, in milliseconds; a dead server is an error by then. */
const connectTimeoutMs = 5 * secondMs;
/** How much later than the server's own limit we stop waiting for an answer, in milliseconds. */
const answerGraceMs = 5 * secondMs;
/** A transaction that does nothing for this long, in milliseconds, belongs to a caller that is stuck. */
const idleInTransactionMs = minuteMs;

type Listed<K extends 'entities' | 'migrations'> = Extract<
  DataSourceOptions[K],
  readonly unknown[]
>;

export interface DatabaseOptions {
  /** `postgresql://…`, a host on the network or `?host=/socket/folder`. */
  readonly url: string;
  /** Connections at most. */
  readonly poolSize: number;
  /** The longest that a statement may run, in milliseconds; 0 for no limit. */
  readonly statementTimeoutMs: number;
  readonly entities: Listed<'entities'>;
  readonly migrations: Listed<'migrations'>;
  /** Told of connections that broke while nobody used them. */
  readonly logger?: { warn(message: string, fields: Record<string, unknown>): unknown };
}

/** int8 as a number: byte counts and totals stay far below 2^53, and a larger one is an error. */
function parseInt8(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`${text} is too large for a number`);
  return value;
}

const int8 = 20; // its oid, fixed for ever

const types: pg.CustomTypesConfig = {
  getTypeParser(oid, format) {
    if (Number(oid) === int8 && format !== 'binary') return parseInt8;
    return pg.types.getTypeParser(oid, format) as unknown;
  },
};

/** TypeORM tells the console of failed migrations although they throw as well; errors are ours to tell. */
class Silence extends AbstractLogger {
  protected override writeLog(): void {}
}

/**
 * The database as TypeORM sees it; not connected until `initialize()`. Every wait on it is bounded:
 * for a connection, for a statement, for an answer. `bigint` columns arrive as numbers.
 */
export function createDataSource(options: DatabaseOptions): DataSource {
  const limit = options.statementTimeoutMs;
  return new DataSource({
    type: 'postgres',
    url: options.url,
    applicationName: 'imgstore',
    driver: { ...pg, Pool: FairPool },
    poolSize: options.poolSize,
    connectTimeoutMS: connectTimeoutMs,
    entities: options.entities,
    migrations: options.migrations,
    migrationsTableName: 'migrations',
    migrationsTransactionMode: 'each',
    installExtensions: false,
    synchronize: false,
    logging: false,
    logger: new Silence(),
    poolErrorHandler: (error: Error) =>
      options.logger?.warn('an idle database connection broke', { reason: error.message }),
    extra: {
      types,
      keepAlive: true,
      keepAliveInitialDelayMillis: 10 * secondMs,
      ...(limit > 0 && { statement_timeout: limit, query_timeout: limit + answerGraceMs }),
      idle_in_transaction_session_timeout: idleInTransactionMs,
    },
  });
}

/**
 * The same database through one connection of its own, for work that may take long.
 * @param limitMs the longest that a statement may run, in milliseconds; without it there is no limit.
 */
export function unlimited(dataSource: DataSource, limitMs = 0): DataSource {
  const options = dataSource.options as Extract<DataSourceOptions, { type: 'postgres' }>;
  const limits = limitMs > 0 && {
    statement_timeout: limitMs,
    query_timeout: limitMs + answerGraceMs,
  };
  return new DataSource({ ...options, poolSize: 1, extra: { types, keepAlive: true, ...limits } });
}
