import { unavailable } from '../../errors/catalogue.js';

/** The code of an S3 answer (`NoSuchKey`, `AccessDenied`, …) or of a failed connection (`ECONNREFUSED`). */
export function codeOf(error: unknown): string | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' && code !== '' ? code : undefined;
}

/** There is no such object. (A HEAD has no body to say more than "not found".) */
export const isAbsent = (error: unknown): boolean =>
  ['NoSuchKey', 'NotFound'].includes(codeOf(error) ?? '');

/** The object is there already: a conditional put was refused, or is just being raced. */
export const isTaken = (error: unknown): boolean =>
  ['PreconditionFailed', 'ConditionalRequestConflict'].includes(codeOf(error) ?? '');

/** The keys do not permit the request, or the server does not know it. */
export const isDenied = (error: unknown): boolean =>
  ['AccessDenied', 'NotImplemented'].includes(codeOf(error) ?? '');

/** Answers that say "not now". */
const transientCodes = new Set([
  'InternalError',
  'RequestTimeout',
  'ServiceUnavailable',
  'SlowDown',
  'TooManyRequests',
]);

/** Whether another try, perhaps at another endpoint, may succeed. */
export function isTransient(error: unknown): boolean {
  const code = codeOf(error);
  if (code !== undefined && transientCodes.has(code)) return true;
  return isConnectionFailure(error) || isRefusedForNow(error);
}

/** Whether the endpoint itself is at fault, so that others are to be preferred for a while. */
export function isConnectionFailure(error: unknown): boolean {
  return /^(E[A-Z]+|UND_ERR.*|HPE_.*)$/.test(codeOf(error) ?? '');
}

/** How the client tells a 408, 429, 499 or 5xx when it is not to repeat the request itself. */
const isRefusedForNow = (error: unknown): boolean =>
  error instanceof Error && error.message.includes('Retryable HTTP status');

/** Any failure of the object store as ServiceError `unavailable`, with the failure as its cause. */
export const storeFailure = (error: unknown): Error => unavailable('The object store', error);
