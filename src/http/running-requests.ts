import { guarded, ignore } from '../guarded.js';

/** Requests at work, those of clients that have gone included: what they use is closed after them. */
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

  /** Resolves once nothing is at work, at the latest after so many milliseconds. */
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
