import { NIL } from 'uuid';
import { AfterRollback, isJoint } from '../database/joint-transaction.js';
import type { Queryable } from '../database/sql.js';
import { ServiceError } from '../errors/catalogue.js';
import { SharedRun } from '../shared-run.js';
import * as queries from './limit-queries.js';
import type { Limits, LimitsRow } from './limit-queries.js';

export type { Limits, LimitsRow };

/** What something takes of a platform's limits. */
export interface Room {
  readonly bytes: number;
  readonly images: number;
  readonly users: number;
}

/** How often something is tried again that others were faster with. */
const mostRounds = 20;
/** Users that are waited for at a time when limits are set. */
const usersAtOnce = 1_000;

/** Limits of platforms, each kept by all its users without a row that all of them change (docs/adr/0041). */
export class PlatformLimits {
  readonly #settling = new Map<string, SharedRun<LimitsRow | undefined>>();

  constructor(private readonly db: Queryable) {}

  /** @returns undefined for a platform without limits. */
  of(platformId: string): Promise<LimitsRow | undefined> {
    return queries.selectLimits(this.db, platformId);
  }

  /**
   * Counts what is left, exactly: what users hold and do not use is taken back, and what is being
   * stored is waited for. Not within a transaction that has a user's lock.
   */
  async settle(platformId: string): Promise<LimitsRow | undefined> {
    const known = this.#settling.get(platformId);
    const run = known ?? new SharedRun(() => queries.settle(this.db, platformId));
    this.#settling.set(platformId, run);
    try {
      return await run.run();
    } finally {
      if (this.#settling.get(platformId) === run) this.#settling.delete(platformId);
    }
  }

  /**
   * An early check, which counts only where there may be no room.
   * @throws ServiceError `platform_limit_exceeded`.
   */
  async assertLikely(platformId: string, room: Room): Promise<void> {
    const left = await queries.selectLimits(this.db, platformId);
    if (left && exceededBy(left, room)) await this.assertRoom(platformId, room);
  }

  /** @throws ServiceError `platform_limit_exceeded` if the platform has no such room left, exactly. */
  async assertRoom(platformId: string, room: Room): Promise<void> {
    const left = await this.settle(platformId);
    const exceeded = left && exceededBy(left, room);
    if (!exceeded) return;
    const [limit, max] = exceeded;
    throw new ServiceError('platform_limit_exceeded', {
      message: `The platform's limit of ${limit} is exceeded.`,
      details: { limit, max },
    });
  }

  /**
   * Runs a transaction that takes room, again and again as long as others are faster.
   * @throws ServiceError `platform_limit_exceeded`.
   */
  async retrying<T>(work: () => Promise<T>): Promise<T> {
    for (let round = 1; ; round += 1) {
      try {
        return await work();
      } catch (error) {
        // A request that is one transaction in all has to end first.
        if (!(error instanceof NoRoom) || isJoint()) throw error;
        if (round === mostRounds) throw busy();
        await this.assertRoom(error.platformId, error.room);
      }
    }
  }

  /** Takes one of the users that the platform may have. @throws NoRoom. */
  async takeUser(tx: Queryable, platformId: string): Promise<void> {
    if (await queries.takeUser(tx, platformId)) return;
    throw this.noRoom(platformId, { bytes: 0, images: 0, users: 1 });
  }

  /** What a transaction is ended with that found no room: whether there is none is seen afterwards. */
  noRoom(platformId: string, room: Room): NoRoom {
    return new NoRoom(platformId, room, async () => {
      await this.assertRoom(platformId, room);
      return busy();
    });
  }

  /** Sets the limits of a platform; once that is committed, to be followed by `enforce`. */
  set(tx: Queryable, platformId: string, limits: Limits): Promise<unknown> {
    const any = Object.values(limits).some((max) => max !== null);
    return any
      ? queries.upsertLimits(tx, platformId, limits)
      : queries.deleteLimits(tx, platformId);
  }

  /** Has new limits be exact from when this returns. */
  async enforce(platformId: string): Promise<LimitsRow | undefined> {
    // What was begun while there was no limit is not counted before it is stored.
    for (let after: string = NIL; ;) {
      const page = { after, limit: usersAtOnce };
      const waited = await queries.awaitUsers(this.db, platformId, page);
      if (waited.length < usersAtOnce) break;
      after = waited.at(-1)?.id ?? NIL;
    }
    return this.settle(platformId);
  }
}

/** Thrown inside of a transaction. */
export class NoRoom extends AfterRollback {
  override readonly name = 'NoRoom';

  constructor(
    readonly platformId: string,
    readonly room: Room,
    explain: () => Promise<Error>,
  ) {
    super('the platform seems to have no room left', explain);
  }
}

const busy = (): ServiceError =>
  new ServiceError('unavailable', {
    message: "Many users are using up what is left of the platform's limit; try again.",
    retryAfter: 1,
  });

function exceededBy(left: LimitsRow, room: Room): [limit: string, max: number] | undefined {
  const { maxBytes, maxImages, maxUsers } = left;
  const lacks = (max: number | null, wanted: number, free: number): max is number =>
    max !== null && wanted > 0 && wanted > free;
  if (lacks(maxBytes, room.bytes, left.freeBytes)) return ['bytes', maxBytes];
  if (lacks(maxImages, room.images, left.freeImages)) return ['images', maxImages];
  if (lacks(maxUsers, room.users, left.freeUsers)) return ['users', maxUsers];
  return undefined;
}
