import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { guarded } from '../guarded.js';
import { SendProgress } from './send-progress.js';
import { secondMs } from '../units.js';

/**
 * Requests that may wait on one connection. Past that, the connection closes after answering them:
 * a client that pipelines this far ahead has to resend the rest anyway.
 */
const maxWaiting = 64;

/**
 * How long a rejected client may keep sending: resetting the connection would discard its response.
 */
const partingMs = 2 * secondMs;

interface PendingRequest {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly begin: () => void;
}

/**
 * One client connection, whose requests run one at a time and in order. By default Node starts all
 * pipelined requests at once, and tells a response that its connection closed only when it is that
 * response's turn to be sent. Here, every running request can rely on `close`.
 */
export class Connection {
  readonly #waiting: PendingRequest[] = [];
  #current: PendingRequest | undefined;
  #ending = false;
  #farewell = '';
  readonly #progress: SendProgress;

  constructor(private readonly socket: Socket) {
    this.#progress = new SendProgress(socket);
  }

  /** Whether a request is being answered. */
  get busy(): boolean {
    return this.#current !== undefined;
  }

  /**
   * Whether something that is not a request is still to be answered. Of a connection that is ending,
   * the request that its client has broken off: nothing else would end that.
   */
  get refusable(): boolean {
    return !this.#ending || (this.#farewell === '' && this.#broken !== undefined);
  }

  /** The request that is running, if it has not arrived in full. */
  get #broken(): PendingRequest | undefined {
    return this.#current?.request.complete === false ? this.#current : undefined;
  }

  /** Runs a request when it is its turn. */
  enqueue(pending: PendingRequest): void {
    // Only if the parser could not be stopped; otherwise requests would pile up.
    if (this.#ending) this.socket.destroy();
    else if (!this.#current) this.#run(pending);
    else if (this.#waiting.push(pending) >= maxWaiting) this.end();
  }

  /**
   * Tells the client in the last response whose headers have not been sent yet that it is the last.
   */
  announceEnd(): void {
    const { response } = this.#waiting.at(-1) ?? this.#current ?? {};
    if (response && !response.headersSent) response.setHeader('Connection', 'close');
  }

  /** Accepts no more requests, and closes once earlier ones have been answered. */
  end(): void {
    if (this.#ending) return;
    this.announceEnd();
    this.#stop();
  }

  /** Answers something that is not a request with a complete HTTP message, then closes. */
  refuse(answer: string): void {
    if (!this.refusable) return;
    this.#farewell = answer;
    // The rest of this request will never arrive.
    const broken = this.#broken;
    if (broken?.response.headersSent) this.socket.destroy();
    else if (broken) this.#close();
    this.#stop();
  }

  /** Breaks the connection if the client has read nothing for `limitMs`. */
  closeIfStalled(limitMs: number): void {
    if (this.#progress.stalledMs() >= limitMs) this.socket.destroy();
  }

  readonly #cut = (): void => void this.socket.destroy();

  #stop(): void {
    this.#ending = true;
    stopParsing(this.socket);
    if (!this.#current) this.#close();
  }

  #run(pending: PendingRequest): void {
    this.#current = pending;
    const next = guarded(this.#cut, () => this.#next());
    pending.response.once('close', next);
    pending.begin();
  }

  #next(): void {
    this.#current = undefined;
    // Also closed after a response with `Connection: close`.
    if (this.socket.destroyed || this.socket.writableEnded) {
      this.#waiting.length = 0;
      return;
    }
    const turn = this.#waiting.shift();
    if (turn) this.#run(turn);
    else if (this.#ending) this.#close();
  }

  #close(): void {
    const { socket } = this;
    if (socket.destroyed || socket.writableEnded) return;
    if (this.#farewell === '') {
      socket.destroySoon();
      return;
    }
    socket.end(this.#farewell);
    socket.resume();
    const timer = setTimeout(guarded(this.#cut, this.#cut), partingMs);
    const closed = guarded(this.#cut, () => clearTimeout(timer));
    socket.once('close', closed);
  }
}

/** Node's HTTP parser calls this after the headers of a request to ask whether to continue. */
interface Parser {
  onIncoming: (request: IncomingMessage) => number;
}

/** Return value of `onIncoming` that makes the parser leave the remaining input unread. */
const skipRest = 2;

/**
 * Makes the parser discard further input, which is still read from the socket: a client may have to
 * send everything before it reads. Node has no public API for this, and a single read can hold
 * thousands of requests.
 */
function stopParsing(socket: Socket): void {
  const { parser } = socket as { parser?: Partial<Parser> | null };
  if (!parser?.onIncoming) return;
  parser.onIncoming = (request) => {
    (request as { upgrade?: boolean }).upgrade = false;
    return skipRest;
  };
}
