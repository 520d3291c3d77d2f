import { setTimeout as delay } from 'node:timers/promises';
import { lasting } from '../../base/telemetry/series.js';
import type { Sample } from '../../base/telemetry/series.js';
import { secondMs } from '../../base/units.js';

/** How long a process may take to answer; after that, its latest answer is used. */
const answerTimeoutMs = 2 * secondMs;

/** A process that reports metrics. */
export interface MetricsSource {
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
