import { NIL } from 'uuid';
import { SharedRun } from '../../base/concurrency.js';
import { ServiceError } from '../../base/errors/catalogue.js';
import { selectList, type RowOf } from '../../database/columns.js';
import { AfterRollback, isJoint } from '../../database/joint-transaction.js';
import { column, onlyValue, type Queryable, row, rows } from '../../database/sql.js';
import { limitColumns } from './entity.js';

export type LimitsRow = Readonly<RowOf<typeof limitColumns>>;

/** Limits of a platform; null: no limit. */
export type Limits = Pick<LimitsRow, 'maxBytes' | 'maxImages' | 'maxUsers'>;

const limits = selectList(limitColumns);

/**
 * Grants the user more capacity, in the transaction that holds the user's lock. @returns false if
 * the platform seems to have none left; some may be granted but unused.
 */
export const takeCapacity = (
  tx: Queryable,
  userId: string,
  { bytes, images }: { bytes: number; images: number },
) => onlyValue<boolean>(tx, 'SELECT take_room($1, $2, $3) AS taken', [userId, bytes, images]);

/** Sets limits; nothing is free until it has been counted. */
const upsertLimits = (tx: Queryable, platformId: string, given: Limits): Promise<unknown> =>
  rows(
    tx,
    `INSERT INTO platform_limits (platform_id, max_bytes, max_images, max_users)
     VALUES ($1, $2, $3, $4)
     ON CONFLICT (platform_id) DO UPDATE
     SET max_bytes = excluded.max_bytes, max_images = excluded.max_images,
         max_users = excluded.max_users, free_bytes = 0, free_images = 0, free_users = 0`,
    [platformId, given.maxBytes, given.maxImages, given.maxUsers],
  );

/** Waits for the running transactions of a batch of users, by id after the given one. */
const awaitUsers = (db: Queryable, platformId: string, page: { after: string; limit: number }) =>
  column<string>(
    db,
    `SELECT id FROM users WHERE platform_id = $1 AND id > $2 ORDER BY id LIMIT $3 FOR SHARE`,
    [platformId, page.after, page.limit],
  );

/** The capacity that an operation takes from a platform's limits. */
interface Demand {
  readonly bytes: number;
  readonly images: number;
  readonly users: number;
}

/** Attempts to take capacity before giving up to concurrent requests. */
const maxAttempts = 20;
/** Users per statement when waiting for transactions that began before limits were set. */
const usersPerBatch = 1_000;

/**
 * Limits of platforms, enforced without a row that all users of a platform update (docs/adr/0003).
 */
export class PlatformLimits {
  readonly #settling = new Map<string, SharedRun<LimitsRow | undefined>>();

  constructor(private readonly db: Queryable) {}

  /** @returns undefined for a platform without limits. */
  of(platformId: string): Promise<LimitsRow | undefined> {
    return row(this.db, `SELECT ${limits} FROM platform_limits WHERE platform_id = $1`, [
      platformId,
    ]);
  }

  /**
   * Counts exactly what is left: waits for running transactions and takes back capacity that is
   * granted but unused. Must not be called in a transaction that holds a user's lock.
   */
  async settle(platformId: string): Promise<LimitsRow | undefined> {
    const known = this.#settling.get(platformId);
    const sql = `SELECT ${limits} FROM settle_platform($1)`;
    const run = known ?? new SharedRun(() => row<LimitsRow>(this.db, sql, [platformId]));
    this.#settling.set(platformId, run);
    try {
      return await run.run();
    } finally {
      if (this.#settling.get(platformId) === run) this.#settling.delete(platformId);
    }
  }

  /**
   * An early check, which counts exactly only if the limit may be exceeded.
   * @throws ServiceError `platform_limit_exceeded`.
   */
  async assertLikelyCapacity(platformId: string, demand: Demand): Promise<void> {
    const left = await this.of(platformId);
    if (left && exceededBy(left, demand)) await this.assertCapacity(platformId, demand);
  }

  /**
   * An exact check. @throws ServiceError `platform_limit_exceeded` if the platform cannot meet the
   * demand.
   */
  async assertCapacity(platformId: string, demand: Demand): Promise<void> {
    const left = await this.settle(platformId);
    const exceeded = left && exceededBy(left, demand);
    if (!exceeded) return;
    const [limit, max] = exceeded;
    throw new ServiceError('platform_limit_exceeded', {
      message: `The platform's limit of ${limit} is exceeded.`,
      details: { limit, max },
    });
  }

  /**
   * Runs a transaction that takes capacity, and retries it as long as concurrent requests are
   * faster.
   * @throws ServiceError `platform_limit_exceeded`.
   */
  async retrying<T>(work: () => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await work();
      } catch (error) {
        // A request that runs in a single joint transaction has to roll back first.
        if (!(error instanceof NoCapacity) || isJoint()) throw error;
        if (attempt === maxAttempts) throw busy();
        await this.assertCapacity(error.platformId, error.demand);
      }
    }
  }

  /** Counts a new user against the platform's limit. @throws NoCapacity. */
  async takeUser(tx: Queryable, platformId: string): Promise<void> {
    if (await onlyValue<boolean>(tx, 'SELECT take_user($1) AS taken', [platformId])) return;
    throw this.noCapacity(platformId, { bytes: 0, images: 0, users: 1 });
  }

  /**
   * The error to roll back a transaction that found no capacity; an exact check follows the
   * rollback.
   */
  noCapacity(platformId: string, demand: Demand): NoCapacity {
    return new NoCapacity(platformId, demand, async () => {
      await this.assertCapacity(platformId, demand);
      return busy();
    });
  }

  /** Sets the limits of a platform. `enforce` must be called after the commit. */
  set(tx: Queryable, platformId: string, limits: Limits): Promise<unknown> {
    const any = Object.values(limits).some((max) => max !== null);
    if (any) return upsertLimits(tx, platformId, limits);
    return rows(tx, 'DELETE FROM platform_limits WHERE platform_id = $1', [platformId]);
  }

  /** Makes new limits exact from the moment this returns. */
  async enforce(platformId: string): Promise<LimitsRow | undefined> {
    // Images whose transactions began while there was no limit count only once those have
    // committed.
    for (let after: string = NIL; ;) {
      const page = { after, limit: usersPerBatch };
      const waited = await awaitUsers(this.db, platformId, page);
      if (waited.length < usersPerBatch) break;
      after = waited.at(-1) ?? NIL;
    }
    return this.settle(platformId);
  }
}

/** Thrown to roll back a transaction that finds no capacity. */
class NoCapacity extends AfterRollback {
  override readonly name = 'NoCapacity';

  constructor(
    readonly platformId: string,
    readonly demand: Demand,
    explain: () => Promise<Error>,
  ) {
    super('the platform seems to have no capacity left', explain);
  }
}

const busy = (): ServiceError =>
  new ServiceError('unavailable', {
    message: "Many users are using up what is left of the platform's limit; try again.",
    retryAfter: 1,
  });

function exceededBy(left: LimitsRow, demand: Demand): [limit: string, max: number] | undefined {
  const { maxBytes, maxImages, maxUsers } = left;
  const lacks = (max: number | null, wanted: number, free: number): max is number =>
    max !== null && wanted > 0 && wanted > free;
  if (lacks(maxBytes, demand.bytes, left.freeBytes)) return ['bytes', maxBytes];
  if (lacks(maxImages, demand.images, left.freeImages)) return ['images', maxImages];
  if (lacks(maxUsers, demand.users, left.freeUsers)) return ['users', maxUsers];
  return undefined;
}
