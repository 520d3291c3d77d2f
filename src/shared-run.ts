/**
 * Runs work once at a time. Whoever asks while it is running shares the run after it with everybody
 * else who does, so that each gets an answer from after the question.
 */
export class SharedRun<T> {
  #running: Promise<unknown> = Promise.resolve();
  #next: Promise<T> | undefined;

  constructor(private readonly work: () => Promise<T>) {}

  run(): Promise<T> {
    this.#next ??= this.#running.then(
      () => this.#start(),
      () => this.#start(),
    );
    return this.#next;
  }

  #start(): Promise<T> {
    this.#next = undefined;
    const running = this.work();
    this.#running = running;
    return running;
  }
}
