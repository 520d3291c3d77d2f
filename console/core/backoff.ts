/** Pauses without a connection, in milliseconds: each twice the one before. */
const firstMs = 1_000;
const longestMs = 30_000;

/** Pauses between attempts, shorter again once something has come through. */
export class Backoff {
  #ms = firstMs;
  readonly #waiting = new Set<() => void>();

  constructor() {
    addEventListener('online', () => {
      for (const go of [...this.#waiting]) go();
    });
  }

  /** Something has come through. */
  reset(): void {
    this.#ms = firstMs;
  }

  /** @param leastMs what the server asks for. Ends when there is a connection again, or by the signal. */
  async pause(leastMs = 0, signal?: AbortSignal): Promise<void> {
    // Not all at the same moment.
    const ms = Math.max(leastMs, this.#ms * (0.5 + Math.random() / 2));
    this.#ms = Math.min(this.#ms * 2, longestMs);
    let go = (): void => undefined;
    const timer = setTimeout(() => go(), ms);
    await new Promise<void>((resolve) => {
      go = resolve;
      this.#waiting.add(go);
      signal?.addEventListener('abort', go, { once: true });
    });
    clearTimeout(timer);
    this.#waiting.delete(go);
    signal?.removeEventListener('abort', go);
  }
}
