import express from 'express';
import type { ErrorRequestHandler, Express, Router } from 'express';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { ServiceError } from '../base/errors/catalogue.js';
import { allowOrigins } from './cors.js';
import { responseHeaders } from './envelope.js';
import { answerFailure } from './failure.js';
import type { FailureParts } from './failure.js';
import { isFilePath } from './files.js';
import type { FileHandler } from './files.js';
import { requireHost } from './host.js';
import { RefusedPreflights } from './refused-preflights.js';
import { logWhenClosed, requestIdOf } from './request-log.js';
import type { RequestLogParts } from './request-log.js';
import { useOriginForm } from './target.js';
import { runWithin } from '../base/telemetry/context.js';

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
  /** Served by Express, in this order. */
  readonly routers: readonly Router[];
  /** Reverse proxies whose forwarding headers are trusted. */
  readonly trustProxy: number;
  /** Web origins allowed to call from a browser. */
  readonly corsOrigins: readonly string[];
}

/**
 * The request listener of the server. Files and the console are dispatched by path alone;
 * everything else goes to the Express routers (docs/adr/0023).
 */
export function createHttpApp(parts: AppParts): RequestListener {
  const { files, console: pages, corsOrigins, trustProxy } = parts;
  const routed = createExpressApp(parts);
  const refusedPreflights = new RefusedPreflights(parts.logger);
  return (request, response) => {
    const id = requestIdOf(request);
    useOriginForm(request);
    logWhenClosed(parts, request, response, id);
    const fail = (error: unknown): void => answerFailure(parts, error, response, id);
    try {
      assertExpectation(request);
      requireHost(request, trustProxy > 0);
      if (corsOrigins.length > 0 && allowOrigins(corsOrigins, request, response)) {
        prepare(response, id);
        response.writeHead(204).end();
      } else if (isFilePath(request.url)) files(request, response, id).catch(fail);
      else if (pages?.serves(request.url)) {
        prepare(response, id);
        pages.handle(request, response).catch(fail);
      } else {
        runWithin({ logged: { id } }, () => {
          refusedPreflights.note(request);
          prepare(response, id);
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
