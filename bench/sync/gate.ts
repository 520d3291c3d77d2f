/** Admits concurrent work, or exclusive work once all other work has finished. */
export class Gate {
  readonly #inside = new Set<Promise<unknown>>();
  #closed: Promise<void> | undefined;

  async enter<T>(work: () => Promise<T>): Promise<T> {
    while (this.#closed) await this.#closed;
    const running = work();
    this.#inside.add(running);
    try {
      return await running;
    } finally {
      this.#inside.delete(running);
    }
  }

  /** Runs `work` exclusively. */
  async alone<T>(work: () => Promise<T>): Promise<T> {
    let open = (): void => undefined;
    this.#closed = new Promise((resolve) => (open = resolve));
    try {
      await Promise.allSettled(this.#inside);
      return await work();
    } finally {
      this.#closed = undefined;
      open();
    }
  }
}
