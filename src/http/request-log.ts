import type { RequestHandler } from 'express';
import { v7 as uuidv7 } from 'uuid';
import type { Claims } from '../auth/claims.js';
import { guarded } from '../guarded.js';
import type { Logger } from '../telemetry/logger.js';

const acceptable = /^[\w.:-]{1,128}$/;

/** Uses the caller's `X-Request-Id`, or generates one, and echoes it. */
export const requestId: RequestHandler = (request, response, next) => {
  const given = request.get('x-request-id');
  const id = given !== undefined && acceptable.test(given) ? given : uuidv7();
  response.locals.requestId = id;
  response.set('X-Request-Id', id);
  next();
};

/** Characters of a path that are logged; the longest path of the API has about 140. */
const maxPath = 256;

const cut = (path: string): string =>
  path.length <= maxPath ? path : `${path.slice(0, maxPath)}… (${path.length} characters)`;

/**
 * Logs one line per request when it ends. Queries are omitted: they carry search terms and
 * signatures.
 */
export const requestLog =
  (logger: Logger): RequestHandler =>
  (request, response, next) => {
    const started = performance.now();
    const unlogged = (error: unknown): void => void logger.error('request log', { error });
    const log = guarded(unlogged, () => {
      const caller = response.locals.caller as Claims | undefined;
      logger.info('request', {
        method: request.method,
        path: cut(request.path),
        status: response.writableFinished ? response.statusCode : 'aborted',
        ms: Math.round(performance.now() - started),
        id: response.locals.requestId as string,
        ...(caller?.userId && { user: caller.userId }),
        ...(caller?.platformId && { platform: caller.platformId }),
      });
    });
    response.once('close', log);
    next();
  };
