import type { RefusalCode } from './protocol.js';

const maxFiles = 10_000;

/**
 * Remembers files that killed a process, by hash, so that resending one has no further cost. This
 * only guards against accidents: an attacker can simply change a byte.
 */
export class CostlyFiles {
  readonly #codes = new Map<string, RefusalCode>();

  codeOf(hash: string): RefusalCode | undefined {
    return this.#codes.get(hash);
  }

  remember(hash: string, code: RefusalCode): void {
    this.#codes.delete(hash);
    this.#codes.set(hash, code);
    const [oldest] = this.#codes.keys();
    if (this.#codes.size > maxFiles && oldest !== undefined) this.#codes.delete(oldest);
  }
}
