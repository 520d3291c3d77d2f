import { EventEmitter } from 'node:events';
import { Writable } from 'node:stream';
import winston from 'winston';
import { createHttpApp, type AppParts } from '../../src/http/app.js';
import { fileHandler, type FileParts } from '../../src/http/files.js';
import { listen } from '../../src/http/server.js';
import { logger } from '../silent-logger.js';

export interface FileServer {
  /** Scheme, host and port, without a slash at the end. */
  readonly base: string;
  /** Says `failure` with what is logged of a failure. */
  readonly failures: EventEmitter;
  close(): Promise<void>;
}

/**
 * The files alone behind the service's own server.
 * @param stallMs how long a client may take nothing.
 */
export async function serveFiles(
  store: FileParts['store'],
  verifier: FileParts['verifier'],
  stallMs?: number,
  parts: Partial<AppParts> = {},
): Promise<FileServer> {
  const failures = new EventEmitter();
  const told = new Writable({
    write: (line: Buffer, _encoding, done) => {
      failures.emit('failure', line.toString());
      done();
    },
  });
  const app = createHttpApp({
    logger: winston.createLogger({
      level: 'error',
      transports: [new winston.transports.Stream({ stream: told })],
    }),
    logRequest: () => undefined,
    files: fileHandler({ store, verifier }),
    routers: [],
    trustProxy: 0,
    corsOrigins: [],
    isUnavailable: () => false,
    ...parts,
  });
  const server = await listen(app, {
    host: '127.0.0.1',
    port: 0,
    maxConnections: 1000,
    logger,
    ...(stallMs !== undefined && { stallMs }),
  });
  return { base: `http://127.0.0.1:${server.port}`, failures, close: () => server.stop(0) };
}
