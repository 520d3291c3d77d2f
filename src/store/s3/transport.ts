import http from 'node:http';
import https from 'node:https';

/** Longest wait for a connection, and for any sign of life on one, in milliseconds. */
const connectTimeout = 3_000;
const idleTimeout = 10_000;

/** Connections to one endpoint; the imaging pool and downloads together rarely need half of them. */
const maxConnections = 128;

/** What the minio client makes its requests with. */
export interface Transport {
  readonly transport: Pick<typeof http, 'request'>;
  readonly transportAgent: http.Agent;
}

/** HTTP(S) whose requests fail in bounded time when the other side does not answer. */
export function boundedTransport(secure: boolean): Transport {
  const { request, Agent } = secure ? https : http;
  const bounded = (options: http.RequestOptions, answer: (res: http.IncomingMessage) => void) => {
    const outgoing = request({ ...options, timeout: connectTimeout }, answer);
    outgoing.on('socket', (socket) => {
      if (!socket.connecting) outgoing.setTimeout(idleTimeout);
      else socket.once('connect', () => outgoing.setTimeout(idleTimeout));
    });
    outgoing.on('timeout', () => outgoing.destroy(new TimeoutError()));
    return outgoing;
  };
  return {
    transport: { request: bounded as typeof http.request },
    transportAgent: new Agent({ keepAlive: true, maxSockets: maxConnections }),
  };
}

/** The other side accepts no connection, or has fallen silent. */
class TimeoutError extends Error {
  override readonly name = 'TimeoutError';
  readonly code = 'ETIMEDOUT';
  constructor() {
    super('The object store does not answer.');
  }
}
