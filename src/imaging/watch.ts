import { guarded } from '../guard.js';
import type { DecoderProcess } from './decoder-process.js';
import { processUsage } from './process-usage.js';
import { secondMs } from '../units.js';

const tickMs = 100;
/** Processor time of a process that does nothing: it has timers of its own. */
const idleSeconds = 0.02;
/** A process that works moves within this time, however busy the machine. */
const leastWindowSeconds = 3;
/** Time on the wall at most, in multiples of the processor time that the picture may take. */
const maxWall = 20;

/** Why a process was ended while it had a picture. */
export type Excess = 'time' | 'memory' | 'standstill';

export interface WatchLimits {
  /** Processor time that the picture may take, in seconds. */
  readonly cpuSeconds: number;
  /** Memory that the process may hold. */
  readonly residentBytes: number;
}

/**
 * Watches a process while it works on one picture, and ends it when the picture takes too much. Time
 * is that of the processor, since on a busy machine the clock on the wall says nothing about a picture.
 */
export class Watch {
  #excess: Excess | undefined;
  #cpuSeconds = 0;
  readonly #timer: NodeJS.Timeout;
  readonly #startedAt = performance.now();
  readonly #cpuBefore: number;
  /** Since when, and from what processor time on, it is looked at whether anything moves. */
  #seen = { at: this.#startedAt, cpuSeconds: 0 };

  constructor(
    private readonly decoder: DecoderProcess,
    private readonly limits: WatchLimits,
    /** Called again and again, with the processor time that the picture has taken so far. */
    private readonly onTick: (cpuSeconds: number) => void,
  ) {
    this.#cpuBefore = this.#usage()?.cpuSeconds ?? 0;
    // A picture that cannot be watched does not go on.
    const fail = (): void => this.#end('standstill');
    this.#timer = setInterval(
      guarded(fail, () => this.#tick()),
      tickMs,
    );
  }

  /** Undefined unless it was this watch that ended the process. */
  get excess(): Excess | undefined {
    return this.#excess;
  }

  /** @returns processor time that the picture has taken. */
  stop(): number {
    clearInterval(this.#timer);
    this.#measure();
    return this.#cpuSeconds;
  }

  #usage() {
    return this.decoder.pid === undefined ? undefined : processUsage(this.decoder.pid);
  }

  /** @returns memory of the process. */
  #measure(): number {
    const usage = this.#usage();
    // Where the system does not tell, the clock on the wall has to do.
    const wall = (performance.now() - this.#startedAt) / secondMs;
    if (usage) this.#cpuSeconds = usage.cpuSeconds - this.#cpuBefore;
    else if (this.#cpuBefore === 0) this.#cpuSeconds = wall;
    return usage?.residentBytes ?? 0;
  }

  #tick(): void {
    const residentBytes = this.#measure();
    if (this.#cpuSeconds > this.limits.cpuSeconds) return this.#end('time');
    if (residentBytes > this.limits.residentBytes) return this.#end('memory');
    if (this.#standsStill()) return this.#end('standstill');
    this.onTick(this.#cpuSeconds);
  }

  /** Whether nothing has moved for long, or far too little over all. */
  #standsStill(): boolean {
    const now = performance.now();
    if ((now - this.#startedAt) / secondMs > maxWall * this.#window()) return true;
    if ((now - this.#seen.at) / secondMs < this.#window()) return false;
    const moved = this.#cpuSeconds - this.#seen.cpuSeconds;
    this.#seen = { at: now, cpuSeconds: this.#cpuSeconds };
    return moved <= idleSeconds;
  }

  #window(): number {
    return Math.max(this.limits.cpuSeconds, leastWindowSeconds);
  }

  #end(excess: Excess): void {
    clearInterval(this.#timer);
    this.#excess = excess;
    this.decoder.kill();
  }
}
