import { rm } from 'node:fs/promises';
import type { ServiceError } from '../errors/catalogue.js';
import type { ImageFacts } from './port.js';
import type { Lane } from './protocol.js';

const outputs = ['thumb.webp', 'display.jpg', 'display.png', 'display.webp'];

/** One picture on its way through the imaging process. */
export class PendingImage {
  lane: Lane = 'common';
  /** True once an attempt was lost: the next one is made alone and is the last. */
  suspect = false;
  readonly facts: Promise<ImageFacts>;
  #timer: NodeJS.Timeout | undefined;
  #resolve!: (facts: ImageFacts) => void;
  #reject!: (error: ServiceError) => void;

  constructor(
    readonly id: number,
    readonly path: string,
  ) {
    this.facts = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
  }

  /** Calls `late` unless the image gets another deadline or an end within `ms`. */
  deadline(ms: number, late: () => void): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(late, ms);
  }

  resolve(facts: ImageFacts): void {
    clearTimeout(this.#timer);
    this.#resolve(facts);
  }

  /** Fails the picture after removing what was made of it, a half-written file of a killed process too. */
  async reject(error: ServiceError): Promise<void> {
    clearTimeout(this.#timer);
    await Promise.allSettled(outputs.map((end) => rm(`${this.path}.${end}`, { force: true })));
    this.#reject(error);
  }
}
