/**
 * Runs `work` for every item, at most `limit` at a time. After the first failure it starts nothing
 * new, waits for running work, then throws the failure.
 */
export async function forEachLimited<T>(
  items: Iterable<T>,
  limit: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const queue = items[Symbol.iterator]();
  let failed = false;
  const worker = async (): Promise<void> => {
    for (let next = queue.next(); !failed && !next.done; next = queue.next()) {
      try {
        await work(next.value);
      } catch (error) {
        failed = true;
        throw error;
      }
    }
  };
  const workers = await Promise.allSettled(Array.from({ length: limit }, worker));
  const broken = workers.find((worker) => worker.status === 'rejected');
  if (broken) throw broken.reason;
}
