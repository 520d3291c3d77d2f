import { QueryRunnerAlreadyReleasedError, QueryRunnerProviderAlreadyReleasedError } from 'typeorm';

/** Of the system and of PostgreSQL: nothing was wrong with the statement, the server is not there. */
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

/** SQLSTATE classes of the same kind. */
const classes = new Set([
  '08', // connection exceptions
  '53', // out of disk, memory or connections
  '58', // the system failed below the server: an I/O error, a file that is missing
]);

/** What pg and its pool say without a code. */
const messages =
  /connection terminated|timeout exceeded when trying to connect|timeout expired|query read timeout|connection error and is not queryable|cannot use a pool after|not connected/i;

/** TypeORM gives a transaction's connection up once it is lost, and then refuses its next statement. */
const isGone = (error: Error): boolean =>
  error instanceof QueryRunnerAlreadyReleasedError ||
  error instanceof QueryRunnerProviderAlreadyReleasedError;

/** A SQLSTATE of the classes above; system errors have longer or other codes. */
const isSqlState = (code: string): boolean =>
  /^[0-9A-Z]{5}$/.test(code) && classes.has(code.slice(0, 2));

/**
 * Whether an error, or one that caused it, means that the database cannot be reached now: a reason
 * to answer 503 and to try again, not a defect.
 */
export function isConnectionError(error: unknown): boolean {
  for (let e = error, depth = 0; e instanceof Error && depth < 8; e = e.cause, depth += 1) {
    const { code, errors, syscall } = e as Error & Partial<Record<string, unknown>>;
    if (code === 'ENOENT' && syscall === 'connect') return true; // no unix socket
    if (typeof code === 'string' && (codes.has(code) || isSqlState(code))) return true;
    if (messages.test(e.message) || isGone(e)) return true;
    // One per address when a host name has several.
    if (Array.isArray(errors) && errors.some((one) => isConnectionError(one))) return true;
  }
  return false;
}
