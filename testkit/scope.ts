/** Something that ends: a test, or a test file (`{ after }` of node:test). */
export interface Scope {
  after(action: () => Promise<void>): void;
}

/** What has been started; ends the last first. */
export class Started implements Scope {
  readonly #ends: (() => Promise<void>)[] = [];

  after(end: () => Promise<void>): void {
    this.#ends.push(end);
  }

  async end(): Promise<void> {
    for (let end = this.#ends.pop(); end; end = this.#ends.pop()) await end();
  }
}

/**
 * A scope that ends with another one, the last that was added first: hooks of node:test run in the
 * order in which they are added.
 */
export function lastFirst(scope: Scope): Scope {
  const started = new Started();
  scope.after(() => started.end());
  return started;
}
