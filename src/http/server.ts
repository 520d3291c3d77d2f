import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Express } from 'express';
import { failure } from '../errors/operator.js';
import { guarded } from '../guard.js';

export interface RunningServer {
  readonly host: string;
  readonly port: number;
  /**
   * Stops accepting, lets running requests finish for at most `graceMs`, then cuts the rest off.
   */
  stop(graceMs: number): Promise<void>;
}

/** Longest time that one request may take to arrive, upload included. */
export const requestTimeoutMs = 15 * 60_000;

/**
 * How long a connection stays open for a next request. Whoever sends has to give it up before, or a
 * request meets a closed connection: load balancers do after 60 s, as a rule.
 */
export const keepAliveMs = 65_000;

/** Longest time that a client may go on sending a body that has been refused. */
const lingerMs = 30_000;

/**
 * Throws away what is left of a request that has been answered early. Most clients read the answer
 * only when they have sent all: to close on them would lose it.
 */
function linger(request: IncomingMessage): void {
  if (request.complete) return;
  const fail = (): void => void request.destroy();
  const timer = setTimeout(guarded(fail, fail), lingerMs);
  const close = guarded(fail, () => clearTimeout(timer));
  request.once('close', close);
  request.resume();
}

/** @throws OperatorError when the address cannot be had. */
export async function listen(app: Express, host: string, port: number): Promise<RunningServer> {
  const handle = (request: IncomingMessage, response: ServerResponse): void => {
    const fail = (): void => void request.destroy();
    const finish = guarded(fail, () => linger(request));
    response.once('finish', finish);
    app(request, response);
  };
  const server = createServer(
    { requestTimeout: requestTimeoutMs, keepAliveTimeout: keepAliveMs },
    handle,
  );
  // A client that asks first (Expect: 100-continue) gets its refusal before it sends the body.
  const ignore = (): void => undefined; // Express answers for what is thrown
  const ask = guarded(ignore, (request: IncomingMessage, response: ServerResponse) => {
    // Until it is told to go on nobody knows whether a body follows, or the next request.
    response.shouldKeepAlive = false;
    handle(request, response);
  });
  server.on('checkContinue', ask);
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
    stop: async (graceMs) => {
      const closed = new Promise((resolve) => server.close(resolve));
      server.keepAliveTimeout = 1;
      server.closeIdleConnections();
      const cut = guarded(ignore, () => server.closeAllConnections());
      const timer = setTimeout(cut, graceMs);
      await closed;
      clearTimeout(timer);
    },
  };
}

function cannotListen(cause: unknown, host: string, port: number): Error {
  const { code } = cause as NodeJS.ErrnoException;
  switch (code) {
    case 'EADDRINUSE':
      return failure(`Port ${port} of ${host} is taken by another program.`, {
        setting: 'port',
        remedy: 'Choose another one, as in "imgstore serve --port 8081", or end the other program.',
        cause,
      });
    case 'EACCES':
      return failure(`This user may not listen on port ${port}.`, {
        setting: 'port',
        remedy: 'Choose a port above 1023.',
        cause,
      });
    default:
      return failure(`Cannot listen on ${host}:${port}: ${(cause as Error).message}`, {
        setting: 'host',
        remedy: 'Choose an address of this machine, as in "imgstore serve --host 127.0.0.1".',
        cause,
      });
  }
}
