import { EventEmitter } from 'node:events';
import { Writable } from 'node:stream';
import winston from 'winston';
import { createHttpApp, type AppParts } from '../../src/http/app.js';
import { fileHandler, fileShares, type FileParts } from '../../src/http/files.js';
import { listen } from '../../src/http/server.js';
import { RecentObjects } from '../../src/store/recent-objects.js';
import { logger } from '../silent-logger.js';

export interface FileServer {
  /** Scheme, host and port, without a trailing slash. */
  readonly base: string;
  /** Emits `failure` with the log entry of each failure. */
  readonly failures: EventEmitter;
  close(): Promise<void>;
}

/**
 * Serves only files, on the service's HTTP server.
 * @param stallMs how long a client may read nothing before it is disconnected.
 */
export async function serveFiles(
  store: FileParts['store'],
  verifier: FileParts['verifier'],
  stallMs?: number,
  parts: Partial<AppParts> = {},
): Promise<FileServer> {
  const failures = new EventEmitter();
  const logStream = new Writable({
    write: (line: Buffer, _encoding, done) => {
      failures.emit('failure', line.toString());
      done();
    },
  });
  const app = createHttpApp({
    logger: winston.createLogger({
      level: 'error',
      transports: [new winston.transports.Stream({ stream: logStream })],
    }),
    logRequest: () => undefined,
    files: fileHandler({
      store: new RecentObjects(store),
      verifier,
      shares: fileShares(1000, false),
    }),
    routers: [],
    trustProxy: 0,
    cors: { origins: [], headers: [] },
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
