import { badConfiguration, dependencyDown, type OperatorError } from '../base/errors/operator.js';
import { ServiceError } from '../base/errors/catalogue.js';
import { onlyValue, rows, type Queryable } from './sql.js';
import { explainTls } from './tls.js';

/**
 * Makes the server end a session soon after its client died, even in the middle of a statement or
 * when the client's machine lost power; by default it notices only when it has data to send. For
 * sessions that hold locks others wait for.
 */
export async function detectDeadClient(session: Queryable): Promise<void> {
  await rows(
    session,
    `SELECT set_config(name, value, false)
     FROM (VALUES ('client_connection_check_interval', '2s'), ('tcp_keepalives_idle', '10'),
                  ('tcp_keepalives_interval', '5'), ('tcp_keepalives_count', '3')) AS s (name, value)
     WHERE version() LIKE '%linux%'`, // servers on other systems reject the first setting
  );
}

/**
 * Codes of the operating system and PostgreSQL that mean the server is unreachable, not that the
 * statement was wrong.
 */
const codes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  '57P01', // shut down by an administrator
  '57P02', // crash of another session
  '57P03', // starting up or shutting down
  '57P05', // idle session timeout
  '25P03', // idle in transaction timeout
  '25006', // read-only: a standby, before or after a failover
]);

/** SQLSTATE classes with the same meaning. */
const classes = new Set([
  '08', // connection exceptions
  '53', // out of disk space, memory, or connections
  '58', // system error outside the server, such as an I/O error or a missing file
]);

/** Codes of a failed TLS handshake: the server or its certificate has changed. */
const tlsCodes = /^(CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|ERR_TLS_|ERR_SSL_|EPROTO$)/;

/** Messages of pg and its pool that carry no code. */
const messages =
  /connection terminated|timeout exceeded when trying to connect|timeout expired|query read timeout|connection error and is not queryable|cannot use a pool after|not connected/i;

/**
 * TypeORM releases a transaction's connection once it is lost, then rejects the next statement.
 * Checked by name, since this file is needed before the database runs, and loading TypeORM takes
 * long.
 */
const isReleased = ({ name }: Error): boolean =>
  name === 'QueryRunnerAlreadyReleasedError' || name === 'QueryRunnerProviderAlreadyReleasedError';

/** A SQLSTATE in one of these classes; system errors have codes of another length. */
const isSqlState = (code: string): boolean =>
  /^[0-9A-Z]{5}$/.test(code) && classes.has(code.slice(0, 2));

/**
 * Whether an error, or one of its causes, means that the database cannot be reached now: a reason
 * to answer 503 and retry, not a bug.
 */
export function isConnectionError(error: unknown): boolean {
  for (let e = error, depth = 0; e instanceof Error && depth < 8; e = e.cause, depth += 1) {
    const { code, errors, syscall } = e as Error & Partial<Record<string, unknown>>;
    if (code === 'ENOENT' && syscall === 'connect') return true; // no Unix socket
    if (typeof code === 'string' && (codes.has(code) || isSqlState(code) || tlsCodes.test(code)))
      return true;
    if (messages.test(e.message) || isReleased(e)) return true;
    // One per IP if a host name resolves to several.
    if (Array.isArray(errors) && errors.some((one) => isConnectionError(one))) return true;
  }
  return false;
}

/**
 * Checks that the database answers, and would take changes; writes nothing.
 * @throws what the connection throws, or the error of a change.
 */
export async function ping(db: Queryable): Promise<void> {
  if ((await onlyValue(db, `SELECT current_setting('transaction_read_only')`)) === 'off') return;
  throw Object.assign(new Error('transactions are read-only'), { code: '25006' });
}

/**
 * Checks that the database reads and writes: the row lock is a few bytes in the write-ahead log, and
 * its commit waits for the disk and for synchronous standbys. A read-only database rejects it.
 * @throws what the connection throws.
 */
export const pingWriting = async (db: Queryable): Promise<void> =>
  void (await db.query('SELECT id FROM instance FOR KEY SHARE'));

/** The SQLSTATE of a failure; empty if it has none. */
function stateOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) ? code : '';
}

/**
 * Whether a server rejected the login or the database name: the only connection failures that a
 * retry cannot fix.
 */
export function isLoginRejected(error: unknown): boolean {
  const state = stateOf(error);
  if (state.startsWith('28') || state === '3D000') return true;
  // The server requires a password and the URL has none; the client fails before it sends one.
  return error instanceof Error && /^SASL: .*password must be/.test(error.message);
}

/** The message of a failure, including those of a host name with several IPs. */
function messageOf(error: unknown): string {
  const { message, errors } = error as Error & { errors?: Error[] };
  return message || errors?.map((e) => e.message).join(', ') || 'no reason given';
}

const setting = 'database.url';

/**
 * Explains a failed connection to the operator. @param what the database, in a form safe to print.
 */
export function explainConnection(error: unknown, what = 'The database'): OperatorError {
  const tls = explainTls(error);
  if (tls) {
    return badConfiguration(`${what} ${tls.what}: ${messageOf(error)}.`, {
      setting,
      remedy: tls.remedy,
      cause: error,
    });
  }
  if (isLoginRejected(error)) {
    return badConfiguration(`${what} rejected the login: ${messageOf(error)}.`, {
      setting,
      remedy: 'correct the user, password, or database name in the URL',
      cause: error,
    });
  }
  if (/unsupported startup parameter/.test(messageOf(error))) {
    return badConfiguration(
      `${what} is reached through a pooler that rejects timeouts: ${messageOf(error)}.`,
      {
        setting,
        remedy:
          'set ignore_startup_parameters = statement_timeout,idle_in_transaction_session_timeout in pgbouncer.ini',
        cause: error,
      },
    );
  }
  const { state, remedy } = troubleOf(error) ?? unreachable;
  return dependencyDown(`${what} ${state}: ${messageOf(error)}.`, {
    setting,
    remedy,
    cause: error,
  });
}

/** What ails a server that cannot be used, and what to do. */
interface Trouble {
  readonly state: string;
  readonly remedy: string;
}

const unreachable: Trouble = {
  state: 'cannot be reached',
  remedy: 'check that the server is running and has a free connection slot, or correct the URL',
};

/** By SQLSTATE, the more specific ones first. */
const troubles: readonly (Trouble & { readonly code: RegExp })[] = [
  {
    code: /^25006$/,
    state: 'accepts no changes',
    remedy:
      'if it is a standby, name the primary server or promote this one; otherwise RESET default_transaction_read_only of the database and its role, which some providers set when the disk is full',
  },
  {
    code: /^53100$/,
    state: 'has no disk space left',
    remedy: 'free up space on its disk; it then continues by itself',
  },
  {
    code: /^53300$/,
    state: 'has no connection left',
    remedy: 'raise max_connections of the server, or lower database.pool_size of each node',
  },
  {
    code: /^53/,
    state: 'has run out of resources',
    remedy: 'free up disk space, memory, or connection slots, then try again',
  },
  { code: /^58/, state: 'fails', remedy: 'check its log and its disk, then try again' },
];

const slow: Trouble = {
  state: 'does not answer in time',
  remedy: 'look at its load, its log (it may be recovering), and the network, then try again',
};

/** Messages of pg and its pool about time. */
const late = /timeout expired|timeout exceeded when trying to connect|query read timeout/i;

const troubleOf = (error: unknown): Trouble | undefined =>
  troubles.find(({ code }) => code.test(stateOf(error))) ??
  (late.test((error as Error).message) ? slow : undefined);

/** The error of a client that meets a database in trouble. */
export const unavailableDatabase = (error: unknown): ServiceError =>
  new ServiceError('unavailable', {
    message: `The database ${(troubleOf(error) ?? unreachable).state}.`,
    cause: error,
  });

/**
 * Explains a failure of the database server to the operator.
 * @returns undefined for any other failure.
 */
export const explainServer = (error: unknown): OperatorError | undefined =>
  isLoginRejected(error) || explainTls(error) || troubleOf(error) || isConnectionError(error)
    ? explainConnection(error)
    : undefined;
