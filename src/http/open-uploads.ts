import { EventEmitter, once } from 'node:events';
import { shareOf } from '../base/callers.js';
import { withDeadline } from '../base/concurrency.js';
import { ServiceError } from '../base/errors/catalogue.js';
import { openUploads } from '../base/telemetry/metrics.js';

interface OpenUploadLimits {
  /**
   * Uploads of one user that may be received and processed at the same time; fewer of those who only
   * bear a link of the user.
   */
  readonly perUser: number;
  /** How long a further upload waits for a slot, in milliseconds. */
  readonly waitMs: number;
}

/** Waiting uploads allowed per open one; a further one is rejected immediately. */
const waitingPerOpen = 16;

/** Uploads take longer than other requests. */
const retryAfterSeconds = 5;

const opened = openUploads.of('open');
const waitingNow = openUploads.of('waiting');

interface UserQueue {
  open: number;
  readonly waiting: Set<EventEmitter>;
}

/** Limits how many uploads each user may have open. */
export interface UploadSlots {
  /**
   * Runs `work` as soon as the user, or all who bear links of the user, have a free slot.
   * @param signal aborted when the client disconnects.
   * @throws ServiceError `unavailable` if no slot becomes free in time, and whatever `work` throws.
   */
  run(userId: string, signal: AbortSignal, work: () => Promise<void>): Promise<void>;
}

/**
 * Limits how many uploads each user can have open on this node, and thereby their use of disk,
 * memory, and the imaging queue. A further upload waits, its body unread, instead of being
 * rejected, so that a client can send a whole album at once without knowing the limit.
 */
export class OpenUploads implements UploadSlots {
  readonly #queues = new Map<string, UserQueue>();

  constructor(private readonly limits: OpenUploadLimits) {}

  async run(userId: string, signal: AbortSignal, work: () => Promise<void>): Promise<void> {
    const queue = this.#queues.get(userId) ?? { open: 0, waiting: new Set() };
    this.#queues.set(userId, queue);
    const most = shareOf(userId, this.limits.perUser);
    if (queue.open < most) queue.open += 1;
    else await this.#turn(queue, most * waitingPerOpen, signal);
    opened.add();
    try {
      await work();
    } finally {
      opened.add(-1);
      this.#leave(userId, queue);
    }
  }

  /** Waits until another upload hands over its slot. */
  async #turn({ waiting }: UserQueue, most: number, signal: AbortSignal): Promise<void> {
    if (waiting.size >= most) throw tooMany();
    const waiter = new EventEmitter();
    waiting.add(waiter);
    waitingNow.add();
    try {
      await withDeadline(signal, this.limits.waitMs, (until) =>
        once(waiter, 'free', { signal: until }),
      );
    } catch (error) {
      throw signal.aborted ? new ServiceError('upload_interrupted') : tooMany(error);
    } finally {
      waitingNow.add(-1);
      waiting.delete(waiter);
    }
  }

  #leave(userId: string, queue: UserQueue): void {
    const [next] = queue.waiting;
    if (next) {
      queue.waiting.delete(next);
      next.emit('free');
      return;
    }
    queue.open -= 1;
    if (queue.open === 0) this.#queues.delete(userId);
  }
}

const tooMany = (cause?: unknown): ServiceError =>
  new ServiceError('unavailable', {
    message: 'Too many concurrent uploads by this user; try again.',
    retryAfter: retryAfterSeconds,
    cause,
  });
