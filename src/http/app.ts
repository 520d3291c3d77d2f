import {
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http';
import express from 'express';
import type { ErrorRequestHandler, Express, Router } from 'express';
import { ServiceError, type ErrorCode } from '../base/errors/catalogue.js';
import { runWithin } from '../base/telemetry/context.js';
import type { Logger } from '../base/telemetry/logger.js';
import { secondMs } from '../base/units.js';
import { responseHeaders, failureBody } from './envelope.js';
import { isFilePath, type FileHandler } from './files.js';
import { answerHeaderNames, meantMethod, requestHeaderNames, unavailableCode } from './tus.js';
import { requireHost, useOriginForm, pathOf } from './host.js';
import { loggedPath, logWhenClosed, requestIdOf, type RequestLogParts } from './request-log.js';

interface FailureParts {
  readonly logger: Logger;
  /**
   * Whether an error means that the database or the store is currently unavailable or overloaded.
   */
  readonly isUnavailable: (error: unknown) => boolean;
}

/** Responds with an error for anything thrown. @param id of the request. */
function answerFailure(
  { logger, isUnavailable }: FailureParts,
  thrown: unknown,
  response: ServerResponse,
  id: string,
): void {
  const failure = toServiceError(thrown, isUnavailable);
  if (failure.code === 'internal_error' || (failure.status >= 500 && failure.cause)) {
    const reason = failure.code === 'internal_error' ? thrown : failure.cause;
    logger.error(failure.code, { id, error: reason instanceof Error ? reason.stack : reason });
  } else if (failure.status >= 500) {
    // Refused as intended: too many at once, no space left, shutting down.
    logger.warn(failure.code, { id, reason: failure.message });
  }
  const code = failure.code === 'unavailable' ? unavailableCode(response.req) : failure.code;
  const error = code === failure.code ? failure : new ServiceError(code);
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

/** A page that keeps retrying must not flood the log. */
const pauseMs = secondMs;

/** Maximum number of logged characters of a client's text. */
const maxLength = 200;

/**
 * Logs refused preflights for the operator, since in the browser they look like a network failure.
 */
export class RefusedPreflights {
  #last = -Infinity;

  constructor(
    private readonly logger: Logger,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** Logs a line if this is a preflight; at most one a second. */
  note({ headers: { origin, ...headers }, method, url }: IncomingMessage): void {
    if (method !== 'OPTIONS' || !origin || !headers['access-control-request-method']) return;
    const now = this.now();
    if (now - this.#last < pauseMs) return;
    this.#last = now;
    const from = origin.slice(0, maxLength);
    this.logger.warn('CORS preflight refused', {
      origin: from,
      path: loggedPath(pathOf(url)).slice(0, maxLength),
      remedy: `to allow it, add ${from} to cors.origins (IMGSTORE_CORS_ORIGINS)`,
    });
  }
}

const methods = 'GET, HEAD, POST, PUT, PATCH, DELETE';

const exposed = [
  'X-Request-Id, Retry-After, Content-Disposition, Idempotency-Replayed',
  'ETag, Content-Range, Accept-Ranges',
].join(', ');
const exposedByApi = [exposed, ...answerHeaderNames].join(', ');

const accepted = [
  'Authorization, Content-Type, X-Request-Id, Idempotency-Key, Last-Event-ID',
  'If-Match, If-None-Match, If-Modified-Since, If-Unmodified-Since, If-Range, Range',
  // Of tracing (W3C, Sentry) and of digests, which libraries add by themselves.
  'traceparent, tracestate, baggage, sentry-trace, Repr-Digest, Content-Digest',
  ...requestHeaderNames,
].join(', ');

/** What browsers may do from other origins. */
interface CrossOrigin {
  /** In lowercase, `*` for all. */
  readonly origins: readonly string[];
  /** Names of headers that requests may have besides those that have a meaning here. */
  readonly headers: readonly string[];
}

/**
 * Allows cross-origin access from these origins (Fetch standard, section 3.3).
 * @returns whether the request is a preflight, to be answered with 204.
 */
function allowOrigins(
  cors: CrossOrigin,
  { headers, method, url }: IncomingMessage,
  response: ServerResponse,
): boolean {
  const { origin } = headers;
  response.setHeader('Vary', 'Origin');
  const isAllowed =
    cors.origins.includes('*') || cors.origins.includes(origin?.toLowerCase() ?? '');
  if (!origin || !isAllowed) return false;
  response.setHeader('Access-Control-Allow-Origin', origin);
  response.setHeader('Access-Control-Expose-Headers', isFilePath(url) ? exposed : exposedByApi);
  if (method !== 'OPTIONS' || !headers['access-control-request-method']) return false;
  response.setHeader('Access-Control-Allow-Methods', methods);
  response.setHeader('Access-Control-Allow-Headers', [accepted, ...cors.headers].join(', '));
  response.setHeader('Access-Control-Max-Age', '7200');
  return true;
}

/** Handles requests below a path without Express. */
export interface PathHandler {
  serves(target: string | undefined): boolean;
  handle(request: IncomingMessage, response: ServerResponse): Promise<void>;
}

export interface AppParts extends FailureParts, RequestLogParts {
  /** Answers everything below `/files/`. */
  readonly files: FileHandler;
  /** Answers everything below `/console/`; undefined if the console is disabled. */
  readonly console?: PathHandler | undefined;
  /** Answers for the pages of links, and the files on them. */
  readonly links?: PathHandler;
  /** Answers for the page that checks proofs. */
  readonly check?: PathHandler;
  /** Served by Express, in this order. */
  readonly routers: readonly Router[];
  /** Reverse proxies whose forwarding headers are trusted. */
  readonly trustProxy: number;
  readonly cors: CrossOrigin;
}

/**
 * The request listener of the server. Files and the console are dispatched by path alone;
 * everything else goes to the Express routers (docs/adr/0012).
 */
export function createHttpApp(parts: AppParts): RequestListener {
  const { files, cors, trustProxy } = parts;
  const handlers = [parts.console, parts.links, parts.check].filter((one) => one !== undefined);
  const routed = createExpressApp(parts);
  const refusedPreflights = new RefusedPreflights(parts.logger);
  return (request, response) => {
    const id = requestIdOf(request);
    useOriginForm(request);
    request.method = meantMethod(request) ?? '';
    logWhenClosed(parts, request, response, id);
    const fail = (error: unknown): void => answerFailure(parts, error, response, id);
    try {
      // First, so that a page can read every refusal.
      const isPreflight = cors.origins.length > 0 && allowOrigins(cors, request, response);
      assertExpectation(request);
      requireHost(request, trustProxy > 0);
      if (isPreflight) {
        prepare(response, id);
        response.writeHead(204).end();
      } else if (isFilePath(request.url)) files(request, response, id)?.catch(fail);
      else {
        prepare(response, id);
        const handler = handlers.find((one) => one.serves(request.url));
        runWithin({ logged: { id } }, () => {
          if (handler) {
            handler.handle(request, response).catch(fail);
            return;
          }
          refusedPreflights.note(request);
          routed(request, response);
        });
      }
    } catch (error) {
      fail(error);
    }
  };
}

function assertExpectation({ headers: { expect } }: IncomingMessage): void {
  if (expect !== undefined && expect.toLowerCase() !== '100-continue') {
    throw new ServiceError('expectation_failed');
  }
}

/** Sets the headers that all responses have. */
function prepare(response: ServerResponse, id: string): void {
  response.setHeader('X-Request-Id', id);
  for (const [name, value] of Object.entries(responseHeaders)) response.setHeader(name, value);
}

/** The Express application: the routers, with the same error responses as the other handlers. */
function createExpressApp({ routers, trustProxy, ...parts }: AppParts): Express {
  const app = express();
  app.disable('x-powered-by');
  // Responses contain fresh signed URLs, so hashing them for an ETag would be pointless.
  app.disable('etag');
  app.set('trust proxy', trustProxy);
  // Express's own error page would show stack traces outside production.
  app.set('env', 'production');
  for (const router of routers) app.use(router);
  app.use(() => {
    throw new ServiceError('not_found');
  });
  app.use(errorEdge(parts));
  return app;
}

const errorEdge =
  (parts: FailureParts): ErrorRequestHandler =>
  // Express recognizes an error handler by its four parameters.
  // eslint-disable-next-line @typescript-eslint/no-unused-vars
  (thrown: unknown, _request, response, _next) =>
    answerFailure(parts, thrown, response, String(response.getHeader('X-Request-Id')));
