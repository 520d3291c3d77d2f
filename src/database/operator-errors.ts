import { badConfiguration, dependencyDown } from '../base/errors/operator.js';
import type { OperatorError } from '../base/errors/operator.js';
import { isConnectionError } from './connection-error.js';
import { explainTls } from './tls.js';

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
  return dependencyDown(`${what} cannot be reached: ${messageOf(error)}.`, {
    setting,
    remedy: 'check that the server is running and has a free connection slot, or correct the URL',
    cause: error,
  });
}

/** SQLSTATE classes that indicate trouble on the server, and how to fix them. */
const troubles = [
  {
    state: /^53/,
    what: 'has run out of resources',
    remedy: 'free up disk space or connection slots',
  },
  { state: /^58/, what: 'fails', remedy: 'check its log and its disk' },
] as const;

/**
 * Explains a failure of the database server to the operator.
 * @returns undefined for any other failure.
 */
export function explainServer(error: unknown): OperatorError | undefined {
  if (isLoginRejected(error) || explainTls(error)) return explainConnection(error);
  const trouble = troubles.find(({ state }) => state.test(stateOf(error)));
  if (!trouble) return isConnectionError(error) ? explainConnection(error) : undefined;
  return dependencyDown(`The database server ${trouble.what}: ${messageOf(error)}.`, {
    setting,
    remedy: `${trouble.remedy}, then try again`,
    cause: error,
  });
}
