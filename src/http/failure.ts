import { STATUS_CODES } from 'node:http';
import type { ServerResponse } from 'node:http';
import { ServiceError } from '../base/errors/catalogue.js';
import type { ErrorCode } from '../base/errors/catalogue.js';
import type { Logger } from '../base/telemetry/logger.js';
import { failureBody, responseHeaders } from './envelope.js';

export interface FailureParts {
  readonly logger: Logger;
  /**
   * Whether an error means that the database or the store is currently unavailable or overloaded.
   */
  readonly isUnavailable: (error: unknown) => boolean;
}

/** Responds with an error for anything thrown. @param id of the request. */
export function answerFailure(
  { logger, isUnavailable }: FailureParts,
  thrown: unknown,
  response: ServerResponse,
  id: string,
): void {
  const error = toServiceError(thrown, isUnavailable);
  if (error.status >= 500) {
    const reason = error.code === 'internal_error' ? thrown : (error.cause ?? error);
    logger.error(error.code, { id, error: reason instanceof Error ? reason.stack : reason });
  }
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const body = JSON.stringify(failureBody(error));
  response.writeHead(error.status, {
    'X-Request-Id': id,
    ...responseHeaders,
    ...(error.retryAfter !== undefined && { 'Retry-After': String(error.retryAfter) }),
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
  });
  response.end(body);
}

const codeOfStatus = new Map<number, ErrorCode>([
  [404, 'not_found'],
  [405, 'method_not_allowed'],
  [413, 'upload_too_large'],
  [415, 'unsupported_media_type'],
]);

/** Errors of the HTTP layer itself (Express, body parsers) have a status below 500. */
function httpLayerError(error: unknown): ServiceError | undefined {
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
function toServiceError(error: unknown, isUnavailable: (error: unknown) => boolean): ServiceError {
  if (error instanceof ServiceError) return error;
  if (isUnavailable(error)) return new ServiceError('unavailable', { cause: error });
  return httpLayerError(error) ?? new ServiceError('internal_error', { cause: error });
}
