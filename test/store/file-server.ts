import express, { type ErrorRequestHandler } from 'express';
import { EventEmitter, once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ServiceError } from '../../src/errors/catalogue.js';
import { filesRouter, type FilesRouterParts } from '../../src/http/files.js';

export interface FileServer {
  /** Scheme, host and port, without a slash at the end. */
  readonly base: string;
  /** Says `late` with an error that reached the edge after the headers were sent. */
  readonly edge: EventEmitter;
  close(): Promise<void>;
}

/** The files router alone behind a real server, with the least of an error edge. */
export async function serveFiles(
  store: FilesRouterParts['store'],
  verifier: FilesRouterParts['verifier'],
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
  const server = createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    base: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    edge: events,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
