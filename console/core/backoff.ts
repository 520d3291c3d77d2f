/** Pauses without a connection, in milliseconds: each twice the one before. */
const firstMs = 1_000;
const longestMs = 30_000;

/** Pauses between attempts, shorter again once something has come through. */
export class Backoff {
  #ms = firstMs;

  /** Something has come through. */
  reset(): void {
    this.#ms = firstMs;
  }

  /** Ends when the device has a connection again, or by the signal. @param leastMs what the server asks for. */
  async pause(leastMs = 0, signal?: AbortSignal): Promise<void> {
    // Not all at the same moment.
    const ms = Math.max(leastMs, this.#ms * (0.5 + Math.random() / 2));
    this.#ms = Math.min(this.#ms * 2, longestMs);
    const over = new AbortController();
    const once = { once: true, signal: over.signal };
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      const hurry = (): void => {
        clearTimeout(timer);
        resolve();
      };
      addEventListener('online', hurry, once);
      signal?.addEventListener('abort', hurry, once);
    });
    over.abort();
  }
}
