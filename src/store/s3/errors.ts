import { unavailable } from '../../base/errors/catalogue.js';

/**
 * The code of an S3 response (`NoSuchKey`, `AccessDenied`, …) or of a failed connection
 * (`ECONNREFUSED`).
 */
export function s3CodeOf(error: unknown): string | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' && code !== '' ? code : undefined;
}

/** An error that the server answered with 200, for a request or for one of its keys. */
export class S3AnswerError extends Error {
  override readonly name = 'S3AnswerError';
  constructor(
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

/** The client throws the error document of a 200 as it was parsed, which is no Error. */
export function asError(thrown: unknown): Error {
  if (thrown instanceof Error) return thrown;
  const { Code = '', Message = '' } = (thrown ?? {}) as { Code?: unknown; Message?: unknown };
  return new S3AnswerError(String(Code), String(Message) || `not an answer: ${String(thrown)}`);
}

/** No such object. (A HEAD response has no body to say more than "not found".) */
export const isObjectMissing = (error: unknown): boolean =>
  ['NoSuchKey', 'NotFound'].includes(s3CodeOf(error) ?? '');

/** The object already exists, or is being created right now: a conditional put was rejected. */
export const isKeyTaken = (error: unknown): boolean =>
  ['PreconditionFailed', 'ConditionalRequestConflict'].includes(s3CodeOf(error) ?? '');

/** No such multipart upload: it was completed or aborted. */
export const isUploadMissing = (error: unknown): boolean => s3CodeOf(error) === 'NoSuchUpload';

/** The bytes differ from the hashes that came with them. */
export const isHashRefused = (error: unknown): boolean =>
  ['BadDigest', 'XAmzContentSHA256Mismatch'].includes(s3CodeOf(error) ?? '');

/** The keys do not permit the request, or the server does not know it. */
export const isDenied = (error: unknown): boolean =>
  ['AccessDenied', 'MethodNotAllowed', 'NotImplemented'].includes(s3CodeOf(error) ?? '');

/** An answer that lacks what a success has. */
export const noAnswer = (lacking: string): S3AnswerError =>
  new S3AnswerError('InvalidAnswer', `the server answered without ${lacking}`);

/** Responses that mean "try again": later, or because the bytes changed on the way. */
const transientCodes = new Set([
  'BadDigest',
  'IncompleteBody',
  'InternalError',
  'RequestTimeout',
  'ServiceUnavailable',
  'SlowDown',
  'TooManyRequests',
  'XAmzContentSHA256Mismatch',
]);

export const isTransientCode = (code: string): boolean => transientCodes.has(code);

/** Whether another attempt, possibly at another endpoint, may succeed. */
export function isTransient(error: unknown): boolean {
  const code = s3CodeOf(error);
  if (code !== undefined && isTransientCode(code)) return true;
  return isConnectionFailure(error) || isRefusedForNow(error);
}

/** Whether the endpoint itself is at fault, so that others should be preferred for a while. */
export function isConnectionFailure(error: unknown): boolean {
  return /^(E[A-Z]+|UND_ERR.*|HPE_.*)$/.test(s3CodeOf(error) ?? '');
}

/** How the client reports a 408, 429, 499, or 5xx when told not to retry. */
const isRefusedForNow = (error: unknown): boolean =>
  error instanceof Error && error.message.includes('Retryable HTTP status');

/**
 * Converts any failure of the object store to ServiceError `unavailable`, with the failure as its
 * cause.
 */
export const s3StoreError = (error: unknown): Error => unavailable('The object store', error);
