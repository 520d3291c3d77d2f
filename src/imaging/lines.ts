import { ServiceError, unavailable } from '../errors/catalogue.js';
import type { Kind } from './admission.js';
import { FairLine } from './fair-line.js';
import type { FairShares } from './fair-shares.js';
import type { PendingImage } from './pending-image.js';

export type Stage = 'survey' | Kind;
/** In the order in which images pass through them. */
const stages = ['survey', 'quick', 'heavy'] as const satisfies Stage[];

export interface LineLimits {
  /** How long an image may wait in a queue before it is `unavailable`, in milliseconds. */
  readonly waitMs: number;
  /** Images that may wait. */
  readonly queueLimit: number;
}

/** The queues for survey and for decoding. */
export class Lines {
  readonly #lines: Record<Stage, FairLine<PendingImage>>;

  constructor(
    shares: FairShares,
    private readonly limits: LineLimits,
  ) {
    const line = () => new FairLine<PendingImage>(shares);
    this.#lines = { survey: line(), quick: line(), heavy: line() };
  }

  size(stage: Stage): number {
    return this.#lines[stage].size;
  }

  next(stage: Stage): PendingImage | undefined {
    return this.#lines[stage].next();
  }

  /** @param first ahead of the user's other images in that queue. */
  add(stage: Stage, image: PendingImage, first = false): void {
    this.#lines[stage].add(image, first);
    image.wait(this.limits.waitMs, () => this.drop(image, unavailable('Image processing')));
  }

  /** Runs when its turn has come; the wait limit applies until it is being processed. */
  remove(image: PendingImage): void {
    for (const stage of stages) this.#lines[stage].remove(image);
  }

  drop(image: PendingImage, error: ServiceError): void {
    this.remove(image);
    image.reject(error);
  }

  /** Moves the user's waiting quick images to the heavy queue. */
  demote(userId: string): void {
    for (const image of [...this.#lines.quick.of(userId)]) {
      this.remove(image);
      image.kind = 'heavy';
      this.add('heavy', image);
    }
  }

  /**
   * A full queue makes room for another image at the expense of the user with the most in it.
   * @throws ServiceError when that is the user in question.
   */
  makeRoomFor(userId: string): void {
    const total = stages.reduce((sum, stage) => sum + this.#lines[stage].size, 0);
    if (total < this.limits.queueLimit) return;
    const waiting = (user: string): PendingImage[] =>
      [...stages].reverse().flatMap((stage) => this.#lines[stage].of(user));
    const users = new Set(stages.flatMap((stage) => this.#lines[stage].users()));
    const longest = [...users]
      .map(waiting)
      .reduce((a, b) => (b.length > a.length ? b : a), waiting(userId));
    const full = new ServiceError('unavailable', {
      message: 'Too many images are waiting to be processed; try again.',
    });
    const last = longest.at(-1);
    if (!last || longest.length <= waiting(userId).length + 1) throw full;
    this.drop(last, full);
  }
}
