import { rm } from 'node:fs/promises';
import type { ServiceError } from '../errors/catalogue.js';
import { guarded } from '../guard.js';
import type { ImageFacts } from './port.js';
import type { Lane } from './protocol.js';

const outputs = ['thumb.webp', 'display.jpg', 'display.png', 'display.webp'];

/** One picture on its way through the imaging process. */
export class Ticket {
  lane: Lane = 'common';
  /** True once an attempt was lost: the next one is made alone and is the last. */
  suspect = false;
  readonly facts: Promise<ImageFacts>;
  #timer: NodeJS.Timeout | undefined;
  #resolve!: (facts: ImageFacts) => void;
  #reject!: (error: unknown) => void;

  constructor(
    readonly id: number,
    readonly path: string,
  ) {
    this.facts = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
  }

  /** Calls `late` unless the ticket gets another deadline or an end within `ms`. */
  deadline(ms: number, late: () => void): void {
    clearTimeout(this.#timer);
    const fail = (error: unknown): void => this.#reject(error);
    this.#timer = setTimeout(guarded(fail, late), ms);
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
