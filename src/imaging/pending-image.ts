import type { ServiceError } from '../errors/catalogue.js';
import { guarded } from '../guarded.js';
import type { CostClass } from './admission.js';
import type { ProcessedImage } from './port.js';
import type { Inspection } from './protocol.js';

/** One image on its way through the queues. */
export class PendingImage {
  costClass: CostClass = 'quick';
  /** Known after the survey. */
  inspection: Inspection | undefined;
  /** Number of processes that died while working on it. */
  deaths = 0;
  readonly result: Promise<ProcessedImage>;
  #settled = false;
  #timer: NodeJS.Timeout | undefined;
  #resolve!: (processed: ProcessedImage) => void;
  #reject!: (error: unknown) => void;

  constructor(
    readonly path: string,
    readonly userId: string,
    /** SHA-256 of the file, in hexadecimal. */
    readonly hash: string,
  ) {
    this.result = new Promise((resolve, reject) => {
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

  resolve(processed: ProcessedImage): void {
    this.endWait();
    this.#settled = true;
    this.#resolve(processed);
  }

  reject(error: ServiceError): void {
    this.endWait();
    this.#settled = true;
    this.#reject(error);
  }
}
