import type { ServiceError } from '../errors/catalogue.js';
import { guarded } from '../guard.js';
import type { Kind } from './admission.js';
import type { ImageFacts } from './port.js';
import type { Survey } from './protocol.js';

/** One image on its way through the queues. */
export class PendingImage {
  kind: Kind = 'quick';
  /** Known after the survey. */
  survey: Survey | undefined;
  /** Number of processes that died while working on it. */
  deaths = 0;
  readonly facts: Promise<ImageFacts>;
  #settled = false;
  #timer: NodeJS.Timeout | undefined;
  #resolve!: (facts: ImageFacts) => void;
  #reject!: (error: unknown) => void;

  constructor(
    readonly path: string,
    readonly userId: string,
    /** SHA-256 of the file, in hexadecimal. */
    readonly hash: string,
  ) {
    this.facts = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
  }

  get settled(): boolean {
    return this.#settled;
  }

  /** Calls `late` unless the wait ends within `ms`. */
  wait(ms: number, late: () => void): void {
    clearTimeout(this.#timer);
    const fail = (error: unknown): void => this.#reject(error);
    this.#timer = setTimeout(guarded(fail, late), ms);
  }

  endWait(): void {
    clearTimeout(this.#timer);
  }

  resolve(facts: ImageFacts): void {
    this.endWait();
    this.#settled = true;
    this.#resolve(facts);
  }

  reject(error: ServiceError): void {
    this.endWait();
    this.#settled = true;
    this.#reject(error);
  }
}
