import http from 'node:http';
import https from 'node:https';
import type { Socket } from 'node:net';
import { guarded } from '../../base/guarded.js';
import { secondMs } from '../../base/units.js';

/** Longest wait for a connection, and for any activity on one, in milliseconds. */
const connectTimeout = 3 * secondMs;
const idleTimeout = 10 * secondMs;

/**
 * Connections to one endpoint; the imaging pool and downloads together rarely need half of them.
 */
const maxConnections = 128;

/** How the minio client makes its requests. */
export interface Transport {
  readonly transport: Pick<typeof http, 'request'>;
  readonly transportAgent: http.Agent;
}

/** HTTP(S) whose requests fail within bounded time when the other side does not respond. */
export function boundedTransport(secure: boolean): Transport {
  const { request, Agent } = secure ? https : http;
  const bounded = (options: http.RequestOptions, answer: (res: http.IncomingMessage) => void) => {
    const outgoing = request({ ...options, timeout: connectTimeout }, answer);
    const fail = (error: unknown): void => void outgoing.destroy(error as Error);
    const connected = guarded(fail, () => outgoing.setTimeout(idleTimeout));
    const attached = guarded(fail, (socket: Socket) => {
      if (!socket.connecting) connected();
      else socket.once('connect', connected);
    });
    outgoing.on('socket', attached);
    outgoing.on(
      'timeout',
      guarded(fail, () => fail(new TimeoutError())),
    );
    return outgoing;
  };
  return {
    transport: { request: bounded as typeof http.request },
    transportAgent: new Agent({ keepAlive: true, maxSockets: maxConnections }),
  };
}

/** The other side accepts no connection, or has stopped responding. */
class TimeoutError extends Error {
  override readonly name = 'TimeoutError';
  readonly code = 'ETIMEDOUT';
  constructor() {
    super('The object store does not respond.');
  }
}
