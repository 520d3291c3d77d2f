import { setTimeout as delay } from 'node:timers/promises';

/**
 * Does `work`, which tells of its failures itself, again and again, each time so many milliseconds
 * after the last round has ended.
 */
export function repeatedly(intervalMs: number, work: () => Promise<void>) {
  const stopping = new AbortController();
  const { signal } = stopping;
  const rounds = async (): Promise<void> => {
    for (;;) {
      await delay(intervalMs, undefined, { signal });
      await work().catch(() => undefined); // the next round may fare better
    }
  };
  const ended = rounds().catch(() => undefined);
  return {
    /** Begins no further round, and waits for the one that runs. */
    stop: async (): Promise<void> => {
      stopping.abort();
      await ended;
    },
  };
}
