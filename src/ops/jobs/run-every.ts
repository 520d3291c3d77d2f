import { setTimeout as delay } from 'node:timers/promises';

/**
 * Runs `work`, which reports its own failures, over and over, this many milliseconds after the
 * previous run has ended.
 */
export function runEvery(intervalMs: number, work: () => Promise<void>) {
  const stopping = new AbortController();
  const { signal } = stopping;
  const rounds = async (): Promise<void> => {
    for (;;) {
      await delay(intervalMs, undefined, { signal });
      await work().catch(() => undefined); // the next run may succeed
    }
  };
  const ended = rounds().catch(() => undefined);
  return {
    /** Starts no further run, and waits for the current one. */
    stop: async (): Promise<void> => {
      stopping.abort();
      await ended;
    },
  };
}
