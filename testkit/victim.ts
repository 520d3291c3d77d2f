import { setTimeout as delay } from 'node:timers/promises';
import { jpeg } from './pictures.js';
import type { Member } from './world.js';

/** What another user experienced: requests, failures, latencies. */
export interface VictimStats {
  readonly requests: number;
  readonly failures: readonly string[];
  /** Latency in milliseconds. */
  readonly p50: number;
  readonly p99: number;
}

export interface Rhythm {
  /** Milliseconds between requests. */
  readonly pauseMs: number;
  /** Every n-th request is an upload; 0 for none. */
  readonly uploadEach: number;
}

const limitMs = 70_000;

/** A well-behaved user who sends requests steadily and records failures and latencies. */
export class Victim {
  readonly #times: number[] = [];
  readonly #failures: string[] = [];
  #stopped = false;
  #working: Promise<void> = Promise.resolve();

  private constructor(
    readonly user: Member,
    private readonly picture: Buffer,
    private readonly rhythm: Rhythm,
  ) {}

  static async of(user: Member, rhythm: Rhythm = { pauseMs: 50, uploadEach: 10 }): Promise<Victim> {
    return new Victim(user, await jpeg({ width: 64, height: 64 }), rhythm);
  }

  start(): void {
    this.#stopped = false;
    this.#working = this.#work();
  }

  /** @returns the failures and latencies since the start. */
  async stop(): Promise<VictimStats> {
    this.#stopped = true;
    await this.#working;
    const sorted = this.#times.splice(0).sort((a, b) => a - b);
    const at = (share: number) => Math.round(sorted[Math.ceil(sorted.length * share) - 1] ?? 0);
    const failures = this.#failures.splice(0);
    return { requests: sorted.length, failures, p50: at(0.5), p99: at(0.99) };
  }

  async #work(): Promise<void> {
    const { pauseMs, uploadEach } = this.rhythm;
    for (let n = 1; !this.#stopped; n += 1) {
      const began = performance.now();
      const failure = await this.#request(n, uploadEach > 0 && n % uploadEach === 0);
      this.#times.push(performance.now() - began);
      if (failure) this.#failures.push(failure);
      await delay(pauseMs);
    }
  }

  async #request(n: number, upload: boolean): Promise<string | undefined> {
    const signal = AbortSignal.timeout(limitMs);
    const reads = ['/info', '/images', '/images/count'];
    try {
      const { status, message } = upload
        ? await this.user.tryUpload({}, this.picture, signal)
        : await this.user.call('GET', reads[n % reads.length] as string, { signal });
      return status === 200 ? undefined : `${status} ${message}`;
    } catch (error) {
      return String(error instanceof Error ? (error.cause ?? error.message) : error);
    }
  }
}
