import { EventEmitter, once } from 'node:events';
import { ServiceError } from '../errors/catalogue.js';

export interface OpenUploadLimits {
  /** Uploads of one user that are received and processed at the same time. */
  readonly perUser: number;
  /** Milliseconds that a further upload waits for its turn. */
  readonly waitMs: number;
}

/** Waiting uploads allowed per open one; a further one is rejected immediately. */
const waitingPerOpen = 16;

/** Uploads take longer than other requests. */
const retryAfterSeconds = 5;

interface Line {
  open: number;
  readonly waiting: Set<EventEmitter>;
}

/**
 * Limits how many uploads each user can have open on this node, and thereby their use of disk,
 * memory, and the imaging queue. A further upload waits with its body unread rather than being
 * rejected, so that clients sending a whole album at once need not know the limit.
 */
export class OpenUploads {
  readonly #lines = new Map<string, Line>();

  constructor(private readonly limits: OpenUploadLimits) {}

  /**
   * Runs `work` when the user may have one more open upload.
   * @param signal aborted when the client disconnects.
   * @throws ServiceError `unavailable` if its turn does not come, and whatever `work` throws.
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

  /** Waits until another upload passes its slot on. */
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
    message: 'Too many concurrent uploads by this user; try again.',
    retryAfter: retryAfterSeconds,
    cause,
  });
