/** Something that ends: a test, or a test file (`{ after }` of node:test). */
export interface Scope {
  after(action: () => Promise<void>): void;
}

/** A scope that runs its actions in reverse order. */
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
 * A scope that ends with another one but runs its actions in reverse order: hooks of node:test run in
 * the order in which they are added.
 */
export function lastFirst(scope: Scope): Scope {
  const started = new Started();
  scope.after(() => started.end());
  return started;
}
