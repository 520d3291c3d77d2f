import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { guarded } from '../guarded.js';
import { SendProgress } from './send-progress.js';
import { secondMs } from '../units.js';

/**
 * Requests that may wait on one connection. Beyond that, the connection closes after answering
 * them, and the client has to resend the rest.
 */
const maxWaiting = 64;

/**
 * How long a rejected client may keep sending: resetting the connection would discard its response.
 */
const closingMs = 2 * secondMs;

interface PendingRequest {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly begin: () => void;
}

/**
 * One client connection, whose requests run one at a time and in order. By default, Node starts all
 * pipelined requests at once, and a response emits `close` for a closed connection only when it is
 * the next one to be sent. Here, every running request can rely on `close`.
 */
export class Connection {
  readonly #waiting: PendingRequest[] = [];
  #current: PendingRequest | undefined;
  #ending = false;
  #finalResponse = '';
  readonly #progress: SendProgress;

  constructor(private readonly socket: Socket) {
    this.#progress = new SendProgress(socket);
  }

  /** Whether a request is being answered. */
  get busy(): boolean {
    return this.#current !== undefined;
  }

  /**
   * Whether input that is not a request still gets an answer. On a connection that is ending, this
   * applies only to a request that the client broke off, since nothing else would end that request.
   */
  get refusable(): boolean {
    return !this.#ending || (this.#finalResponse === '' && this.#incompleteRequest !== undefined);
  }

  /** The running request, if it has not arrived in full. */
  get #incompleteRequest(): PendingRequest | undefined {
    return this.#current?.request.complete === false ? this.#current : undefined;
  }

  /** Runs a request once all earlier ones have been answered. */
  enqueue(pending: PendingRequest): void {
    // Reached only if the parser could not be stopped; requests must not pile up.
    if (this.#ending) this.socket.destroy();
    else if (!this.#current) this.#run(pending);
    else if (this.#waiting.push(pending) >= maxWaiting) this.end();
  }

  /**
   * Announces the end of the connection in the last response, unless its headers have been sent.
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
    this.#finalResponse = answer;
    // The rest of this request will never arrive.
    const incomplete = this.#incompleteRequest;
    if (incomplete?.response.headersSent) this.socket.destroy();
    else if (incomplete) this.#close();
    this.#stop();
  }

  /** Closes the connection if the client has read nothing for `limitMs`. */
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
    // A response with `Connection: close` also ends up here.
    if (this.socket.destroyed || this.socket.writableEnded) {
      this.#waiting.length = 0;
      return;
    }
    const pending = this.#waiting.shift();
    if (pending) this.#run(pending);
    else if (this.#ending) this.#close();
  }

  #close(): void {
    const { socket } = this;
    if (socket.destroyed || socket.writableEnded) return;
    if (this.#finalResponse === '') {
      socket.destroySoon();
      return;
    }
    socket.end(this.#finalResponse);
    socket.resume();
    const timer = setTimeout(guarded(this.#cut, this.#cut), closingMs);
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
