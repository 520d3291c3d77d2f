import express, { type ErrorRequestHandler } from 'express';
import { EventEmitter } from 'node:events';
import { ServiceError } from '../../src/errors/catalogue.js';
import { filesRouter, type FilesRouterParts } from '../../src/http/files.js';
import { listen } from '../../src/http/server.js';
import { logger } from '../silent-logger.js';

export interface FileServer {
  /** Scheme, host and port, without a slash at the end. */
  readonly base: string;
  /** Says `late` with an error that reached the edge after the headers were sent. */
  readonly edge: EventEmitter;
  close(): Promise<void>;
}

/**
 * The files router alone behind the service's own server, with the least of an error edge.
 * @param stallMs how long a client may take nothing.
 */
export async function serveFiles(
  store: FilesRouterParts['store'],
  verifier: FilesRouterParts['verifier'],
  stallMs?: number,
): Promise<FileServer> {
  const events = new EventEmitter();
  const edge: ErrorRequestHandler = (error: unknown, _req, res, next) => {
    if (res.headersSent) {
      events.emit('late', error);
      next(error);
    } else {
      const known = error instanceof ServiceError;
      res.status(known ? error.status : 500).json({ code: known ? error.code : 'internal_error' });
    }
  };
  const app = express().set('env', 'test').use(filesRouter({ store, verifier }), edge);
  const server = await listen(app, {
    host: '127.0.0.1',
    port: 0,
    maxConnections: 1000,
    logger,
    ...(stallMs !== undefined && { stallMs }),
  });
  return {
    base: `http://127.0.0.1:${server.port}`,
    edge: events,
    close: () => server.stop(0),
  };
}
