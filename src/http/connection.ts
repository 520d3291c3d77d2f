import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { guarded } from '../base/guarded.js';
import { bytesPerMegabyte, minuteMs, secondMs } from '../base/units.js';

/** What an answered client may still send, all of which is discarded. */
export interface LingerLimits {
  readonly bytes: number;
  /** Longest wait, extended while bytes arrive at {@link paceBytesPerMs}, up to {@link maxMs}. */
  readonly ms: number;
}

/** For the rest of a body: slow uploads are the ones that most often outlast their answer. */
export const bodyLimits: LingerLimits = { ms: 30 * secondMs, bytes: 256 * bytesPerMegabyte };

/** For a client that has nothing left to send, until it closes the connection as well. */
const closingLimits: LingerLimits = { ...bodyLimits, ms: 2 * secondMs };

/** 64 KB/s. */
const paceBytesPerMs = (64 * 1024) / secondMs;

const maxMs = 15 * minuteMs;

const pollMs = 100;

/**
 * Reads and discards what a client sends after it was answered, until `stream`, its request or the
 * whole connection, closes. Most clients read the answer only after sending everything, and TCP
 * discards it if the connection closes with bytes unread (RFC 9112, section 9.6).
 */
export function linger(socket: Socket, stream: Readable, { bytes, ms }: LingerLimits): void {
  if (stream.destroyed) return;
  const bytesBefore = socket.bytesRead;
  const began = performance.now();
  const cut = (): void => void socket.destroy();
  // If nobody has read the request, Node discards its bytes before any event could fire.
  const check = guarded(cut, (): void => {
    // A request that was answered is not told that its socket has closed.
    if (stream.destroyed || socket.destroyed) {
      clearInterval(timer);
      return;
    }
    const received = socket.bytesRead - bytesBefore;
    const allowedMs = Math.min(ms + received / paceBytesPerMs, maxMs);
    if (received > bytes || performance.now() - began > allowedMs) cut();
  });
  const timer: NodeJS.Timeout = setInterval(check, pollMs);
  stream.resume();
}

/** Tracks whether a client is reading what is sent to it, even if only a few bytes at a time. */
class SendProgress {
  #untaken = 0;
  #written = 0;
  #since = 0;

  constructor(private readonly socket: Socket) {}

  /**
   * How long none of the pending data has been read, in milliseconds. Must be called periodically;
   * the interval between calls is the precision of the answer.
   */
  stalledMs(): number {
    const { bytesWritten, writableLength } = this.socket;
    const now = performance.now();
    const untaken = writableLength > 0 ? untakenBytes(this.socket) : 0;
    if (untaken === 0 || untaken !== this.#untaken || bytesWritten !== this.#written) {
      this.#untaken = untaken;
      this.#written = bytesWritten;
      this.#since = now;
    }
    return now - this.#since;
  }
}

/**
 * Bytes that the kernel has not accepted yet. In `writableLength`, a write counts in full until its
 * last byte is gone, which may take minutes with a slow reader; the socket handle counts every
 * byte.
 */
function untakenBytes(socket: Socket): number {
  const { _handle: handle } = socket as { _handle?: { writeQueueSize?: number } | null };
  return handle?.writeQueueSize ?? socket.writableLength;
}

/**
 * Requests that may wait on one connection. Beyond that, the connection closes after answering
 * them, and the client has to resend the rest.
 */
const maxWaiting = 64;

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
  /** The request that was run last, which may still be arriving after its response. */
  #latest: IncomingMessage | undefined;
  #ending = false;
  #finalResponse = '';
  readonly #progress: SendProgress;

  /** @param limits on the rest of a body whose request has been answered. */
  constructor(
    private readonly socket: Socket,
    private readonly limits: LingerLimits = bodyLimits,
  ) {
    this.#progress = new SendProgress(socket);
    // Node calls this after a response with "Connection: close".
    socket.destroySoon = guarded(this.#cut, () => this.#close());
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
    // In the rest of a body, it belongs to a request that has been answered.
    if (this.#current || this.#latest?.complete !== false) this.#finalResponse = answer;
    // The rest of this request will never arrive.
    const incomplete = this.#incompleteRequest;
    if (incomplete?.response.headersSent) this.socket.destroy();
    else if (incomplete) this.#close();
    this.#stop();
  }

  /** Whether everything has been sent, and what still arrives is discarded. */
  get closing(): boolean {
    return this.socket.writableEnded;
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
    this.#latest = pending.request;
    const next = guarded(this.#cut, () => this.#next());
    pending.response.once('close', next);
    const answered = guarded(this.#cut, () => {
      if (!pending.request.complete) linger(this.socket, pending.request, this.limits);
    });
    pending.response.once('finish', answered);
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

  /** Closes the connection such that the client can still read everything that was sent to it. */
  #close(): void {
    const { socket } = this;
    if (socket.destroyed || socket.writableEnded) return;
    this.#ending = true;
    stopParsing(socket);
    if (this.#finalResponse === '') socket.end();
    else socket.end(this.#finalResponse);
    const isArriving = this.#latest?.complete === false;
    linger(socket, socket, isArriving ? this.limits : closingLimits);
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
