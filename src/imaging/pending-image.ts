import type { ServiceError } from '../base/errors/catalogue.js';
import { guarded } from '../base/guarded.js';
import { loggedFields } from '../base/telemetry/context.js';
import { imagingOutcomes } from '../base/telemetry/metrics.js';
import type { CostClass } from './admission.js';
import type { ProcessedImage } from './port.js';
import type { Inspection } from './protocol.js';

/** One image on its way through the queues. */
export class PendingImage {
  costClass: CostClass = 'quick';
  /** Set after the inspection. */
  inspection: Inspection | undefined;
  /** Number of processes that died while working on it. */
  deaths = 0;
  /** Number of processes that stalled over it. */
  stalls = 0;
  readonly result: Promise<ProcessedImage>;
  /** Log fields of the request that waits for it. */
  readonly logged = loggedFields();
  readonly arrivedAt = performance.now();
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
    imagingOutcomes.of('done').add();
    this.endWait();
    this.#settled = true;
    this.#resolve(processed);
  }

  /**
   * @param outcome whether the image or the service is at fault, or `dropped` if it was not
   *   decoded.
   */
  reject(error: ServiceError, outcome: 'refused' | 'failed' | 'dropped'): void {
    if (!this.#settled) imagingOutcomes.of(outcome).add();
    this.endWait();
    this.#settled = true;
    this.#reject(error);
  }
}
