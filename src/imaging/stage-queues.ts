import { weightOf } from '../base/callers.js';
import { ServiceError, unavailable } from '../base/errors/catalogue.js';
import { guarded } from '../base/guarded.js';
import { loggedFields } from '../base/telemetry/context.js';
import { imagingOutcomes } from '../base/telemetry/metrics.js';
import type { CostClass } from './admission.js';
import { FairQueue, type FairShares } from './fair-queue.js';
import type { DerivedImage, ProcessedImage } from './port.js';
import type { Inspection, Wanted } from './protocol.js';

/** What was made of an image, by what was wanted: its renditions, or the whole picture. */
export type MadeImage = ProcessedImage | DerivedImage;

/** One image on its way through the queues. */
export class PendingImage {
  costClass: CostClass = 'quick';
  /** Set after the inspection. */
  inspection: Inspection | undefined;
  /** Number of processes that died while working on it. */
  deaths = 0;
  /** Number of inspections and processes that stalled over it. */
  stalls = 0;
  readonly result: Promise<MadeImage>;
  /** Log fields of the request that waits for it. */
  readonly logged = loggedFields();
  readonly arrivedAt = performance.now();
  #settled = false;
  #timer: NodeJS.Timeout | undefined;
  #resolve!: (made: MadeImage) => void;
  #reject!: (error: unknown) => void;

  constructor(
    readonly path: string,
    readonly userId: string,
    readonly wanted: Wanted,
    /** SHA-256 of the file, in hexadecimal. */
    readonly hash: string,
    /** Of the square that a whole picture is fitted into. */
    readonly side?: number,
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

  resolve(made: MadeImage): void {
    imagingOutcomes.of('done').add();
    this.endWait();
    this.#settled = true;
    this.#resolve(made);
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

export type Stage = 'inspection' | CostClass;
/** In the order in which images pass through them. */
export const stages = ['inspection', 'quick', 'heavy'] as const satisfies Stage[];

export interface QueueLimits {
  /** How long an image may wait in a queue before it is `unavailable`, in milliseconds. */
  readonly waitMs: number;
  /** Images that may wait. */
  readonly queueLimit: number;
}

/** The queues for inspection and for decoding. */
export class StageQueues {
  readonly #queues: Record<Stage, FairQueue<PendingImage>>;

  constructor(
    shares: FairShares,
    private readonly limits: QueueLimits,
  ) {
    const queue = () => new FairQueue<PendingImage>(shares);
    this.#queues = { inspection: queue(), quick: queue(), heavy: queue() };
  }

  size(stage: Stage): number {
    return this.#queues[stage].size;
  }

  next(stage: Stage): PendingImage | undefined {
    return this.#queues[stage].next();
  }

  /** @param first ahead of the user's other images in that queue. */
  add(stage: Stage, image: PendingImage, first = false): void {
    this.#queues[stage].add(image, first);
    image.wait(this.limits.waitMs, () => this.drop(image, unavailable('Image processing')));
  }

  /** Must be called when its turn has come; the wait limit applies until it is being processed. */
  remove(image: PendingImage): void {
    for (const stage of stages) this.#queues[stage].remove(image);
  }

  drop(image: PendingImage, error: ServiceError): void {
    this.remove(image);
    image.reject(error, 'dropped');
  }

  /** Moves the user's waiting quick images to the heavy queue. */
  demote(userId: string): void {
    for (const image of [...this.#queues.quick.of(userId)]) {
      this.remove(image);
      image.costClass = 'heavy';
      this.add('heavy', image);
    }
  }

  /**
   * If the queue is full, evicts an image of the user with the most images in it, times its weight.
   * @throws ServiceError when that is the user in question.
   */
  evictFor(userId: string): void {
    const total = stages.reduce((sum, stage) => sum + this.#queues[stage].size, 0);
    if (total < this.limits.queueLimit) return;
    const waiting = (user: string): { images: PendingImage[]; weighed: number } => {
      const images = [...stages].reverse().flatMap((stage) => this.#queues[stage].of(user));
      return { images, weighed: images.length * weightOf(user) };
    };
    const users = new Set(stages.flatMap((stage) => this.#queues[stage].users()));
    const own = waiting(userId);
    const longest = [...users].map(waiting).reduce((a, b) => (b.weighed > a.weighed ? b : a), own);
    const full = new ServiceError('unavailable', {
      message: 'Too many images are waiting to be processed; try again.',
    });
    const last = longest.images.at(-1);
    if (!last || longest.weighed <= own.weighed + weightOf(userId)) throw full;
    this.drop(last, full);
  }
}
