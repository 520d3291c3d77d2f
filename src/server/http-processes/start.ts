import cluster from 'node:cluster';
import type { Worker } from 'node:cluster';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { guarded, ignore } from '../../base/guarded.js';
import { programName } from '../../base/os/command-line.js';
import { bundleFile } from '../../base/installed-files.js';
import { signalChild } from '../../base/os/run.js';
import type { Logger } from '../../base/telemetry/logger.js';
import { type Sample, lasting } from '../../base/telemetry/series.js';
import { secondMs } from '../../base/units.js';
import type { UploadSlots } from '../../http/open-uploads.js';
import type { CountedEvent } from '../../http/rate-limit.js';
import type { RunningServer } from '../../http/server.js';
import type { Imaging } from '../../imaging/port.js';
import type { ObjectStore } from '../../store/port.js';
import { type Begin, Channel } from './channel.js';
import { imagingHandlers, SlotsOfProcess } from './remote.js';

/** How long a process may take to answer; after that, its latest answer is used. */
const answerTimeoutMs = 2 * secondMs;

/** A process that reports metrics. */
interface MetricsSource {
  /** Identifies the process. */
  readonly key: object;
  readonly ask: () => Promise<Sample[]>;
}

/**
 * The metrics of several processes. Their sum never decreases, as counters require: the last values
 * that a process reported stay included after it ends.
 */
export class ProcessMetrics {
  readonly #latest = new Map<object, Sample[]>();
  readonly #gone = new WeakSet<object>();
  #ended: Promise<Sample[]> = Promise.resolve([]);

  /** @returns the answers, and the sum over ended processes. */
  async of(processes: readonly MetricsSource[]): Promise<Sample[][]> {
    // Read first, so that a process that ends while it is queried does not count twice.
    const ended = this.#ended;
    const answers = await Promise.all(processes.map((one) => this.#answerOf(one)));
    return [...answers, await ended];
  }

  /** Must be called when a process has ended. */
  ended(key: object): void {
    this.#gone.add(key);
    const latest = this.#latest.get(key);
    this.#latest.delete(key);
    if (!latest) return;
    this.#ended = plus(this.#ended, lasting(latest));
  }

  async #answerOf({ key, ask }: MetricsSource): Promise<Sample[]> {
    const before = this.#latest.get(key) ?? [];
    const late = new AbortController();
    const answer = await Promise.race([
      ask().catch(() => undefined),
      delay(answerTimeoutMs, undefined, { signal: late.signal }).catch(() => undefined),
    ]);
    late.abort();
    if (!answer || this.#gone.has(key)) return before;
    this.#latest.set(key, answer);
    return answer;
  }
}

async function plus(ended: Promise<Sample[]>, more: Sample[]): Promise<Sample[]> {
  const { merged } = await import('../../base/telemetry/exposition.js');
  return merged([await ended, more]);
}

/** How long a process that has stopped serving may take to exit. */
const exitMs = 5 * secondMs;
/** Backoff before a process that ended is replaced; it doubles with each consecutive failure. */
const minPauseMs = secondMs / 10;
const maxPauseMs = 30 * secondMs;

export interface HttpProcessesParts {
  readonly count: number;
  readonly begin: Omit<Begin, 'number'>;
  readonly imaging: Imaging;
  readonly uploadSlots: UploadSlots;
  /** The service's own view of the store, which its metrics report. */
  readonly store: Pick<ObjectStore, 'distrust'>;
  readonly logger: Logger;
}

interface HttpProcess {
  readonly number: number;
  readonly worker: Worker;
  readonly channel: Channel;
  /** The port that it was told to listen on; 0 for any. */
  requestedPort: number;
  /** False while it starts: it has no requests yet, and may not receive messages. */
  serving: boolean;
}

/** Lets its requests finish for at most `graceMs`, and waits until it has exited. */
async function end({ worker, channel, serving }: HttpProcess, graceMs: number): Promise<void> {
  const ended = worker.isDead() ? undefined : once(worker, 'exit');
  const kill = (): void => signalChild(worker.process, 'SIGKILL');
  const deadline = AbortSignal.timeout(graceMs + exitMs);
  const late = guarded(ignore, kill);
  deadline.addEventListener('abort', late, { once: true });
  if (serving) await channel.call('stop', graceMs).catch(ignore);
  else kill();
  worker.disconnect();
  await ended;
  deadline.removeEventListener('abort', late);
}

/** Ignores failures: a process that has just ended has nothing left to do. */
const each = (
  processes: readonly HttpProcess[],
  work: (one: HttpProcess) => Promise<unknown>,
): Promise<unknown> => Promise.all(processes.map((one) => work(one).catch(ignore)));

/**
 * Several processes that serve HTTP on one port; connections are distributed round-robin. A process
 * that ends is replaced.
 */
export class HttpProcesses implements RunningServer {
  readonly #running = new Set<HttpProcess>();
  readonly #stopping = new AbortController();
  readonly #metrics = new ProcessMetrics();

  #port: number;

  private constructor(private readonly parts: HttpProcessesParts) {
    this.#port = parts.begin.port;
    // Copies buffers as bytes, not as JSON.
    cluster.setupPrimary({
      exec: bundleFile('http-process'),
      args: [],
      serialization: 'advanced',
    });
  }

  /** @throws OperatorError of the first process that cannot listen. */
  static async start(parts: HttpProcessesParts): Promise<HttpProcesses> {
    const processes = new HttpProcesses(parts);
    try {
      // The first one reports why it cannot listen, if so.
      processes.#port = await processes.#start();
      await Promise.all(Array.from({ length: parts.count - 1 }, () => processes.#start()));
      return processes;
    } catch (error) {
      await processes.stop(0);
      throw error;
    }
  }

  get port(): number {
    return this.#port;
  }

  get host(): string {
    return this.parts.begin.config.host;
  }

  async drain(): Promise<void> {
    await each(this.#serving(), ({ channel }) => channel.call('drain'));
  }

  async stop(graceMs: number): Promise<void> {
    this.#stopping.abort();
    await each([...this.#running], (one) => end(one, graceMs));
  }

  /** The metrics of all processes, including those that have ended. */
  metrics(): Promise<Sample[][]> {
    return this.#metrics.of(
      this.#serving().map((one) => ({
        key: one,
        ask: () => one.channel.call<Sample[]>('metrics'),
      })),
    );
  }

  /** The processes that receive messages. */
  #serving(): HttpProcess[] {
    return [...this.#running].filter(({ serving }) => serving);
  }

  /** @returns the port that it listens on. */
  async #start(): Promise<number> {
    const { begin, imaging, uploadSlots, store } = this.parts;
    // What it tells people to type is the command of this process.
    const worker = cluster.fork({ IMGSTORE_PROGRAM: programName() });
    const slots = new SlotsOfProcess(uploadSlots);
    let hear: (() => void) | undefined;
    const loaded = new Promise<void>((resolve) => (hear = resolve));
    const channel = new Channel(worker, {
      loaded: () => hear?.(),
      ...imagingHandlers(imaging),
      ...slots.handlers,
      counted: (event: CountedEvent) => this.#relay('note', event, worker),
      putFailed: () => {
        store.distrust();
        this.#relay('distrustStore', undefined, worker);
      },
    });
    const number = this.#freeNumber();
    const one: HttpProcess = { number, worker, channel, requestedPort: 0, serving: false };
    this.#running.add(one);
    const ended = guarded(
      (error) => this.parts.logger.error('HTTP process', { error }),
      (code: number | null, signal: string | null) => {
        this.#running.delete(one);
        this.#metrics.ended(one);
        slots.leaveAll();
        const replaced = one.serving && !this.#stopping.signal.aborted;
        return replaced ? this.#replace(worker, code ?? signal) : undefined;
      },
    );
    worker.once('exit', ended);
    // Messages sent before it has loaded would be lost.
    await Promise.race([loaded, channel.closed]);
    one.requestedPort = this.#portToRequest();
    try {
      const port = await channel.call<number>('begin', {
        ...begin,
        port: one.requestedPort,
        number,
      });
      // The last one that shared the port may have ended in the meantime.
      if (this.#port !== 0 && port !== this.#port) throw new Error(`it listens on port ${port}`);
      one.serving = true;
      return port;
    } catch (error) {
      await end(one, 0).catch(ignore);
      throw error;
    }
  }

  /** Processes share a port only if they request the same number, even if it is 0. */
  #portToRequest(): number {
    const [other] = this.#serving();
    return other?.requestedPort ?? this.#port;
  }

  /** A replacement gets the number of the process that it replaces. */
  #freeNumber(): number {
    const taken = new Set([...this.#running].map(({ number }) => number));
    for (let number = 1; ; number += 1) if (!taken.has(number)) return number;
  }

  /** Calls all other processes. */
  #relay(name: string, value: unknown, from: Worker): void {
    for (const { worker, channel } of this.#serving()) {
      if (worker !== from) channel.call(name, value).catch(ignore);
    }
  }

  async #replace({ process: { pid } }: Worker, outcome: number | string | null): Promise<void> {
    const { logger } = this.parts;
    logger.error('an HTTP process ended; starting another', { pid, outcome });
    const { signal } = this.#stopping;
    for (let pause = minPauseMs; !signal.aborted; pause = Math.min(2 * pause, maxPauseMs)) {
      await delay(pause, undefined, { signal }).catch(ignore);
      if (signal.aborted) return;
      const begun = await this.#start().catch((error: unknown) => error);
      if (typeof begun === 'number' || signal.aborted) return;
      logger.error('cannot start an HTTP process', { error: begun });
    }
  }
}
