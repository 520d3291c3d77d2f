import { inspect } from 'node:util';

/** Something that ends: a test, or a test file (`{ after }` of node:test). */
export interface Scope {
  after(action: () => Promise<void>): void;
}

/** A scope that runs its actions in reverse order, all of them, whatever fails. */
export class Started implements Scope {
  readonly #ends: (() => Promise<void>)[] = [];

  after(end: () => Promise<void>): void {
    this.#ends.push(end);
  }

  /** @throws what failed first. */
  async end(): Promise<void> {
    const failures: unknown[] = [];
    for (let end = this.#ends.pop(); end; end = this.#ends.pop()) {
      await end().catch((failure: unknown) => failures.push(failure));
    }
    if (failures.length > 0) throw failures[0];
  }
}

/**
 * A scope that ends with another one but runs its actions in reverse order: hooks of node:test run in
 * the order in which they are added.
 */
export function lastFirst(scope: Scope): Scope {
  const started = new Started();
  const isFile = !('name' in scope);
  scope.after(() => (isFile ? started.end().catch(failFile) : started.end()));
  return started;
}

/** After a hook of a file that fails, node:test runs no other: what they would end keeps the process for ever. */
function failFile(failure: unknown): void {
  process.exitCode = 1;
  process.stderr.write(`After the tests: ${inspect(failure)}\n`);
}
