import { setTimeout as delay } from 'node:timers/promises';
import { lasting } from '../telemetry/series.js';
import type { Sample } from '../telemetry/series.js';
import { secondMs } from '../units.js';

/** How long a process may take to answer; then its latest answer has to do. */
const patienceMs = 2 * secondMs;

/** A process that is asked for what it has counted. */
export interface Asked {
  /** The process itself, whatever that is. */
  readonly key: object;
  readonly ask: () => Promise<Sample[]>;
}

/**
 * The metrics of several processes, whose sum never falls, as counters must not: what a process has
 * counted up to its last answer stays after its end.
 */
export class ProcessMetrics {
  readonly #latest = new Map<object, Sample[]>();
  readonly #gone = new WeakSet<object>();
  #ended: Promise<Sample[]> = Promise.resolve([]);

  /** @returns the answers, and the sum of what has ended. */
  async of(processes: readonly Asked[]): Promise<Sample[][]> {
    // As of now: one that ends while it is asked must not count twice.
    const ended = this.#ended;
    const answers = await Promise.all(processes.map((one) => this.#answerOf(one)));
    return [...answers, await ended];
  }

  /** When a process has ended. */
  ended(key: object): void {
    this.#gone.add(key);
    const latest = this.#latest.get(key);
    this.#latest.delete(key);
    if (!latest) return;
    this.#ended = plus(this.#ended, lasting(latest));
  }

  async #answerOf({ key, ask }: Asked): Promise<Sample[]> {
    const before = this.#latest.get(key) ?? [];
    const late = new AbortController();
    const answer = await Promise.race([
      ask().catch(() => undefined),
      delay(patienceMs, undefined, { signal: late.signal }).catch(() => undefined),
    ]);
    late.abort();
    if (!answer || this.#gone.has(key)) return before;
    this.#latest.set(key, answer);
    return answer;
  }
}

async function plus(ended: Promise<Sample[]>, more: Sample[]): Promise<Sample[]> {
  const { merged } = await import('../telemetry/exposition.js');
  return merged([await ended, more]);
}
