import { setMaxListeners } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { ServiceError } from '../../base/errors/catalogue.js';
import { secondMs } from '../../base/units.js';
import type { KeyLocks } from '../../http/idempotency/key-locks.js';

/** How long a request waits for another that writes to the same upload, in milliseconds. */
const longestWaitMs = 30 * secondMs;

/** How long its client must have been silent before that one is asked to give way. */
const silenceMs = secondMs;

/** Milliseconds between attempts to take the lock: on other nodes, nobody says that it is free. */
const pollMs = 250;

/** Requests of one user that may wait at a time, in each process. */
const waitingPerUser = 16;

/** The name of the lock of an upload. */
export const lockName = (uploadId: string): string => `upload ${uploadId}`;

/** A request that alone may write to an upload. */
export class Turn {
  readonly #giveWay = new AbortController();
  readonly #over = new AbortController();
  #silentSince = Infinity;

  constructor() {
    setMaxListeners(0, this.#over.signal); // all that wait for it listen
  }

  /** Whether the file has arrived, and is becoming an image. */
  processing = false;

  /** Aborted when another request takes the place of this one, whose client has gone silent. */
  get ended(): AbortSignal {
    return this.#giveWay.signal;
  }

  /** Notes that it waits for its client from now on, or no longer. */
  waitsForClient(waits: boolean): void {
    this.#silentSince = waits ? performance.now() : Infinity;
  }

  /** Asks it to give way, if its client is silent. */
  ask(): void {
    if (performance.now() - this.#silentSince >= silenceMs) {
      this.#giveWay.abort(new Error('another request takes up the upload'));
    }
  }

  /** Must be called at its end. */
  end(): void {
    this.#over.abort();
  }

  /** Resolves at its end, or a moment later. */
  async ends(): Promise<void> {
    await delay(pollMs, undefined, { signal: this.#over.signal }).catch(() => undefined);
  }
}

/**
 * Which request writes to an upload: one at a time, over all nodes. A lock dies with the process that
 * holds it, or with its connection; a request then still writes nothing that another has written, since
 * it must find the offset that it began with.
 */
export class UploadTurns {
  readonly #turns = new Map<string, Turn>();
  readonly #waiting = new Map<string, number>();

  constructor(
    private readonly locks: Pick<KeyLocks, 'tryLock'>,
    private readonly waitMs = longestWaitMs,
  ) {}

  /**
   * Runs `work` once no other request writes to the upload.
   * @param signal aborted when the client disconnects.
   * @throws ServiceError `upload_locked` if the other one does not end in time.
   */
  async run<T>(
    uploadId: string,
    userId: string,
    signal: AbortSignal,
    work: (turn: Turn) => Promise<T>,
  ): Promise<T> {
    const release = (await this.#try(uploadId)) ?? (await this.#wait(uploadId, userId, signal));
    return this.#hold(uploadId, release, work);
  }

  /** The same without waiting. @returns undefined if another request writes to the upload. */
  async tryRun<T>(uploadId: string, work: (turn: Turn) => Promise<T>): Promise<T | undefined> {
    const release = await this.#try(uploadId);
    return release && this.#hold(uploadId, release, work);
  }

  /** Whether a request of this process makes an image of the upload. */
  isProcessing(uploadId: string): boolean {
    return this.#turns.get(uploadId)?.processing === true;
  }

  #try(uploadId: string): Promise<(() => Promise<void>) | undefined> {
    return this.locks.tryLock(lockName(uploadId));
  }

  async #hold<T>(
    uploadId: string,
    release: () => Promise<void>,
    work: (turn: Turn) => Promise<T>,
  ): Promise<T> {
    const turn = new Turn();
    this.#turns.set(uploadId, turn);
    try {
      return await work(turn);
    } finally {
      this.#turns.delete(uploadId);
      await release();
      turn.end();
    }
  }

  async #wait(uploadId: string, userId: string, signal: AbortSignal): Promise<() => Promise<void>> {
    const waiting = this.#waiting.get(userId) ?? 0;
    if (waiting >= waitingPerUser) throw new ServiceError('upload_locked');
    this.#waiting.set(userId, waiting + 1);
    try {
      const until = performance.now() + this.waitMs;
      while (performance.now() < until && !signal.aborted) {
        const turn = this.#turns.get(uploadId);
        turn?.ask();
        await (turn?.ends() ?? delay(pollMs));
        const release = await this.#try(uploadId);
        if (release) return release;
      }
    } finally {
      this.#leave(userId);
    }
    throw new ServiceError(signal.aborted ? 'upload_interrupted' : 'upload_locked');
  }

  #leave(userId: string): void {
    const left = (this.#waiting.get(userId) ?? 1) - 1;
    if (left > 0) this.#waiting.set(userId, left);
    else this.#waiting.delete(userId);
  }
}
