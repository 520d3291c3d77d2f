import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { guarded, ignore } from '../guarded.js';
import { Connection } from './connection.js';
import type { LingerLimits } from './linger.js';
import { secondMs } from '../units.js';

/**
 * How long connections are still accepted during shutdown, so that all clients notice: those that
 * poll readiness, and those about to reuse an open connection.
 */
const drainMs = 2 * secondMs;

/**
 * When nothing is running and no request has arrived for this long, all clients have been notified.
 */
const quietMs = secondMs;

const drainPollMs = 20;

/** Checks of each connection per stall limit. */
const checksPerLimit = 8;

/** The open connections of a server. */
export class Connections {
  readonly #open = new Map<Socket, Connection>();
  #closing = false;
  #lastRequestAt = 0;

  /** @param limits on the rest of a body whose request has been answered. */
  constructor(
    server: Server,
    stallMs: number,
    private readonly limits: LingerLimits,
  ) {
    const opened = guarded(ignore, (socket: Socket) => this.#watch(socket));
    server.on('connection', opened);
    const check = guarded(ignore, () => this.#cutStalled(stallMs));
    const watch = setInterval(check, stallMs / checksPerLimit);
    watch.unref(); // a server that could not listen never closes
    const closed = guarded(ignore, () => clearInterval(watch));
    server.once('close', closed);
  }

  #watch(socket: Socket): void {
    const cut = (): void => void socket.destroy();
    const closed = guarded(cut, () => this.#open.delete(socket));
    socket.once('close', closed);
    this.#open.set(socket, new Connection(socket, this.limits));
  }

  /** Undefined if the connection has closed. */
  of(socket: Socket): Connection | undefined {
    return this.#open.get(socket);
  }

  /** Runs a request once earlier ones on its connection have been answered. */
  enqueue(request: IncomingMessage, response: ServerResponse, begin: () => void): void {
    this.#lastRequestAt = performance.now();
    if (this.#closing) response.setHeader('Connection', 'close');
    this.of(request.socket)?.enqueue({ request, response, begin });
  }

  /**
   * Announces to all clients that their next response is the last, and waits long enough for them
   * to notice.
   */
  async drain(): Promise<void> {
    this.#closing = true;
    for (const connection of this.#open.values()) connection.announceEnd();
    const started = performance.now();
    this.#lastRequestAt = started;
    while (this.#open.size > 0 && performance.now() - started < drainMs) {
      const quiet = performance.now() - this.#lastRequestAt >= quietMs;
      if (quiet && !this.#busy()) return;
      await delay(drainPollMs);
    }
  }

  /** Closes idle connections at once, and the others after their current response. */
  end(): void {
    this.#closing = true;
    for (const connection of this.#open.values()) connection.end();
  }

  /** Closes all connections at once, whatever has not been sent. */
  cut(): void {
    for (const socket of this.#open.keys()) socket.destroy();
  }

  #busy(): boolean {
    return [...this.#open.values()].some(({ busy }) => busy);
  }

  #cutStalled(limitMs: number): void {
    for (const connection of this.#open.values()) connection.closeIfStalled(limitMs);
  }
}
