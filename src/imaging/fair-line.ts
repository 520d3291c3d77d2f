import type { FairShares } from './fair-shares.js';

interface Waiting {
  readonly userId: string;
}

/** A queue per user; turns are assigned by what each user has had so far. */
export class FairLine<T extends Waiting> {
  readonly #lines = new Map<string, T[]>();
  #size = 0;

  constructor(private readonly shares: FairShares) {}

  get size(): number {
    return this.#size;
  }

  /** @param first ahead of the user's other queued images. */
  add(item: T, first = false): void {
    const line = this.#lines.get(item.userId) ?? [];
    if (first) line.unshift(item);
    else line.push(item);
    this.#lines.set(item.userId, line);
    this.#size++;
  }

  /** Whose turn it is. Among users who have had the same, the one waiting longest. */
  next(): T | undefined {
    let best: T | undefined;
    for (const [item] of this.#lines.values()) {
      if (item && (!best || this.shares.compare(item.userId, best.userId) < 0)) best = item;
    }
    return best;
  }

  remove(item: T): void {
    const line = this.#lines.get(item.userId);
    const at = line?.indexOf(item) ?? -1;
    if (!line || at < 0) return;
    line.splice(at, 1);
    this.#size--;
    // To the end of the round.
    this.#lines.delete(item.userId);
    if (line.length > 0) this.#lines.set(item.userId, line);
  }

  /** The user's queued images, in order. */
  of(userId: string): readonly T[] {
    return this.#lines.get(userId) ?? [];
  }

  /** Users with something queued. */
  users(): string[] {
    return [...this.#lines.keys()];
  }
}
