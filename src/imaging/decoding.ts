import { relative } from 'node:path';
import type { LaunchOptions } from './decoder-process.js';
import { type PoolEvents, ProcessPool } from './process-pool.js';
import type { Outcome, Survey } from './protocol.js';
import { type Excess, Watch } from './watch.js';
import { bytesPerMegabyte } from '../units.js';

/** A process may hold this and what was estimated twice over, or what all may hold together. */
const spareBytes = 128 * bytesPerMegabyte;

export interface DecodingLimits {
  /** Processor time that one picture may take. */
  readonly cpuSeconds: number;
  /** Memory that all pictures together may take. */
  readonly memoryBytes: number;
}

export interface Decoded {
  readonly outcome: Outcome;
  /** What the process was ended for, if it was: `yield` because it was not to go on. */
  readonly excess: Excess | 'yield' | undefined;
  /** Processor time that the picture took. */
  readonly cpuSeconds: number;
  /** Settled when the memory that the picture took is free. */
  readonly over: Promise<unknown>;
}

export interface DecodingEvents {
  /** The picture is about to be worked on. @returns false when nobody wants it any more. */
  readonly started: () => boolean;
  /** Called again and again meanwhile. @returns false to give the picture up. */
  readonly goesOn: (cpuSeconds: number) => boolean;
}

/** Decodes pictures, each in a process that it has to itself. */
export class Decoding {
  readonly #pool: ProcessPool;

  constructor(
    private readonly launch: LaunchOptions,
    private readonly limits: DecodingLimits,
    events: PoolEvents,
  ) {
    this.#pool = new ProcessPool(launch, events);
  }

  get pids(): readonly number[] {
    return this.#pool.pids;
  }

  get healthy(): boolean {
    return this.#pool.healthy;
  }

  start(): void {
    this.#pool.start();
  }

  close(): Promise<void> {
    return this.#pool.close();
  }

  /** @throws ServiceError `unavailable` when no process can be had. */
  async decode(
    path: string,
    { lane, format, memoryBytes }: Survey,
    { started, goesOn }: DecodingEvents,
  ): Promise<Decoded | undefined> {
    await this.launch.confinement.lend(path);
    const decoder = await this.#pool.acquire();
    if (!started()) {
      this.#pool.release(decoder);
      return undefined;
    }
    const limits = {
      cpuSeconds: this.limits.cpuSeconds,
      residentBytes: spareBytes + Math.max(2 * memoryBytes, this.limits.memoryBytes),
    };
    let yields = false;
    const watch = new Watch(decoder, limits, (cpuSeconds) => {
      yields = !goesOn(cpuSeconds);
      if (yields) decoder.kill();
    });
    const outcome = await decoder.run({ lane, format, path: relative(this.launch.folder, path) });
    const cpuSeconds = watch.stop();
    this.#pool.release(decoder);
    const over = decoder.alive ? Promise.resolve() : decoder.gone;
    return { outcome, excess: yields ? 'yield' : watch.excess, cpuSeconds, over };
  }
}
