import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { guarded, ignore } from '../base/guarded.js';
import { rateLimitKey } from './host.js';
import { Connection, type LingerLimits } from './connection.js';
import { secondMs } from '../base/units.js';

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

/** Connections that Node may accept beyond the maximum, until one of them is closed. */
export const spareConnections = 64;

/**
 * The open connections of each client IP. When all places are taken, the IP with the most connections
 * makes room for others, so that nobody can keep them from connecting by opening many.
 */
export class Crowd {
  readonly #byIp = new Map<string, Set<Socket>>();
  #size = 0;

  /** @param mayEnd whether a connection can be ended without harm. */
  constructor(
    private readonly places: number,
    private readonly mayEnd: (socket: Socket) => boolean,
  ) {}

  /** Closes the connection at once if there is no room for it. @returns whether there is. */
  enter(socket: Socket): boolean {
    const ip = rateLimitKey(socket.remoteAddress ?? '');
    const sockets = this.#byIp.get(ip) ?? new Set();
    if (this.#size >= this.places && !this.#makeRoom(sockets.size)) {
      socket.destroy();
      return false;
    }
    this.#byIp.set(ip, sockets.add(socket));
    this.#size += 1;
    const leave = (): void => this.#leave(ip, socket);
    socket.once('close', guarded(ignore, leave));
    return true;
  }

  #leave(ip: string, socket: Socket): void {
    const sockets = this.#byIp.get(ip);
    if (!sockets?.delete(socket)) return;
    this.#size -= 1;
    if (sockets.size === 0) this.#byIp.delete(ip);
  }

  /** Ends the oldest connection that may end, of the IP with the most, for one with fewer. */
  #makeRoom(fewer: number): boolean {
    let [ip, most]: [string, ReadonlySet<Socket>] = ['', new Set()];
    for (const each of this.#byIp) if (each[1].size > most.size) [ip, most] = each;
    if (most.size <= fewer) return false;
    for (const socket of most) {
      if (!this.mayEnd(socket)) continue;
      this.#leave(ip, socket);
      socket.destroy();
      return true;
    }
    return false;
  }
}

/** The open connections of a server. */
export class Connections {
  readonly #open = new Map<Socket, Connection>();
  readonly #crowd: Crowd;
  #closing = false;
  #lastRequestAt = 0;

  /**
   * @param limits on the rest of a body whose request has been answered.
   * @param places how many there may be.
   */
  constructor(
    server: Server,
    stallMs: number,
    private readonly limits: LingerLimits,
    places: number,
  ) {
    this.#crowd = new Crowd(places, (socket) => this.of(socket)?.busy !== true);
    const opened = guarded(ignore, (socket: Socket) => {
      if (this.#crowd.enter(socket)) this.#watch(socket);
      else server.emit('drop'); // as those that Node closes
    });
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
