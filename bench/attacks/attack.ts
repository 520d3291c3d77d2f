import type { Rhythm } from '../../testkit/victim.js';
import type { Target } from '../../testkit/target.js';

export interface Attack {
  readonly name: string;
  /** How another user works meanwhile. */
  readonly rhythm?: Rhythm;
  /** Seconds after which the signal comes at the latest. */
  readonly seconds: number;
  /** Makes what it needs. @returns the attack itself, which answers what else there is to tell. */
  readonly prepare: (target: Target) => Promise<(signal: AbortSignal) => Promise<string | void>>;
}

/** Runs something over and over on each of some lanes, until the signal. */
export async function onLanes(
  count: number,
  signal: AbortSignal,
  run: (lane: number) => Promise<void>,
): Promise<void> {
  const lane = async (n: number): Promise<void> => {
    while (!signal.aborted) await run(n);
  };
  await Promise.all(Array.from({ length: count }, (_, n) => lane(n)));
}
