import type { DataSource } from 'typeorm';
import { patiently } from '../../base/concurrency.js';
import { runOutside } from '../../base/telemetry/context.js';
import type { Logger } from '../../base/telemetry/logger.js';
import { secondMs } from '../../base/units.js';
import { selectEndedUrls } from './auth.sql.js';

/** After this long, what is known is read again, while requests go on, in milliseconds. */
const renewMs = secondMs;
/** After this long, requests wait until it has been read, in milliseconds. */
const staleMs = 2 * secondMs;
/** How long a request waits for that at most, in milliseconds: files outlast a slow database. */
const patienceMs = secondMs;

/** When signed URLs ended, in seconds since 1970; 0: never. */
interface Ends {
  readonly everyone: number;
  readonly platforms: ReadonlyMap<string, number>;
  readonly users: ReadonlyMap<string, number>;
}

const none: Ends = { everyone: 0, platforms: new Map(), users: new Map() };

/**
 * Which signed URLs have ended before they expire: those signed before their user or platform was
 * suspended or deleted, or before the platform's tokens or a signing key were revoked. Known in memory,
 * so that a file costs no query, and read again every second in which there are requests. Only what
 * happened within the lifetime of a URL matters, which bounds its size.
 */
export class EndedUrls {
  #ends = none;
  /** On the clock of `now`: as of when it is known, and when it was last attempted to be read. */
  #knownAt = -Infinity;
  #attemptedAt = -Infinity;
  /** The last second that had passed when it was known, since 1970. */
  #knownSecond = -Infinity;
  #reading: Promise<void> | undefined;
  /** The database is down or slow: no request waits for it. */
  #late = false;

  /** @param ttlSeconds minimum lifetime of a signed URL; none lives twice as long. */
  constructor(
    private readonly db: DataSource,
    private readonly ttlSeconds: number,
    private readonly logger: Logger,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /**
   * Must precede signing or verifying. @returns nothing if what is known is new enough, otherwise a
   * promise, which never rejects. @param issuedAt when the token of the request was issued, in seconds
   * since 1970: one that is newer than what is known may follow a revocation.
   */
  refresh(issuedAt = 0): Promise<void> | undefined {
    const now = this.now();
    const isNewer = issuedAt > this.#knownSecond;
    if (!isNewer && now - this.#attemptedAt < renewMs && !this.#reading) return undefined;
    this.#reading ??= runOutside(() => this.#read(now));
    if (this.#late || (!isNewer && now - this.#knownAt < staleMs)) return undefined;
    return this.#patiently(this.#reading);
  }

  /** When the URLs of an object ended, or of anything else that is signed. */
  readonly of = (key: string): number => {
    const { everyone, platforms, users } = this.#ends;
    if (platforms.size === 0 && users.size === 0) return everyone;
    // Keys begin with the ids of platform and user (src/store/object-key.ts).
    const ofPlatform = platforms.get(key.slice(0, 36)) ?? 0;
    return Math.max(everyone, ofPlatform, users.get(key.slice(37, 73)) ?? 0);
  };

  async #read(now: number): Promise<void> {
    this.#attemptedAt = now;
    const second = Math.floor(Date.now() / secondMs) - 1;
    try {
      const { everyone, platforms, users } = await selectEndedUrls(this.db, 2 * this.ttlSeconds);
      this.#ends = { everyone, platforms: new Map(platforms), users: new Map(users) };
      this.#knownAt = now;
      this.#knownSecond = second;
      this.#late = false;
    } catch (error) {
      if (!this.#late) this.logger.warn('cannot read which signed URLs have ended', { error });
      this.#late = true;
    } finally {
      this.#reading = undefined;
    }
  }

  async #patiently(reading: Promise<void>): Promise<void> {
    if (!(await patiently(reading, patienceMs))) this.#late = true;
  }
}
