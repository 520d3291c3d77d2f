/** Shows on a terminal how far a hunt is; pipes see nothing of it. */
export class Progress {
  #shown = 0;

  /** @returns what to call after each of `total` steps; of an unknown number by default. */
  of(part: string, total?: number): () => void {
    let done = 0;
    return () => {
      done += 1;
      if (process.stderr.isTTY)
        this.#show(`${part}: ${done}${total === undefined ? '' : ` of ${total}`}`);
    };
  }

  #show(line: string): void {
    const now = Date.now();
    if (now - this.#shown < 200) return;
    this.#shown = now;
    process.stderr.write(`\r\u001b[K${line}`);
  }
}
