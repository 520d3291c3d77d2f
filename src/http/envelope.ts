import { STATUS_CODES } from 'node:http';
import type { ErrorCode } from '../errors/catalogue.js';
import { ServiceError } from '../errors/catalogue.js';

/** The API's fixed message for success. */
export const successMessage = '성공';

export const success = (result: unknown) => ({ status_code: 200, message: successMessage, result });

/** The body of an error response. */
export const failureBody = (error: ServiceError) => ({
  status_code: error.status,
  message: error.message,
  result: null,
  error: {
    code: error.code,
    message: error.message,
    ...(error.field !== undefined && { field: error.field }),
    ...(error.details !== undefined && { details: error.details }),
  },
});

/** Default headers of all responses: private to one reader, and of exactly the declared type. */
export const responseHeaders = {
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
} as const;

const codeOfStatus = new Map<number, ErrorCode>([
  [404, 'not_found'],
  [405, 'method_not_allowed'],
  [413, 'upload_too_large'],
  [415, 'unsupported_media_type'],
]);

/** Errors of the HTTP layer itself (Express, body parsers) have a status below 500. */
function ofHttpLayer(error: unknown): ServiceError | undefined {
  const status = error instanceof Error && 'status' in error ? error.status : undefined;
  if (typeof status !== 'number' || status < 400 || status > 499) return undefined;
  const code = codeOfStatus.get(status) ?? 'invalid_field';
  const message =
    code === 'invalid_field' ? `The request is malformed (${STATUS_CODES[status]}).` : undefined;
  return new ServiceError(code, { message, cause: error });
}

/**
 * Maps anything thrown to an error of the catalogue. Unexpected errors become `internal_error`,
 * which reveals nothing about the implementation.
 */
export function toServiceError(
  error: unknown,
  isUnavailable: (error: unknown) => boolean,
): ServiceError {
  if (error instanceof ServiceError) return error;
  if (isUnavailable(error)) return new ServiceError('unavailable', { cause: error });
  return ofHttpLayer(error) ?? new ServiceError('internal_error', { cause: error });
}
