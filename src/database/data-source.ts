import pg from 'pg';
import { AbstractLogger, DataSource, type DataSourceOptions } from 'typeorm';
import { FairPool } from './fair-pool.js';
import { Hosts, type HostsLogger } from './hosts.js';
import { withLibpqModes } from './tls.js';
import { urlsOfHosts } from '../base/config/database-hosts.js';
import { runOutside } from '../base/telemetry/context.js';
import { minuteMs, secondMs } from '../base/units.js';

/** Connect timeout, in milliseconds. */
const connectTimeoutMs = 5 * secondMs;
/** How much longer than the server's statement timeout we wait for a response, in milliseconds. */
const answerGraceMs = 5 * secondMs;
/** A transaction idle for this long, in milliseconds, belongs to a stuck caller. */
const idleInTransactionMs = minuteMs;

type Listed<K extends 'entities' | 'migrations'> = Extract<
  DataSourceOptions[K],
  readonly unknown[]
>;

interface DatabaseOptions {
  /** `postgresql://…`, with a network host or several, or `?host=/socket/folder`. */
  readonly url: string;
  /** Maximum number of connections. */
  readonly poolSize: number;
  /** Statement timeout, in milliseconds; 0 for none. */
  readonly statementTimeoutMs: number;
  readonly entities: Listed<'entities'>;
  readonly migrations: Listed<'migrations'>;
  /** Called for connections that broke while idle, and when the host changes. */
  readonly logger?: HostsLogger;
}

/** int8 as a number: byte counts and totals stay far below 2^53; a larger value is an error. */
function parseInt8(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`${text} is too large for a number`);
  return value;
}

const int8 = 20; // its fixed oid

const types: pg.CustomTypesConfig = {
  getTypeParser(oid, format) {
    if (Number(oid) === int8 && format !== 'binary') return parseInt8;
    return pg.types.getTypeParser(oid, format) as unknown;
  },
};

/**
 * For every connection. JIT compilation takes longer than our statements, but is the default on
 * external servers; PgBouncer would reject the setting as a parameter of the connection.
 */
const session = {
  types,
  keepAlive: true,
  onConnect: (client: pg.ClientBase): Promise<unknown> => client.query('SET jit = off'),
};

/**
 * TypeORM prints failed migrations to the console although it also throws; imgstore reports errors
 * itself.
 */
class SilentLogger extends AbstractLogger {
  protected override writeLog(): void {}
}

/**
 * The TypeORM data source; not connected until `initialize()`. Every wait is bounded: for a
 * connection, a statement, and a response. `bigint` columns are returned as numbers.
 */
export function createDataSource(options: DatabaseOptions): DataSource {
  const limit = options.statementTimeoutMs;
  const { url, hosts } = serverOf(options);
  return new DataSource({
    type: 'postgres',
    url,
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
    logger: new SilentLogger(),
    poolErrorHandler: (error: Error) =>
      // Outside of the request that once opened it.
      runOutside(() =>
        options.logger?.warn('an idle database connection broke', { reason: error.message }),
      ),
    extra: {
      ...session,
      hosts,
      keepAliveInitialDelayMillis: 10 * secondMs,
      ...(limit > 0 && { statement_timeout: limit, query_timeout: limit + answerGraceMs }),
      idle_in_transaction_session_timeout: idleInTransactionMs,
    },
  });
}

/** Where a client connects to: a host, or one of several, whose first the URL then names. */
function serverOf({ url, logger }: Pick<DatabaseOptions, 'url' | 'logger'>) {
  const [first = url, ...others] = urlsOfHosts(url);
  const hosts = others.length > 0 ? new Hosts([first, ...others], logger) : undefined;
  return { url: withLibpqModes(first), hosts };
}

type Options = Extract<DataSourceOptions, { type: 'postgres' }>;

const optionsOf = (dataSource: DataSource): Options => dataSource.options as Options;

/** What is passed on to the pool and its clients. */
const extraOf = (dataSource: DataSource): { readonly hosts?: Hosts } =>
  optionsOf(dataSource).extra as { readonly hosts?: Hosts };

/** The host that takes writes, if there are several; undefined before the first connection. */
export const hostInUse = (dataSource: DataSource): string | undefined =>
  extraOf(dataSource).hosts?.name;

/** The same tables in another database. */
export function inDatabase(dataSource: DataSource, url: string): DataSource {
  const options = optionsOf(dataSource);
  const server = serverOf({ url });
  return new DataSource({
    ...options,
    url: server.url,
    extra: { ...extraOf(dataSource), hosts: server.hosts },
  });
}

/**
 * The same database over one dedicated connection, without entities, for SQL only.
 * @param limitMs as for {@link withoutLimits}.
 */
export const forSqlAlone = (dataSource: DataSource, limitMs = 0): DataSource =>
  new DataSource({ ...withoutLimits(dataSource, limitMs).options, entities: [] });

/**
 * The same database over one dedicated connection, for work that may take long.
 * @param limitMs statement timeout in milliseconds; none if omitted.
 */
export function withoutLimits(dataSource: DataSource, limitMs = 0): DataSource {
  const options = optionsOf(dataSource);
  const { hosts } = extraOf(dataSource);
  const limits = limitMs > 0 && {
    statement_timeout: limitMs,
    query_timeout: limitMs + answerGraceMs,
  };
  return new DataSource({ ...options, poolSize: 1, extra: { ...session, hosts, ...limits } });
}

/** Connects a data source while `work` uses it. */
export async function whileOpen<T>(
  source: DataSource,
  work: (db: DataSource) => Promise<T>,
): Promise<T> {
  const db = await source.initialize();
  try {
    return await work(db);
  } finally {
    await db.destroy();
  }
}
