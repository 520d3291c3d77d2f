import express from 'express';
import type { ErrorRequestHandler, Express, RequestHandler, Router } from 'express';
import { ServiceError } from '../errors/catalogue.js';
import type { Logger } from '../telemetry/logger.js';
import { responseHeaders, failureBody, toServiceError } from './envelope.js';
import { requireHost } from './host.js';
import { requestId, requestLog } from './request-log.js';

export interface AppParts {
  readonly logger: Logger;
  /** Served in this order. */
  readonly routers: readonly Router[];
  /** Reverse proxies whose forwarding headers are trusted. */
  readonly trustProxy: number;
  /** Web origins allowed to call from a browser. */
  readonly corsOrigins: readonly string[];
  /**
   * Whether an error means that the database or the store is currently unavailable or overloaded.
   */
  readonly isUnavailable: (error: unknown) => boolean;
}

/** The Express application: everything that wraps the routers. */
export function createHttpApp(parts: AppParts): Express {
  const app = express();
  app.disable('x-powered-by');
  // Responses contain fresh signed URLs, so hashing them for an ETag would be pointless.
  app.disable('etag');
  app.set('trust proxy', parts.trustProxy);
  // Express's own error page would show stack traces outside production.
  app.set('env', 'production');
  app.use(requestId, requestLog(parts.logger), prepare, requireHost);
  if (parts.corsOrigins.length > 0) app.use(cors(parts.corsOrigins));
  for (const router of parts.routers) app.use(router);
  app.use(() => {
    throw new ServiceError('not_found');
  });
  app.use(errorEdge(parts));
  return app;
}

/** Middleware shared by all requests. */
const prepare: RequestHandler = ({ headers }, response, next) => {
  response.set(responseHeaders);
  const { expect } = headers;
  if (expect !== undefined && expect.toLowerCase() !== '100-continue') {
    throw new ServiceError('expectation_failed');
  }
  next();
};

/** The one place where errors become responses. */
function errorEdge({ logger, isUnavailable }: AppParts): ErrorRequestHandler {
  // Express recognizes an error handler by its four parameters.
  // eslint-disable-next-line @typescript-eslint/no-unused-vars
  return (thrown: unknown, _request, response, _next) => {
    const error = toServiceError(thrown, isUnavailable);
    if (error.status >= 500) {
      const id = response.locals.requestId as string;
      const reason = error.code === 'internal_error' ? thrown : (error.cause ?? error);
      logger.error(error.code, { id, error: reason instanceof Error ? reason.stack : reason });
    }
    if (response.headersSent) {
      response.destroy();
      return;
    }
    response.set(responseHeaders);
    if (error.retryAfter !== undefined) response.set('Retry-After', String(error.retryAfter));
    response.status(error.status).json(failureBody(error));
  };
}

const corsMethods = 'GET, HEAD, POST, PUT, DELETE';

/** Cross-origin access for the configured origins (Fetch standard, section 3.3). */
function cors(origins: readonly string[]): RequestHandler {
  return (request, response, next) => {
    const { origin } = request.headers;
    response.vary('Origin');
    if (!origin || !(origins.includes(origin) || origins.includes('*'))) return next();
    response.set('Access-Control-Allow-Origin', origin);
    response.set('Access-Control-Expose-Headers', 'X-Request-Id, Retry-After, Content-Disposition');
    if (request.method !== 'OPTIONS' || !request.headers['access-control-request-method']) {
      return next();
    }
    response.set('Access-Control-Allow-Methods', corsMethods);
    response.set('Access-Control-Allow-Headers', 'Authorization, Content-Type, X-Request-Id');
    response.set('Access-Control-Max-Age', '7200');
    response.status(204).end();
  };
}
