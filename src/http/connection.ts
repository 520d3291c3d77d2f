import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { guarded } from '../guard.js';
import { Progress } from './progress.js';
import { secondMs } from '../units.js';

/**
 * Requests that may wait on one connection until those before them have been answered. Past that the
 * connection ends after their answers: who sends so far ahead has to send the rest again anyhow.
 */
const maxWaiting = 64;

/** How long a client that is told off may go on sending: a reset would take its answer away. */
const partingMs = 2 * secondMs;

interface Turn {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly begin: () => void;
}

/**
 * One client connection, whose requests run one at a time and in order. Node by itself starts all
 * that a client sends ahead (pipelining) at once, and tells a response of the end of its connection
 * only when it is that response's turn to be sent. Here each one that runs can rely on `close`.
 */
export class Connection {
  readonly #waiting: Turn[] = [];
  #current: Turn | undefined;
  #ending = false;
  #farewell = '';
  readonly #progress: Progress;

  constructor(private readonly socket: Socket) {
    this.#progress = new Progress(socket);
  }

  /** Whether a request is being answered. */
  get busy(): boolean {
    return this.#current !== undefined;
  }

  /** Whether it takes no more requests. */
  get ending(): boolean {
    return this.#ending;
  }

  /** Runs a request when its turn has come. */
  take(turn: Turn): void {
    // Only if the parser could not be stopped; else they would pile up.
    if (this.#ending) this.socket.destroy();
    else if (!this.#current) this.#run(turn);
    else if (this.#waiting.push(turn) >= maxWaiting) this.end();
  }

  /** Lets the client know, with the last answer whose head has not been sent yet, that it is the last. */
  announceEnd(): void {
    const { response } = this.#waiting.at(-1) ?? this.#current ?? {};
    if (response && !response.headersSent) response.setHeader('Connection', 'close');
  }

  /** Takes no more requests, and closes when those that came before have been answered. */
  end(): void {
    if (this.#ending) return;
    this.announceEnd();
    this.#stop();
  }

  /** Ends with an answer of its own, a whole HTTP message, to something that is no request. */
  refuse(answer: string): void {
    if (this.#ending) return;
    this.#farewell = answer;
    // The rest of this one will never come.
    const broken = this.#current?.request.complete === false ? this.#current : undefined;
    if (broken?.response.headersSent) this.socket.destroy();
    else if (broken) this.#part();
    this.#stop();
  }

  /** Breaks the connection off when its client has taken nothing for `limitMs`. */
  cutIfStalled(limitMs: number): void {
    if (this.#progress.stalledMs() >= limitMs) this.socket.destroy();
  }

  readonly #cut = (): void => void this.socket.destroy();

  #stop(): void {
    this.#ending = true;
    stopParsing(this.socket);
    if (!this.#current) this.#part();
  }

  #run(turn: Turn): void {
    this.#current = turn;
    const next = guarded(this.#cut, () => this.#next());
    turn.response.once('close', next);
    turn.begin();
  }

  #next(): void {
    this.#current = undefined;
    // Ended as well after an answer that said `Connection: close`.
    if (this.socket.destroyed || this.socket.writableEnded) {
      this.#waiting.length = 0;
      return;
    }
    const turn = this.#waiting.shift();
    if (turn) this.#run(turn);
    else if (this.#ending) this.#part();
  }

  #part(): void {
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

/** What Node's HTTP parser asks whether to go on after the head of a request. */
interface Parser {
  onIncoming: (request: IncomingMessage) => number;
}

/** Answer of `onIncoming` that has the parser leave the rest of what has arrived unread. */
const skipRest = 2;

/**
 * Has the parser drop whatever else arrives, while it is still read: a client may have to send all
 * before it reads. Node has no public way to do so; one read alone can hold thousands of requests.
 */
function stopParsing(socket: Socket): void {
  const { parser } = socket as { parser?: Partial<Parser> | null };
  if (!parser?.onIncoming) return;
  parser.onIncoming = (request) => {
    (request as { upgrade?: boolean }).upgrade = false;
    return skipRest;
  };
}
