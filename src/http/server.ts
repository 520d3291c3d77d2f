import { once } from 'node:events';
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http';
import {
  createServer as createNetServer,
  type AddressInfo,
  type Server as NetServer,
  type Socket,
} from 'node:net';
import { v7 as uuidv7 } from 'uuid';
import { flagOf, type OptionKey } from '../base/config/options.js';
import { ServiceError } from '../base/errors/catalogue.js';
import { failure } from '../base/errors/operator.js';
import { guarded, ignore } from '../base/guarded.js';
import { commandLine } from '../base/os/command-line.js';
import type { Logger } from '../base/telemetry/logger.js';
import { minuteMs, secondMs } from '../base/units.js';
import { bodyLimits } from './connection.js';
import { Connections, spareConnections } from './connections.js';
import { responseHeaders, failureBody } from './envelope.js';

/**
 * The response to input that is not a request and never reaches the application.
 * @param error from the `clientError` event of Node's HTTP server.
 * @returns undefined if the connection failed, so that there is nobody to answer.
 */
export function parserErrorOf({ code = '' }: NodeJS.ErrnoException): ServiceError | undefined {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return new ServiceError('headers_too_large');
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return new ServiceError('upload_too_large');
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new ServiceError('request_timeout');
    case 'HPE_INVALID_URL':
      return new ServiceError('malformed_request', { message: unencoded });
    default:
      return code.startsWith('HPE_') ? new ServiceError('malformed_request') : undefined;
  }
}

const unencoded =
  'The path or query has characters that must be percent-encoded as UTF-8, such as %EC%84%9C for 서.';

/** Whether the parser rejected what it read; otherwise, the input ended or did not come. */
const isMalformed = ({ code = '' }: NodeJS.ErrnoException): boolean =>
  code.startsWith('HPE_') && code !== 'HPE_INVALID_EOF_STATE';

/** The methods that this server supports on any path. */
const methods = 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS';

/** A rejection as the headers and body of a response, and its request id. */
function answerOf(error: ServiceError) {
  const id = uuidv7();
  const body = JSON.stringify(failureBody(error));
  const headers = {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': String(Buffer.byteLength(body)),
    ...responseHeaders,
    ...(error.code === 'method_not_allowed' && { Allow: methods }),
    'X-Request-Id': id,
    Connection: 'close',
  };
  return { id, headers, body };
}

/** A rejection as a complete HTTP message, and its request id. */
function rawResponse(error: ServiceError): { id: string; message: string } {
  const { id, headers, body } = answerOf(error);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const head = [`HTTP/1.1 ${error.status} ${STATUS_CODES[error.status]}`, ...lines];
  return { id, message: `${head.join('\r\n')}\r\n\r\n${body}` };
}

/** Rejects a request that the application cannot handle. */
function refuseRequest(response: ServerResponse, error: ServiceError): void {
  const { headers, body } = answerOf(error);
  response.writeHead(error.status, headers).end(body);
}

/** Whether a request target is a path, `*`, or a URL; Express would answer any other itself. */
const isRequestTarget = (target = ''): boolean =>
  target.startsWith('/') || target === '*' || URL.canParse(target);

export interface RunningServer {
  readonly host: string;
  readonly port: number;
  /**
   * Announces the shutdown to clients in their next responses, and gives them a moment to notice.
   */
  drain(): Promise<void>;
  /**
   * Stops accepting connections, lets running requests finish for at most `graceMs`, then cuts off
   * the rest.
   */
  stop(graceMs: number): Promise<void>;
}

interface Listening {
  readonly host: string;
  /** 0 picks a free one. */
  readonly port: number;
  /** Connections beyond this are closed immediately. */
  readonly maxConnections: number;
  readonly logger: Logger;
  /**
   * How long an idle connection is kept open, in milliseconds. Clients must give up idle connections
   * earlier, or a request may hit a closed one; load balancers usually do so after 60 s.
   */
  readonly keepAliveMs?: number;
  /** How long the headers of a request may take to arrive, in milliseconds. */
  readonly headersMs?: number;
  /** Size of the largest upload in bytes. */
  readonly maxUploadBytes?: number;
  /** How long a client may go without reading what is sent to it, in milliseconds. */
  readonly stallMs?: number;
}

const defaultKeepAliveMs = 65 * secondMs;

/** Longest time for one request to arrive, including an upload. */
export const requestTimeoutMs = 15 * minuteMs;

/** The same for the headers alone, and the interval at which both are checked. */
const headersTimeoutMs = 20 * secondMs;
const timeoutCheckMs = 5 * secondMs;

/** A flood of connections must not flood the log. */
const warningMs = minuteMs;

/** Bytes buffered in the streams of a request and its response before backpressure applies. */
const streamBytes = 16 * 1024;

/** @throws OperatorError when it cannot listen on the host and port. */
export async function listen(app: RequestListener, options: Listening): Promise<RunningServer> {
  const { host, port, maxConnections, stallMs = minuteMs } = options;
  const { keepAliveMs = defaultKeepAliveMs, maxUploadBytes = 0 } = options;
  const { headersMs = headersTimeoutMs } = options;
  const server = createServer({
    requestTimeout: requestTimeoutMs,
    headersTimeout: headersMs,
    connectionsCheckingInterval: Math.min(timeoutCheckMs, headersMs),
    keepAliveTimeout: keepAliveMs,
    highWaterMark: streamBytes,
    requireHostHeader: false, // the application does this, in its envelope
  });
  server.maxConnections = maxConnections + spareConnections;
  const limits = { ...bodyLimits, bytes: Math.max(bodyLimits.bytes, 2 * maxUploadBytes) };
  const connections = new Connections(server, stallMs, limits, maxConnections);
  // Node itself would destroy connections whose response has not been sent completely.
  server.closeIdleConnections = () => connections.end();
  serve(server, connections, app);
  refuse(server, connections, options);
  return {
    host,
    port: await listenAt(server, host, port),
    drain: () => connections.drain(),
    stop: async (graceMs) => {
      const closed = new Promise((resolve) => server.close(resolve));
      const cut = guarded(ignore, () => connections.cut());
      const timer = setTimeout(cut, graceMs);
      await closed;
      clearTimeout(timer);
    },
  };
}

/**
 * The rest of a body up to this size is on its way by the time that its answer arrives. Of a longer one
 * the client can save the rest, unless it is told that the connection goes on.
 */
const cheapRest = 64 * 1024;

/** Passes requests on to the application. */
function serve(server: Server, connections: Connections, app: RequestListener): void {
  const handle = (request: IncomingMessage, response: ServerResponse): void => {
    const cut = (): void => void request.socket.destroy();
    const begin = guarded(cut, () => {
      if (isRequestTarget(request.url)) app(request, response);
      else refuseRequest(response, new ServiceError('malformed_request'));
    });
    guarded(cut, () => connections.enqueue(request, response, begin))();
  };
  const requested = guarded(ignore, (request: IncomingMessage, response: ServerResponse) => {
    const { 'transfer-encoding': encoding, 'content-length': length = '0' } = request.headers;
    if (encoding !== undefined || Number(length) > cheapRest) keepOnceArrived(request, response);
    handle(request, response);
  });
  server.on('request', requested);
  // For other expectations the application answers with an error.
  server.on('checkExpectation', requested);
  // A client that sends Expect: 100-continue can be rejected before it sends the body. Until it is
  // told to continue, either the body or the next request may follow.
  const asked = guarded(ignore, (request: IncomingMessage, response: ServerResponse) => {
    keepOnceArrived(request, response);
    handle(request, response);
  });
  server.on('checkContinue', asked);
}

/**
 * Lets a response say that the connection closes, unless the request has arrived by then: a client that
 * reads this sends no more of its body. What still comes is discarded within limits.
 */
function keepOnceArrived(request: IncomingMessage, response: ServerResponse): void {
  const { shouldKeepAlive } = response;
  response.shouldKeepAlive = false;
  const cut = (): void => void request.socket.destroy();
  const arrived = guarded(cut, () => (response.shouldKeepAlive = shouldKeepAlive));
  request.once('end', arrived);
}

/** Answers input that is not a request. */
function refuse(
  server: Server,
  connections: Connections,
  { logger, maxConnections }: Listening,
): void {
  const reject = (error: ServiceError, socket: Socket): void => {
    const connection = connections.of(socket);
    if (!connection?.refusable) return;
    const { id, message } = rawResponse(error);
    logger.info('refused', { status: error.status, id });
    connection.refuse(message);
  };
  const refused = guarded(ignore, (error: NodeJS.ErrnoException, socket: Socket) => {
    // What is discarded need not be well-formed.
    if (connections.of(socket)?.closing === true && isMalformed(error)) return;
    const refusal = parserErrorOf(error);
    // A connection that was opened in advance has asked nothing: a client would take a response for that
    // to the request that it is about to send.
    const asked = socket.bytesRead > 0;
    if (refusal && asked && socket.writable) reject(refusal, socket);
    else socket.destroy();
  });
  server.on('clientError', refused);
  // CONNECT is for proxies, and this server is not one.
  const proxied = guarded(ignore, (_request: IncomingMessage, socket: Socket) =>
    reject(new ServiceError('method_not_allowed'), socket),
  );
  server.on('connect', proxied);
  let warned = -Infinity;
  const dropped = guarded(ignore, () => {
    if (performance.now() - warned < warningMs) return;
    warned = performance.now();
    logger.warn('too many connections', { limit: maxConnections });
  });
  server.on('drop', dropped);
}

/**
 * Makes a server listen. @param settings those that say where. @returns the port.
 * @throws OperatorError that says why it cannot.
 */
export async function listenAt(
  server: NetServer,
  host: string,
  port: number,
  settings?: Parameters<typeof listenError>[3],
): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  }).catch((cause: unknown) => {
    throw listenError(cause, host, port, settings);
  });
  return (server.address() as AddressInfo).port;
}

/** @throws OperatorError that says why nothing can listen there. */
export async function assertPortFree(host: string, port: number): Promise<void> {
  const server = createNetServer();
  await listenAt(server, host, port);
  server.close();
  await once(server, 'close');
}

/** Explains a failed `listen` to the operator. */
function listenError(
  cause: unknown,
  host: string,
  port: number,
  settings: { readonly host: OptionKey; readonly port: OptionKey } = { host: 'host', port: 'port' },
): Error {
  const { code } = cause as NodeJS.ErrnoException;
  switch (code) {
    case 'EADDRINUSE':
      return failure(`Port ${port} on ${host} is already in use by another program.`, {
        code: 'in_use',
        setting: settings.port,
        remedy: `Choose another port, as in "${commandLine('serve', flagOf(settings.port), String(port < 65_535 ? port + 1 : port - 1))}", or stop the other program.`,
        cause,
      });
    case 'EACCES':
      return failure(`This user may not listen on port ${port}.`, {
        setting: settings.port,
        remedy: 'Choose a port above 1023.',
        cause,
      });
    default:
      return failure(`Cannot listen on ${host}:${port}: ${(cause as Error).message}`, {
        setting: settings.host,
        remedy: `Choose an IP address of this machine, as in "${commandLine('serve', flagOf(settings.host), '127.0.0.1')}".`,
        cause,
      });
  }
}
