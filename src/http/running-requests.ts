import { guarded, ignore } from '../base/guarded.js';

/**
 * Running requests, including those of clients that have disconnected. Resources that they use are
 * closed only after them.
 */
export class RunningRequests {
  #running = 0;
  #ended: (() => void) | undefined;

  async run<T>(work: () => Promise<T>): Promise<T> {
    this.#running += 1;
    try {
      return await work();
    } finally {
      this.#running -= 1;
      if (this.#running === 0) this.#ended?.();
    }
  }

  /** Resolves once no request is running, after `ms` milliseconds at the latest. */
  async ended(ms: number): Promise<void> {
    if (this.#running === 0) return;
    await new Promise<void>((resolve) => {
      const late = guarded(ignore, resolve);
      const timer = setTimeout(late, ms);
      this.#ended = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
