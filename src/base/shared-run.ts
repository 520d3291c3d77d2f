/**
 * Runs work one run at a time. All calls during a run share the next run, so every caller gets a
 * result that is newer than its call.
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
