import { weightOf } from '../base/callers.js';

/** Maximum number of users remembered, a megabyte or two. */
const maxUsers = 10_000;

interface Share {
  /** Images in progress. */
  running: number;
  /**
   * CPU time that the user's images have taken, in seconds, times its weight; newcomers start level
   * with the others.
   */
  used: number;
  /**
   * True after an image took far longer than estimated, until another image of the user does not.
   */
  distrusted: boolean;
}

const none: Readonly<Share> = { running: 0, used: 0, distrusted: false };

/**
 * Tracks each user's share of the decoders, so that the next turn goes to the user with the least
 * usage.
 */
export class FairShares {
  readonly #shares = new Map<string, Share>();
  /** The starting value for newcomers: the usage of the user served last. */
  #level = 0;

  /** Negative if user `a` goes before user `b`. */
  compare(a: string, b: string): number {
    const [x, y] = [this.#shares.get(a) ?? none, this.#shares.get(b) ?? none];
    return (
      Number(x.distrusted) - Number(y.distrusted) ||
      Number(this.#rests(a, x)) - Number(this.#rests(b, y)) ||
      x.running - y.running ||
      Math.max(x.used, this.#level) - Math.max(y.used, this.#level)
    );
  }

  isDistrusted(user: string): boolean {
    return this.#shares.get(user)?.distrusted ?? false;
  }

  distrust(user: string): void {
    this.#shareOf(user).distrusted = true;
  }

  trust(user: string): void {
    const share = this.#shares.get(user);
    if (share) share.distrusted = false;
  }

  /** Adds what an image took before its turn with a decoder. */
  charge(user: string, seconds: number): void {
    const share = this.#shareOf(user);
    share.used = Math.max(share.used, this.#level) + seconds * weightOf(user);
    this.#forgetSome();
  }

  start(user: string): void {
    const share = this.#shareOf(user);
    share.used = Math.max(share.used, this.#level);
    this.#level = share.used;
    share.running++;
  }

  /** @param cpuSeconds CPU time that the image took. */
  finish(user: string, cpuSeconds: number): void {
    const share = this.#shareOf(user);
    share.running--;
    share.used += cpuSeconds * weightOf(user);
    this.#forgetSome();
  }

  /**
   * Whether a user of more weight goes after the others for now: one of its images is in progress, or
   * it has taken its smaller share. Otherwise each would get a slot as soon as there are two.
   */
  #rests(user: string, { running, used }: Share): boolean {
    return weightOf(user) > 1 && (running > 0 || used > this.#level);
  }

  #shareOf(user: string): Share {
    const share = this.#shares.get(user) ?? { ...none };
    this.#shares.set(user, share);
    return share;
  }

  #forgetSome(): void {
    if (this.#shares.size <= maxUsers) return;
    // Evicts the user known longest; a forgotten user starts level again.
    for (const [user, { running }] of this.#shares) {
      if (running === 0) this.#shares.delete(user);
      if (this.#shares.size <= maxUsers / 2) return;
    }
  }
}

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
