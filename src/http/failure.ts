import type { ServerResponse } from 'node:http';
import type { Logger } from '../telemetry/logger.js';
import { failureBody, responseHeaders, toServiceError } from './envelope.js';

export interface FailureParts {
  readonly logger: Logger;
  /**
   * Whether an error means that the database or the store is currently unavailable or overloaded.
   */
  readonly isUnavailable: (error: unknown) => boolean;
}

/** The one place where errors become responses. @param id of the request. */
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
