import { createHash, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { guarded, ignore } from '../base/guarded.js';
import type { Logger } from '../base/telemetry/logger.js';
import { secondMs } from '../base/units.js';
import { Crowd } from './connections.js';
import { authorityOf, pathOf } from './host.js';
import { listenAt } from './server.js';

/** Enough for two Prometheus servers and an operator. */
const places = 16;

const timeoutMs = 10 * secondMs;

/** The metrics of the node as text, and its media type. */
export interface Exposition {
  readonly type: string;
  readonly text: string;
}

interface MetricsServerOptions {
  readonly host: string;
  /** 0 picks a free one. */
  readonly port: number;
  /** The bearer token that clients have to send, if any. */
  readonly token: string | undefined;
  readonly expose: () => Promise<Exposition>;
  readonly logger: Logger;
}

export interface MetricsServer {
  readonly url: string;
  stop(): Promise<void>;
}

/**
 * Answers `GET /metrics` on a separate host and port, which need not be reachable for clients of
 * the API. @throws OperatorError when it cannot listen there.
 */
export async function serveMetrics(options: MetricsServerOptions): Promise<MetricsServer> {
  const { host, port, logger } = options;
  const server = createServer({ requestTimeout: timeoutMs, headersTimeout: timeoutMs });
  const crowd = new Crowd(places, () => true);
  server.on(
    'connection',
    guarded(ignore, (socket: Socket) => crowd.enter(socket)),
  );
  const handle = (request: IncomingMessage, response: ServerResponse): void => {
    request.resume();
    const fail = (error: unknown): void => {
      logger.error('metrics', { error });
      refuse(response, 500, 'Metrics cannot be read; see the log.');
    };
    guarded(fail, () => answer(options, request, response))();
  };
  server.on('request', guarded(ignore, handle));
  const settings = { host: 'metrics.host', port: 'metrics.port' } as const;
  const boundPort = await listenAt(server, host, port, settings);
  return {
    url: `http://${authorityOf(host, boundPort)}/metrics`,
    stop: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

async function answer(
  { token, expose }: MetricsServerOptions,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (pathOf(request.url) !== '/metrics') return refuse(response, 404, 'Metrics are at /metrics.');
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    response.setHeader('Allow', 'GET, HEAD');
    return refuse(response, 405, 'Metrics are for reading.');
  }
  if (token !== undefined && !isBearer(request.headers.authorization ?? '', token)) {
    response.setHeader('WWW-Authenticate', 'Bearer realm="imgstore metrics"');
    return refuse(response, 401, 'Send the token of metrics.token: Authorization: Bearer ….');
  }
  const { type, text } = await expose();
  response.writeHead(200, { 'Content-Type': type, 'Content-Length': Buffer.byteLength(text) });
  response.end(text);
}

function refuse(response: ServerResponse, status: number, text: string): void {
  if (response.headersSent) return void response.destroy();
  response.writeHead(status, { 'Content-Type': 'text/plain; charset=utf-8' }).end(`${text}\n`);
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Compares in constant time. */
const isBearer = (header: string, token: string): boolean =>
  timingSafeEqual(digest(header.replace(/^Bearer +/i, '')), digest(token));
