import { unavailable } from '../base/errors/catalogue.js';
import { guarded } from '../base/guarded.js';
import { DecoderProcess, type LaunchOptions } from './decoder-process.js';
import { residentBytesOf } from './resource-watch.js';
import { runOutside } from '../base/telemetry/context.js';
import { bytesPerMegabyte, secondMs } from '../base/units.js';

/**
 * Consecutive deaths, with no result in between, after which a process is still restarted
 * immediately.
 */
const freeRestarts = 2;
const firstBackoffMs = 100;
const maxBackoffMs = 5 * secondMs;
/** Consecutive failed starts after which callers stop waiting for the next one. */
const maxFailedStarts = 3;
/** How long a process beyond the first may be idle before it is killed. */
const idleMs = 30 * secondMs;
/** An idle process that holds more than this is killed, since nothing else returns the memory. */
const keptBytes = 256 * bytesPerMegabyte;

interface Waiter {
  readonly resolve: (decoder: DecoderProcess) => void;
  readonly reject: (error: Error) => void;
}

export interface PoolEvents {
  /** The first process accepts work. */
  ready(): void;
  /** Processes cannot be started; attempts continue. */
  startFailed(reason: string): void;
}

/** The pool of imaging processes: at least one, and more while there is work for them. */
export class ProcessPool {
  readonly #all = new Set<DecoderProcess>();
  readonly #idle = new Map<DecoderProcess, NodeJS.Timeout>();
  readonly #waiting: Waiter[] = [];
  #booting = 0;
  #retry: NodeJS.Timeout | undefined;
  #closed = false;
  #deaths = 0;
  #failedStarts = 0;

  constructor(
    private readonly options: LaunchOptions,
    private readonly events: PoolEvents,
  ) {}

  /** False while processes fail to start. */
  get healthy(): boolean {
    return this.#failedStarts === 0;
  }

  /** Process ids, oldest first. */
  get pids(): number[] {
    return [...this.#all].flatMap(({ alive, pid }) => (alive && pid) || []);
  }

  start(): void {
    this.#fill();
  }

  /** @throws ServiceError `unavailable` when no process is available. */
  async acquire(): Promise<DecoderProcess> {
    if (this.#closed || this.#failedStarts >= maxFailedStarts)
      throw unavailable('Image processing');
    for (const [decoder, timer] of this.#idle) {
      clearTimeout(timer);
      this.#idle.delete(decoder);
      if (decoder.alive) return decoder;
    }
    return new Promise((resolve, reject) => {
      this.#waiting.push({ resolve, reject });
      this.#fill();
    });
  }

  /** Returns a process to the pool. */
  release(decoder: DecoderProcess): void {
    if (decoder.alive) this.#deaths = 0;
    const bytes = decoder.pid === undefined ? undefined : residentBytesOf(decoder.pid);
    if (bytes !== undefined && bytes > keptBytes) decoder.kill();
    if (decoder.alive) this.#offer(decoder);
  }

  /** Ends all processes for good. */
  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#retry);
    this.#rejectWaiting();
    for (const timer of this.#idle.values()) clearTimeout(timer);
    for (const decoder of this.#all) decoder.kill();
    const all = [...this.#all];
    await Promise.all(all.map((decoder) => decoder.gone.then(() => decoder.removed)));
  }

  #offer(decoder: DecoderProcess): void {
    if (decoder.worn) {
      if (this.#successor()) return decoder.kill();
      this.#fill();
    }
    const waiter = this.#waiting.shift();
    if (waiter) return waiter.resolve(decoder);
    const end = guarded(this.#report, () => this.#endIdle(decoder));
    this.#idle.set(decoder, setTimeout(end, idleMs));
  }

  /** A process that can take the place of a worn one. */
  #successor(): DecoderProcess | undefined {
    return [...this.#all].find(({ alive, pid, worn }) => alive && pid !== undefined && !worn);
  }

  #endIdle(decoder: DecoderProcess): void {
    if (this.#all.size > 1) decoder.kill();
    else this.#idle.get(decoder)?.refresh();
  }

  readonly #report = (error: unknown): void => {
    this.options.logger.error('imaging processes', { error });
  };

  /** Starts missing processes. */
  #fill(): void {
    // A worn process works on until there is another.
    const lacking = [...this.#all].every(({ worn }) => worn) ? 1 : 0;
    const wanted = Math.max(this.#waiting.length, lacking);
    // They outlive the request that causes their start.
    const launch = (): void => this.#launch();
    while (!this.#closed && !this.#retry && this.#booting < wanted) runOutside(launch);
  }

  #launch(): void {
    const decoder = new DecoderProcess(this.options);
    this.#all.add(decoder);
    this.#booting++;
    let ready = false;
    void decoder.ready.then(
      () => {
        ready = true;
        this.#booting--;
        this.#failedStarts = 0;
        this.events.ready();
        for (const [idle] of this.#idle) if (idle.worn) idle.kill();
        this.#offer(decoder);
      },
      () => undefined,
    );
    void decoder.gone.then((reason) => this.#onGone(decoder, ready, reason));
  }

  #onGone(decoder: DecoderProcess, ready: boolean, reason: string): void {
    // Only an idle process counts: one that dies over an image says nothing about starting, and an
    // image has few attempts.
    const idle = this.#idle.has(decoder);
    clearTimeout(this.#idle.get(decoder));
    this.#idle.delete(decoder);
    this.#all.delete(decoder);
    if (!ready) this.#booting--;
    if (this.#closed) return;
    const { pid, killed } = decoder;
    this.options.logger.log(killed && ready ? 'debug' : 'error', 'imaging process ended', {
      pid,
      reason,
    });
    if (!ready) this.#failedStarts++;
    if (!ready || (idle && !killed)) this.#deaths++;
    this.#fillLater();
    if (this.#failedStarts < maxFailedStarts) return;
    this.#rejectWaiting();
    this.events.startFailed(reason);
  }

  #fillLater(): void {
    const over = this.#deaths - freeRestarts;
    if (over <= 0) return this.#fill();
    const delay = Math.min(firstBackoffMs * 2 ** (over - 1), maxBackoffMs);
    const retry = guarded(this.#report, () => {
      this.#retry = undefined;
      this.#fill();
    });
    this.#retry ??= setTimeout(retry, delay);
  }

  #rejectWaiting(): void {
    for (const { reject } of this.#waiting.splice(0)) reject(unavailable('Image processing'));
  }
}
