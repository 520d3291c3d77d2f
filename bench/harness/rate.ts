/** @returns calls of `work` per second at this concurrency. */
export async function rateOf(
  concurrency: number,
  seconds: number,
  work: () => Promise<unknown>,
): Promise<number> {
  const end = performance.now() + seconds * 1000;
  let done = 0;
  const client = async (): Promise<void> => {
    for (; performance.now() < end; done += 1) await work();
  };
  await Promise.all(Array.from({ length: concurrency }, client));
  return done / seconds;
}
