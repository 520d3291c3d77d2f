import { setTimeout as delay } from 'node:timers/promises';
import type { DataSource } from 'typeorm';
import { withoutCaller } from '../database/callers.js';
import { ServiceError } from '../errors/catalogue.js';
import { guarded, ignore } from '../guarded.js';
import type { Logger } from '../telemetry/logger.js';
import { feedReaders } from '../telemetry/metrics.js';
import { secondMs } from '../units.js';
import { lookForEntries, selectSuspended } from './watch-queries.js';
import type { NewEntries } from './watch-queries.js';

/** How often new entries are looked for while anybody waits, in milliseconds. */
const lookMs = 40;
/** How often it is asked which of those who wait are suspended. */
const suspendedMs = secondMs;
/** How often new entries are looked for while the database does not answer. */
const retryMs = secondMs;
/** How much longer than a look the pause after it is at least. */
const pausePerLook = 4;

/** Readers that may wait for one user's changes, and for one platform's. */
const waitingPerFeed = 64;

const readers = feedReaders.of();

/** Whose changes a reader waits for: of one user, or of all users of the platform. */
export interface Feed {
  readonly platformId: string;
  readonly userId?: string;
  /** Whether the reader is the user, rather than the platform. */
  readonly asUser?: boolean;
}

const keyOf = ({ platformId, userId }: Feed): string => userId ?? platformId;

/** A reader that waits. */
export class Waiter {
  #woken = false;
  #wake: (() => void) | undefined;
  #ended = false;

  constructor(readonly asUser = false) {}

  /** Whether it is not to wait any more, since its token does not work any more. */
  get ended(): boolean {
    return this.#ended;
  }

  end(): void {
    this.#ended = true;
    this.wake();
  }

  /** Keeps for the next call of `woken`, too. */
  readonly wake = (): void => {
    this.#woken = true;
    this.#wake?.();
  };

  /** Resolves once it has been woken since the last call. */
  async woken(): Promise<void> {
    if (!this.#woken) await new Promise<void>((resolve) => (this.#wake = resolve));
    this.#wake = undefined;
    this.#woken = false;
  }
}

/** Those who wait for the same. */
interface Joined {
  readonly feed: Feed;
  readonly waiters: Set<Waiter>;
  /** The number of the newest entry that they were woken for. */
  told: number;
}

/**
 * Wakes readers when there are new entries. One look every few milliseconds serves all readers of the
 * process, and is cheaper for writers than to notify, for which PostgreSQL commits one transaction
 * after the other (docs/adr/0035). What a look does not find is found by the next one, however long
 * the database was away in between.
 */
export class ChangeWatch {
  readonly #feeds = new Map<string, Joined>();
  /** Everything that was not committed at the last look is at this position or after it. */
  #horizon: number | undefined;
  #looking = false;

  constructor(
    private readonly db: DataSource,
    private readonly logger: Logger,
    /** Aborted when the service shuts down, upon which nobody waits any more. */
    readonly stopping: AbortSignal,
  ) {
    const wakeAll = guarded(ignore, () => this.#wakeAll());
    stopping.addEventListener('abort', wakeAll, { once: true });
  }

  /**
   * Runs `work` with a reader that is woken by entries which come after this.
   * @throws ServiceError `rate_limited` if too many wait for the same.
   */
  async join<T>(feed: Feed, work: (waiter: Waiter) => Promise<T>): Promise<T> {
    const key = keyOf(feed);
    const joined = this.#feeds.get(key) ?? { feed, waiters: new Set(), told: 0 };
    if (joined.waiters.size >= waitingPerFeed) {
      const message = `At most ${waitingPerFeed} requests can wait for the same changes.`;
      throw new ServiceError('rate_limited', { message, retryAfter: 1 });
    }
    const waiter = new Waiter(feed.asUser);
    joined.waiters.add(waiter);
    this.#feeds.set(key, joined);
    readers.add();
    try {
      if (!this.#looking) void withoutCaller(() => this.#look());
      return await work(waiter);
    } finally {
      readers.add(-1);
      joined.waiters.delete(waiter);
      if (joined.waiters.size === 0) this.#feeds.delete(key);
    }
  }

  /** Looks as long as anybody waits. */
  async #look(): Promise<void> {
    this.#looking = true;
    let failed = false;
    let ask = performance.now() + suspendedMs;
    while (this.#feeds.size > 0 && !this.stopping.aborted) {
      const began = performance.now();
      try {
        await this.#lookOnce();
        if (began >= ask) {
          await this.#endSuspended();
          ask = began + suspendedMs;
        }
        failed = false;
      } catch (error) {
        if (!failed) this.logger.warn('cannot look for changes; trying again', { error });
        failed = true;
      }
      const pause = Math.max(lookMs, pausePerLook * (performance.now() - began));
      await delay(failed ? retryMs : pause);
    }
    this.#looking = false;
    this.#horizon = undefined;
  }

  async #lookOnce(): Promise<void> {
    const platforms = new Set([...this.#feeds.values()].map(({ feed }) => feed.platformId));
    const since = this.#horizon;
    const { horizon, entries } = await lookForEntries(this.db, [...platforms], since);
    this.#horizon = horizon;
    // What came between their first read and the first look is not known to be new.
    if (since === undefined) this.#wakeAll();
    for (const found of entries) this.#wake(found);
  }

  /** Those who wait for long have their token looked at again, as with a request. */
  async #endSuspended(): Promise<void> {
    const feeds = [...this.#feeds.values()];
    const platforms = new Set(feeds.map(({ feed }) => feed.platformId));
    const users = feeds.flatMap(({ feed }) => feed.userId ?? []);
    const suspended = new Set(await selectSuspended(this.db, [...platforms], users));
    if (suspended.size === 0) return;
    for (const { feed, waiters } of feeds) {
      const all = suspended.has(feed.platformId);
      const own = feed.userId !== undefined && suspended.has(feed.userId);
      for (const waiter of waiters) if (all || (own && waiter.asUser)) waiter.end();
    }
  }

  #wakeAll(): void {
    for (const { waiters } of this.#feeds.values()) for (const { wake } of waiters) wake();
  }

  #wake({ platformId, users, newest, shown, more }: NewEntries): void {
    const wake = (key: string): void =>
      this.#feeds.get(key)?.waiters.forEach((waiter) => waiter.wake());
    if (more) {
      for (const [key, { feed }] of this.#feeds) if (feed.platformId === platformId) wake(key);
      return;
    }
    if (shown) wake(platformId);
    // While an old transaction is open, looks find again what they have found.
    for (const [n, user] of users.entries()) {
      const joined = this.#feeds.get(user);
      const seq = newest[n] ?? 0;
      if (!joined || seq <= joined.told) continue;
      joined.told = seq;
      wake(user);
    }
  }
}
