import type { Appliance } from '../../testkit/appliance.js';
import type { Rhythm } from '../../testkit/victim.js';

export interface Attack {
  readonly name: string;
  /** The experience of another user during the attack. */
  readonly rhythm?: Rhythm;
  /** Seconds after which the signal fires at the latest. */
  readonly seconds: number;
  /**
   * Prepares the attack. @returns the attack itself, which returns further details to report.
   */
  readonly prepare: (target: Appliance) => Promise<(signal: AbortSignal) => Promise<string | void>>;
}

/** Repeats something on each of several lanes until the signal. */
export async function runInParallel(
  count: number,
  signal: AbortSignal,
  run: (worker: number) => Promise<void>,
): Promise<void> {
  const worker = async (n: number): Promise<void> => {
    while (!signal.aborted) await run(n);
  };
  await Promise.all(Array.from({ length: count }, (_, n) => worker(n)));
}
