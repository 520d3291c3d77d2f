import { EventEmitter, once } from 'node:events';
import { ServiceError } from '../errors/catalogue.js';

export interface OpenUploadLimits {
  /** Uploads of one user that are received and worked on at the same time. */
  readonly perUser: number;
  /** Milliseconds that one more waits for its turn. */
  readonly waitMs: number;
}

/** So many more than may be open wait for their turn; a further one is refused at once. */
const waitingPerOpen = 16;

/** Uploads take longer than other requests. */
const retryAfterSeconds = 5;

interface Line {
  open: number;
  readonly waiting: Set<EventEmitter>;
}

/**
 * Lets each user have a bounded number of uploads open on this node. What one user holds of disk,
 * memory and the imaging queue is bounded by it. One more waits with its body unread, rather than
 * being refused: clients that send an album at once need not know the bound.
 */
export class OpenUploads {
  readonly #lines = new Map<string, Line>();

  constructor(private readonly limits: OpenUploadLimits) {}

  /**
   * Does `work` when the user may have one more upload open.
   * @param signal aborted when the client has gone.
   * @throws ServiceError `unavailable` when its turn does not come, and what `work` throws.
   */
  async run(userId: string, signal: AbortSignal, work: () => Promise<void>): Promise<void> {
    const line = this.#lines.get(userId) ?? { open: 0, waiting: new Set() };
    this.#lines.set(userId, line);
    if (line.open < this.limits.perUser) line.open += 1;
    else await this.#turn(line, signal);
    try {
      await work();
    } finally {
      this.#leave(userId, line);
    }
  }

  /** Waits until another upload hands its place over. */
  async #turn({ waiting }: Line, signal: AbortSignal): Promise<void> {
    if (waiting.size >= this.limits.perUser * waitingPerOpen) throw tooMany();
    const place = new EventEmitter();
    waiting.add(place);
    const patience = AbortSignal.any([signal, AbortSignal.timeout(this.limits.waitMs)]);
    try {
      await once(place, 'free', { signal: patience });
    } catch (error) {
      throw signal.aborted ? new ServiceError('upload_interrupted') : tooMany(error);
    } finally {
      waiting.delete(place);
    }
  }

  #leave(userId: string, line: Line): void {
    const [next] = line.waiting;
    if (next) {
      line.waiting.delete(next);
      next.emit('free');
      return;
    }
    line.open -= 1;
    if (line.open === 0) this.#lines.delete(userId);
  }
}

const tooMany = (cause?: unknown): ServiceError =>
  new ServiceError('unavailable', {
    message: 'Too many uploads of this user are under way; try again.',
    retryAfter: retryAfterSeconds,
    cause,
  });
