/** Shows the progress of a run on a terminal; nothing is printed to pipes. */
export class Progress {
  #shown = 0;

  /** @returns a function to call after each of `total` steps; by default, their number is unknown. */
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
