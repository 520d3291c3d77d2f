import { badConfiguration, dependencyDown } from '../errors/operator.js';
import type { OperatorError } from '../errors/operator.js';
import { isConnectionError } from './connection-error.js';

/** The SQLSTATE of a failure; empty where it has none. */
function stateOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) ? code : '';
}

/**
 * Whether a server has said that it does not know this login or this database: the one answer to a
 * connection that no later try will change.
 */
export function isRefused(error: unknown): boolean {
  const state = stateOf(error);
  if (state.startsWith('28') || state === '3D000') return true;
  // The server wants a password and the address has none: the client gives up by itself.
  return error instanceof Error && /^SASL: .*password must be/.test(error.message);
}

/** What a failure says, also that of a host name with several addresses. */
function wordsOf(error: unknown): string {
  const { message, errors } = error as Error & { errors?: Error[] };
  return message || errors?.map((e) => e.message).join(', ') || 'no reason given';
}

const setting = 'database.url';

/** Why there is no connection, in the operator's words. @param what the database, as it may be shown. */
export function explainConnection(error: unknown, what = 'The database'): OperatorError {
  if (isRefused(error)) {
    return badConfiguration(`${what} lets us not in: ${wordsOf(error)}.`, {
      setting,
      remedy: 'mend user, password or database name in the address',
      cause: error,
    });
  }
  return dependencyDown(`${what} cannot be reached: ${wordsOf(error)}.`, {
    setting,
    remedy: 'look whether the server runs and has room for one more session, or mend the address',
    cause: error,
  });
}

/** Classes of SQLSTATE that tell of the server's own troubles, and what helps. */
const troubles = [
  {
    state: /^53/,
    what: 'has run out of room',
    remedy: 'make room on its disk or for more sessions',
  },
  { state: /^58/, what: 'fails', remedy: 'look at its log and at its disk' },
] as const;

/**
 * A failure that is the database server's, in the operator's words.
 * @returns undefined when it is no such failure.
 */
export function explainServer(error: unknown): OperatorError | undefined {
  if (isRefused(error)) return explainConnection(error);
  const trouble = troubles.find(({ state }) => state.test(stateOf(error)));
  if (!trouble) return isConnectionError(error) ? explainConnection(error) : undefined;
  return dependencyDown(`The database server ${trouble.what}: ${wordsOf(error)}.`, {
    setting,
    remedy: `${trouble.remedy}, then try again`,
    cause: error,
  });
}
