import type { RefusalCode } from './protocol.js';

const maxFiles = 10_000;

/**
 * Remembers files that cost a process, by hash, so that a client that keeps resending one causes no
 * more cost. Guards against accidents: an attacker can simply change a byte.
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
