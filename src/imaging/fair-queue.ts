import type { FairShares } from './fair-shares.js';

interface Waiting {
  readonly userId: string;
}

/** A queue per user; turns are assigned by each user's usage so far. */
export class FairQueue<T extends Waiting> {
  readonly #queues = new Map<string, T[]>();
  #size = 0;

  constructor(private readonly shares: FairShares) {}

  get size(): number {
    return this.#size;
  }

  /** @param first ahead of the user's other queued images. */
  add(item: T, first = false): void {
    const queue = this.#queues.get(item.userId) ?? [];
    if (first) queue.unshift(item);
    else queue.push(item);
    this.#queues.set(item.userId, queue);
    this.#size++;
  }

  /**
   * The item whose turn it is. Among users with the same usage, the one waiting longest goes first.
   */
  next(): T | undefined {
    let best: T | undefined;
    for (const [item] of this.#queues.values()) {
      if (item && (!best || this.shares.compare(item.userId, best.userId) < 0)) best = item;
    }
    return best;
  }

  remove(item: T): void {
    const queue = this.#queues.get(item.userId);
    const at = queue?.indexOf(item) ?? -1;
    if (!queue || at < 0) return;
    queue.splice(at, 1);
    this.#size--;
    // Moves the user to the end of the round.
    this.#queues.delete(item.userId);
    if (queue.length > 0) this.#queues.set(item.userId, queue);
  }

  /** The user's queued images, in order. */
  of(userId: string): readonly T[] {
    return this.#queues.get(userId) ?? [];
  }

  /** Users with something queued. */
  users(): string[] {
    return [...this.#queues.keys()];
  }
}
