import { closeSync, openSync, readSync } from 'node:fs';
import { guarded } from '../base/guarded.js';
import { secondMs } from '../base/units.js';
import type { DecoderProcess } from './decoder-process.js';

/** USER_HZ, the unit in which Linux reports CPU time to programs on every architecture. */
const ticksPerSecond = 100;

/**
 * CPU time that a process has used so far, with all its threads, including ended ones.
 * @returns undefined if the process is gone, or without /proc.
 */
function cpuSecondsOf(pid: number): number | undefined {
  const stat = read(`/proc/${pid}/stat`);
  // Fields are counted after the name, which may contain anything but ends at the last parenthesis.
  const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ', 13);
  return fields && (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
}

/** Memory that a process holds. @returns undefined as `cpuSecondsOf`. */
export function residentBytesOf(pid: number): number | undefined {
  const status = read(`/proc/${pid}/status`);
  if (status === undefined) return undefined;
  return Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0) * 1024;
}

/** More than such a file has. readFileSync, which does not know their length, takes seven times as long. */
const page = Buffer.alloc(16 * 1024);

function read(path: string): string | undefined {
  try {
    const file = openSync(path, 'r');
    try {
      return page.toString('latin1', 0, readSync(file, page));
    } finally {
      closeSync(file);
    }
  } catch {
    return undefined;
  }
}

const tickMs = 100;
/** CPU time that an idle process takes for its timers. */
const idleSeconds = 0.02;
/** A working process makes progress within this time, however busy the machine. */
const minWindowSeconds = 3;
/** Limit on wall time, as a multiple of the image's CPU time limit. */
const maxWall = 20;

/** Why a process was killed while processing an image. */
export type Excess = 'time' | 'memory' | 'standstill';

interface ResourceLimits {
  /** CPU time allowed for the image, in seconds. */
  readonly cpuSeconds: number;
  /** Memory that the process may hold. */
  readonly residentBytes: number;
}

/**
 * Watches a process while it works on one image, and kills it if the image exceeds a limit. Time is
 * CPU time, since on a busy machine wall time says nothing about an image.
 */
export class ResourceWatch {
  #excess: Excess | undefined;
  #cpuSeconds = 0;
  readonly #timer: NodeJS.Timeout;
  readonly #startedAt = performance.now();
  readonly #cpuBefore: number;
  /** Start time of the current check for progress, and the CPU time at that point. */
  #seen = { at: this.#startedAt, cpuSeconds: 0 };

  constructor(
    private readonly decoder: DecoderProcess,
    private readonly limits: ResourceLimits,
    /** Called periodically with the CPU time that the image has taken so far. */
    private readonly onTick: (cpuSeconds: number) => void,
  ) {
    this.#cpuBefore = this.#of(cpuSecondsOf) ?? 0;
    // An image that cannot be watched must not continue.
    const fail = (): void => this.#end('standstill');
    this.#timer = setInterval(
      guarded(fail, () => this.#tick()),
      tickMs,
    );
  }

  /** Undefined unless this watch killed the process. */
  get excess(): Excess | undefined {
    return this.#excess;
  }

  /** @returns CPU time that the image has taken. */
  stop(): number {
    clearInterval(this.#timer);
    this.#measure();
    return this.#cpuSeconds;
  }

  #of(figure: (pid: number) => number | undefined): number | undefined {
    return this.decoder.pid === undefined ? undefined : figure(this.decoder.pid);
  }

  #measure(): void {
    const cpuSeconds = this.#of(cpuSecondsOf);
    // Falls back to wall time where the system does not report CPU time.
    const wall = (performance.now() - this.#startedAt) / secondMs;
    if (cpuSeconds !== undefined) this.#cpuSeconds = cpuSeconds - this.#cpuBefore;
    else if (this.#cpuBefore === 0) this.#cpuSeconds = wall;
  }

  #tick(): void {
    this.#measure();
    const residentBytes = this.#of(residentBytesOf) ?? 0;
    if (this.#cpuSeconds > this.limits.cpuSeconds) return this.#end('time');
    if (residentBytes > this.limits.residentBytes) return this.#end('memory');
    if (this.#standsStill()) return this.#end('standstill');
    this.onTick(this.#cpuSeconds);
  }

  /** Whether the process has made no progress in the current window, or far too little overall. */
  #standsStill(): boolean {
    const now = performance.now();
    if ((now - this.#startedAt) / secondMs > maxWall * this.#window()) return true;
    if ((now - this.#seen.at) / secondMs < this.#window()) return false;
    const moved = this.#cpuSeconds - this.#seen.cpuSeconds;
    this.#seen = { at: now, cpuSeconds: this.#cpuSeconds };
    return moved <= idleSeconds;
  }

  #window(): number {
    return Math.max(this.limits.cpuSeconds, minWindowSeconds);
  }

  #end(excess: Excess): void {
    clearInterval(this.#timer);
    this.#excess = excess;
    this.decoder.kill();
  }
}
