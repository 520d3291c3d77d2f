import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/**
 * Bytes in use by this process, excluding garbage, whose amount depends on the version of Node.
 */
export function heldMemory(): number {
  collect();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** The peak of held memory during a read, sampled every few megabytes because measuring takes time. */
export class HeldWhileReading {
  readonly #before = heldMemory();
  #peak = 0;
  #read = 0;
  #next = 0;

  note(chunk: Uint8Array): void {
    this.#read += chunk.length;
    if (this.#read < this.#next) return;
    this.#next = this.#read + 4 * 1024 * 1024;
    this.#peak = Math.max(this.#peak, heldMemory() - this.#before);
  }

  get read(): number {
    return this.#read;
  }

  get peak(): number {
    return this.#peak;
  }
}
