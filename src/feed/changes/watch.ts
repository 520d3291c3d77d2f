import { setTimeout as delay } from 'node:timers/promises';
import type { DataSource } from 'typeorm';
import { ServiceError } from '../../base/errors/catalogue.js';
import { guarded, ignore } from '../../base/guarded.js';
import type { Logger } from '../../base/telemetry/logger.js';
import { feedReaders } from '../../base/telemetry/metrics.js';
import { secondMs } from '../../base/units.js';
import { runOutside } from '../../base/telemetry/context.js';
import { horizon, rows, type Queryable } from '../../database/sql.js';
import type { Claims } from '../../http/auth/claims.js';
import type { Tokens } from '../../http/auth/tokens.js';

/** Entries of a platform that one poll reads; if there are more, all waiting readers are woken. */
const maxEntriesPerPoll = 50_000;

interface NewEntries {
  readonly platformId: string;
  readonly users: readonly string[];
  /** The number of the newest entry of each of these users. */
  readonly newest: readonly number[];
  /** Whether the platform's feed shows new entries since the previous poll. */
  readonly shown: boolean;
  /** Whether there are more entries than were read. */
  readonly more: boolean;
}

/**
 * The users of these platforms with entries that were not committed yet at the previous poll. One
 * statement, so that entries it does not find are committed after its own horizon. @param since the
 * horizon of the previous poll; without one, no entries are returned.
 */
async function pollEntries(
  db: Queryable,
  platformIds: readonly string[],
  since: number | undefined,
): Promise<{ horizon: number; entries: NewEntries[] }> {
  const found = await rows<{ horizon: number } & (NewEntries | { readonly platformId: null })>(
    db,
    `WITH clock AS MATERIALIZED (SELECT (${horizon}) AS horizon)
     SELECT clock.horizon, n.* FROM clock LEFT JOIN LATERAL (
       SELECT u.platform_id AS "platformId", array_agg(u.user_id) AS users,
              array_agg(u.newest::float8) AS newest, bool_or(u.shown) AS shown,
              sum(u.entries) = ${maxEntriesPerPoll} AS more
       FROM (
       SELECT c.platform_id, c.user_id, max(c.seq) AS newest, count(*) AS entries,
              bool_or(c.feed_position < clock.horizon) AS shown
       FROM unnest($1::uuid[]) AS p (id) CROSS JOIN LATERAL (
         SELECT platform_id, user_id, feed_position, seq FROM changes
         WHERE platform_id = p.id AND feed_position >= $2
         ORDER BY feed_position, user_id, seq LIMIT ${maxEntriesPerPoll}
       ) AS c
       GROUP BY c.platform_id, c.user_id
       ) AS u
       GROUP BY u.platform_id
     ) AS n ON true`,
    [platformIds, since ?? Number.MAX_SAFE_INTEGER],
  );
  const [first] = found;
  if (!first) throw new Error('the feed has no clock');
  const entries = found.flatMap((one) => (one.platformId === null ? [] : [one]));
  return { horizon: first.horizon, entries };
}

/** Poll interval while readers wait, in milliseconds. */
const pollMs = 40;
/** How often the tokens of waiting readers are checked, in milliseconds. */
const checkMs = secondMs;
/** Poll interval while the database is unavailable, in milliseconds. */
const retryMs = secondMs;
/** Minimum ratio of a pause to the duration of the poll before it. */
const pausePerPoll = 4;

/**
 * Maximum number of readers that wait for the changes of one user, or of one platform. Readers of the
 * platform that wait for a user's take none of the user's own.
 */
const waitingPerFeed = 64;

const waiting = feedReaders.of();

/** The changes that a reader waits for: those of one user, or of all users of the platform. */
export interface Feed {
  readonly platformId: string;
  readonly userId?: string;
  /** The token of the reader. */
  readonly reader: Claims;
}

const keyOf = ({ platformId, userId }: Feed): string => userId ?? platformId;

/** A waiting reader. */
export class Waiter {
  #woken = false;
  #wake: (() => void) | undefined;
  #ended = false;

  /** Whether it must stop waiting because its token is no longer valid. */
  get ended(): boolean {
    return this.#ended;
  }

  end(): void {
    this.#ended = true;
    this.wake();
  }

  /** Takes effect on the next call of `woken` if none is pending. */
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

/** The readers that wait for the same feed. */
interface FeedReaders {
  readonly feed: Feed;
  /** With the token of each. */
  readonly waiters: Map<Waiter, Claims>;
  /** The number of the newest entry that they were woken for. */
  notifiedSeq: number;
}

/**
 * Wakes readers when there are new entries. One poll every few milliseconds serves all readers of
 * the process, and is cheaper for writers than NOTIFY, with which PostgreSQL commits transactions
 * one after the other (docs/adr/0015). Entries that a poll misses are found by the next one, no
 * matter how long the database was unavailable in between.
 */
export class ChangeWatch {
  readonly #feeds = new Map<string, FeedReaders>();
  /** Everything that was not committed at the last poll is at this position or after it. */
  #horizon: number | undefined;
  #polling = false;

  constructor(
    private readonly db: DataSource,
    private readonly tokens: Pick<Tokens, 'ended'>,
    private readonly logger: Logger,
    /** Aborted when the service shuts down, which ends all waiting. */
    readonly stopping: AbortSignal,
  ) {
    const wakeAll = guarded(ignore, () => this.#wakeAll());
    stopping.addEventListener('abort', wakeAll, { once: true });
  }

  /**
   * Runs `work` with a reader that is woken by entries added from now on. The caller has checked that
   * it may read the feed. @throws ServiceError `rate_limited` if too many readers wait for the same
   * feed.
   */
  async join<T>(feed: Feed, work: (waiter: Waiter) => Promise<T>): Promise<T> {
    const key = keyOf(feed);
    const joined: FeedReaders = this.#feeds.get(key) ?? {
      feed,
      waiters: new Map(),
      notifiedSeq: 0,
    };
    const waiter = new Waiter();
    const { scope } = feed.reader;
    const alike = [...joined.waiters.values()].filter((reader) => reader.scope === scope);
    if (alike.length >= waitingPerFeed) {
      const message = `At most ${waitingPerFeed} requests can wait for the same changes.`;
      throw new ServiceError('rate_limited', { message, retryAfter: 1 });
    }
    joined.waiters.set(waiter, feed.reader);
    this.#feeds.set(key, joined);
    waiting.add();
    try {
      if (!this.#polling) void runOutside(() => this.#pollLoop());
      return await work(waiter);
    } finally {
      waiting.add(-1);
      joined.waiters.delete(waiter);
      if (joined.waiters.size === 0) this.#feeds.delete(key);
    }
  }

  /** Polls as long as there are readers. */
  async #pollLoop(): Promise<void> {
    this.#polling = true;
    let failed = false;
    let ask = performance.now() + checkMs;
    while (this.#feeds.size > 0 && !this.stopping.aborted) {
      const began = performance.now();
      try {
        await this.#pollOnce();
        if (began >= ask) {
          await this.#endInvalid();
          ask = began + checkMs;
        }
        failed = false;
      } catch (error) {
        if (!failed) this.logger.warn('cannot poll for changes; retrying', { error });
        failed = true;
      }
      const pause = Math.max(pollMs, pausePerPoll * (performance.now() - began));
      await delay(failed ? retryMs : pause);
    }
    this.#polling = false;
    this.#horizon = undefined;
  }

  async #pollOnce(): Promise<void> {
    const platforms = new Set([...this.#feeds.values()].map(({ feed }) => feed.platformId));
    const since = this.#horizon;
    const { horizon, entries } = await pollEntries(this.db, [...platforms], since);
    this.#horizon = horizon;
    // The first poll cannot tell which entries came after a reader's first read, so it wakes all.
    if (since === undefined) this.#wakeAll();
    for (const found of entries) this.#wake(found);
  }

  /** Ends readers whose token was revoked or suspended, as a new request would be refused. */
  async #endInvalid(): Promise<void> {
    const readers = [...this.#feeds.values()].flatMap((joined) => [...joined.waiters]);
    const ended = await this.tokens.ended(readers.map(([, token]) => token));
    for (const place of ended) readers[place]?.[0].end();
  }

  #wakeAll(): void {
    for (const { waiters } of this.#feeds.values()) for (const { wake } of waiters.keys()) wake();
  }

  #wake({ platformId, users, newest, shown, more }: NewEntries): void {
    const wake = (key: string): void =>
      this.#feeds.get(key)?.waiters.forEach((_, waiter) => waiter.wake());
    if (more) {
      for (const [key, { feed }] of this.#feeds) if (feed.platformId === platformId) wake(key);
      return;
    }
    if (shown) wake(platformId);
    // While an old transaction is open, polls return the same entries repeatedly.
    for (const [n, user] of users.entries()) {
      const joined = this.#feeds.get(user);
      const seq = newest[n] ?? 0;
      if (!joined || seq <= joined.notifiedSeq) continue;
      joined.notifiedSeq = seq;
      wake(user);
    }
  }
}
