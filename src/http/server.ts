import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Express } from 'express';
import { ServiceError } from '../errors/catalogue.js';
import { guarded } from '../guard.js';
import type { Logger } from '../telemetry/logger.js';
import { cannotListen } from './cannot-listen.js';
import { Connections } from './connections.js';
import { linger } from './linger.js';
import { isTarget, rawAnswer, refusalOf, refuseRequest } from './refusal.js';
import { minuteMs, secondMs } from '../units.js';

export interface RunningServer {
  readonly host: string;
  readonly port: number;
  /** Tells clients with their answers that these are the last, and gives all a moment to hear of it. */
  drain(): Promise<void>;
  /**
   * Stops accepting, lets running requests finish for at most `graceMs`, then cuts the rest off.
   */
  stop(graceMs: number): Promise<void>;
}

export interface Listening {
  readonly host: string;
  /** 0 for a free one. */
  readonly port: number;
  /** Connections beyond are closed at once. */
  readonly maxConnections: number;
  readonly logger: Logger;
  /** How long a client may take nothing of what is sent to it, in milliseconds. */
  readonly stallMs?: number;
}

/** Longest time that one request may take to arrive, upload included. */
export const requestTimeoutMs = 15 * minuteMs;

/** The same for its head alone, and how often both are looked at. */
const headersTimeoutMs = 20 * secondMs;
const timeoutLookMs = 5 * secondMs;

/**
 * How long a connection stays open for a next request. Whoever sends has to give it up before, or a
 * request meets a closed connection: load balancers do after 60 s, as a rule.
 */
export const keepAliveMs = 65 * secondMs;

/** A flood of connections shall not become one of the log. */
const warningMs = minuteMs;

/** Bytes that wait in the streams of a request and of its answer, before they hold up the sender. */
const streamBytes = 16 * 1024;

/** @throws OperatorError when the address cannot be had. */
export async function listen(app: Express, options: Listening): Promise<RunningServer> {
  const { host, port, logger, maxConnections, stallMs = minuteMs } = options;
  const server = createServer({
    requestTimeout: requestTimeoutMs,
    headersTimeout: headersTimeoutMs,
    connectionsCheckingInterval: timeoutLookMs,
    keepAliveTimeout: keepAliveMs,
    highWaterMark: streamBytes,
    requireHostHeader: false, // the application does, and says so in its envelope
  });
  server.maxConnections = maxConnections;
  const connections = new Connections(server, stallMs);
  serve(server, connections, app);
  refuse(server, connections, logger);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  }).catch((cause: unknown) => {
    throw cannotListen(cause, host, port);
  });
  const address = server.address() as AddressInfo;
  return {
    host,
    port: address.port,
    drain: () => connections.drain(),
    stop: async (graceMs) => {
      const closed = new Promise((resolve) => server.close(resolve));
      connections.end();
      const cut = guarded(ignore, () => server.closeAllConnections());
      const timer = setTimeout(cut, graceMs);
      await closed;
      clearTimeout(timer);
    },
  };
}

/** Where nothing is left to fail: the handlers end their own connection. */
const ignore = (): void => undefined;

/** Hands what is a request to the application. */
function serve(server: Server, connections: Connections, app: Express): void {
  const handle = (request: IncomingMessage, response: ServerResponse): void => {
    const cut = (): void => void request.socket.destroy();
    const begin = guarded(cut, () => {
      const finish = guarded(cut, () => linger(request));
      response.once('finish', finish);
      if (isTarget(request.url)) app(request, response);
      else refuseRequest(response, new ServiceError('malformed_request'));
    });
    guarded(cut, () => connections.take(request, response, begin))();
  };
  const requested = guarded(ignore, handle);
  server.on('request', requested);
  // Other expectations than this one: the application refuses them.
  server.on('checkExpectation', requested);
  // A client that asks first (Expect: 100-continue) gets its refusal before it sends the body.
  const asked = guarded(ignore, (request: IncomingMessage, response: ServerResponse) => {
    // Until it is told to go on nobody knows whether a body follows, or the next request.
    response.shouldKeepAlive = false;
    handle(request, response);
  });
  server.on('checkContinue', asked);
}

/** Answers what is none. */
function refuse(server: Server, connections: Connections, logger: Logger): void {
  const tell = (error: ServiceError, socket: Socket): void => {
    const connection = connections.of(socket);
    if (!connection || connection.ending) return;
    const { id, message } = rawAnswer(error);
    logger.info('refused', { status: error.status, id });
    connection.refuse(message);
  };
  const refused = guarded(ignore, (error: NodeJS.ErrnoException, socket: Socket) => {
    const refusal = refusalOf(error);
    if (refusal && socket.writable) tell(refusal, socket);
    else socket.destroy();
  });
  server.on('clientError', refused);
  // As for a proxy, which this is not.
  const proxied = guarded(ignore, (_request: IncomingMessage, socket: Socket) =>
    tell(new ServiceError('method_not_allowed'), socket),
  );
  server.on('connect', proxied);
  let warned = -Infinity;
  const dropped = guarded(ignore, () => {
    if (performance.now() - warned < warningMs) return;
    warned = performance.now();
    logger.warn('too many connections', { limit: server.maxConnections });
  });
  server.on('drop', dropped);
}
