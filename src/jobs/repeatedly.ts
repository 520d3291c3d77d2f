/**
 * Does `work`, which must not fail, again and again: a round begins after so many milliseconds, and
 * never before the last one has ended.
 */
export function repeatedly(intervalMs: number, work: () => Promise<void>) {
  let round = Promise.resolve();
  const timer = setInterval(() => {
    round = round.then(work);
  }, intervalMs);
  return {
    /** Begins no further round, and waits for the one that runs. */
    stop: async (): Promise<void> => {
      clearInterval(timer);
      await round;
    },
  };
}
