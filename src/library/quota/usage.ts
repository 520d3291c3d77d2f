import type { DataSource, EntityManager } from 'typeorm';
import { validate as isUuid } from 'uuid';
import { ServiceError } from '../../base/errors/catalogue.js';
import { byToken, currentToken, actAs, type Actor } from '../../database/fairness.js';
import { selectList, type RowOf } from '../../database/columns.js';
import type { Database } from '../../database/joint-transaction.js';
import { onlyRow, prepared, type Queryable, row } from '../../database/sql.js';
import { grantColumns, usageColumns } from './entity.js';
import { takeCapacity, PlatformLimits } from './platform-limits.js';

// Where a user's bytes are charged: triggers count them when rows change, those of files in
// `account_for_images`, those of memos and customs in `keep_annotations`, those of uploads that are not
// finished in `count_announced` (migrations/rules/). Whether they fit is checked under the user's lock: here, by
// `reserve`, for files and what comes with them; by `keep_annotations` for text alone.

/**
 * SQL to select the user from, with its row locked until the transaction ends. Changes in the transaction are
 * attributed to the token. @param token placeholder for the result of `currentToken`.
 */
export const lockedUser = (userId: string, token: string): string =>
  `users WHERE id = ${userId} AND ${byToken(token)} FOR NO KEY UPDATE`;

export type UsageRow = Readonly<RowOf<typeof usageColumns>>;

const usage = selectList(usageColumns);

/** A user's usage, locking the row until the transaction ends; no row for one who is deleted. */
export const lockUsage = (tx: Queryable, userId: string): Promise<UsageRow | undefined> =>
  row(tx, `SELECT ${usage} FROM ${lockedUser('$1', '$2')}`, [userId, currentToken()]);

/** A user's usage with the capacity granted from the platform's limits. */
type GrantedUsageRow = UsageRow &
  Readonly<RowOf<typeof grantColumns>> & {
    readonly platformId: string;
    readonly limited: boolean;
  };

const grantedUsage = `${usage}, ${selectList(grantColumns)}, platform_id AS "platformId",
  platform_is_limited(platform_id) AS limited`;

const grantedUsageQuery = prepared(`SELECT ${grantedUsage} FROM users WHERE id = $1`);

interface PlatformUsageRow {
  readonly users: number;
  readonly activeImages: number;
  readonly images: number;
  readonly activeBytes: number;
  readonly storedBytes: number;
  readonly textBytes: number;
  readonly announcedBytes: number;
}

/** Usage and quotas of users. */
export class Usage {
  /** Limits of platforms. */
  readonly platformLimits: PlatformLimits;

  constructor(
    private readonly db: Database,
    /** Images that a user may have, trash included. */
    private readonly maxImages = Infinity,
  ) {
    this.platformLimits = new PlatformLimits(db);
  }

  /**
   * @param platformId the platform that the user must belong to.
   * @throws ServiceError `user_not_found`.
   */
  async of(userId: string, platformId?: string): Promise<UsageRow> {
    const sql = `SELECT ${usage} FROM users WHERE id = $1 AND ($2::uuid IS NULL OR platform_id = $2)`;
    const found = isUuid(userId)
      ? await row<UsageRow>(this.db, sql, [userId, platformId ?? null])
      : undefined;
    return requireUser(found);
  }

  /**
   * Sets the user's quota.
   * @throws ServiceError `user_not_found`.
   */
  async setQuota(userId: string, bytes: number): Promise<UsageRow> {
    const sql = `UPDATE users SET max_storage_bytes = $2, updated_at = now()
      WHERE id = $1 AND ${byToken('$3')} RETURNING ${usage}`;
    return requireUser(await row<UsageRow>(this.db, sql, [userId, bytes, currentToken()]));
  }

  /** Totals over all users of a platform, from their counters; zeros if it has none. */
  ofPlatform(platformId: string): Promise<PlatformUsageRow> {
    return onlyRow(
      this.db,
      `SELECT count(*) AS users,
              coalesce(sum(active_images), 0)::bigint AS "activeImages",
              coalesce(sum(active_images + trashed_images), 0)::bigint AS images,
              coalesce(sum(active_bytes), 0)::bigint AS "activeBytes",
              coalesce(sum(stored_bytes), 0)::bigint AS "storedBytes",
              coalesce(sum(text_bytes), 0)::bigint AS "textBytes",
              coalesce(sum(announced_bytes), 0)::bigint AS "announcedBytes"
       FROM users WHERE platform_id = $1`,
      [platformId],
    );
  }

  /**
   * An early check: an upload that certainly will not fit is rejected before its body is read.
   * @returns bytes that the user may still store.
   * @throws ServiceError `storage_quota_exceeded`, `too_many_images`, `platform_limit_exceeded`.
   */
  async assertQuota(userId: string, images = 1): Promise<number> {
    const usage = requireUser(
      isUuid(userId) ? await row<GrantedUsageRow>(this.db, grantedUsageQuery, [userId]) : undefined,
    );
    assertWithinQuota(usage, 1);
    this.#assertFewImages(usage, images);
    if (usage.limited && !holds(usage, { bytes: 1, images })) {
      await this.platformLimits.assertLikelyCapacity(usage.platformId, {
        bytes: 1,
        images,
        users: 0,
      });
    }
    return usage.maxStorageBytes - usedBytes(usage);
  }

  /**
   * Takes the user's lock until the transaction ends, for changes that need no storage.
   * @throws ServiceError `user_not_found`.
   */
  async lock(tx: Queryable, userId: string): Promise<void> {
    requireUser(await lockUsage(tx, userId));
  }

  /**
   * Takes the user's lock, as every transaction that changes what a user stores must do first, and
   * verifies that `bytes` more fit. The check is exact, since the lock lasts until the transaction
   * ends.
   *
   * @param images number of additional images. @throws ServiceError `storage_quota_exceeded`,
   *   `too_many_images`, `user_not_found`; NoCapacity, so run it in `platformLimits.retrying`.
   */
  async reserve(tx: Queryable, userId: string, bytes: number, images: number): Promise<void> {
    const sql = `SELECT ${grantedUsage} FROM ${lockedUser('$1', '$2')}`;
    const usage = requireUser(await row<GrantedUsageRow>(tx, sql, [userId, currentToken()]));
    assertWithinQuota(usage, bytes);
    this.#assertFewImages(usage, images);
    if (!usage.limited || holds(usage, { bytes, images })) return;
    if (await takeCapacity(tx, userId, { bytes, images })) return;
    throw this.platformLimits.noCapacity(usage.platformId, { bytes, images, users: 0 });
  }

  #assertFewImages({ activeImages, trashedImages }: UsageRow, more: number): void {
    const max = this.maxImages;
    if (more === 0 || activeImages + trashedImages + more <= max) return;
    const message = `A user can have at most ${max} images (limits.max_images), trash included. Delete some for good.`;
    throw new ServiceError('too_many_images', { message, details: { max } });
  }
}

function requireUser<Row>(usage: Row | undefined): Row {
  if (!usage) throw new ServiceError('user_not_found');
  return usage;
}

/** Whether the granted capacity suffices for more. */
const holds = (usage: GrantedUsageRow, more: { bytes: number; images: number }): boolean =>
  usedBytes(usage) + more.bytes <= usage.grantedBytes &&
  usage.activeImages + usage.trashedImages + more.images <= usage.grantedImages;

/** What the quota counts: files, the text of memos and customs, and files that are announced. */
export const usedBytes = (
  usage: Pick<UsageRow, 'storedBytes' | 'textBytes' | 'announcedBytes'>,
): number => usage.storedBytes + usage.textBytes + usage.announcedBytes;

function assertWithinQuota(usage: UsageRow, bytes: number): void {
  if (usedBytes(usage) + bytes > usage.maxStorageBytes)
    throw new ServiceError('storage_quota_exceeded');
}

/**
 * Runs a transaction of a job under a user's lock. @param actor in the change feed.
 * @returns undefined if the user no longer exists, and so has nothing to work on.
 */
export async function underUserLock<T>(
  db: DataSource | EntityManager | Database,
  userId: string,
  work: (tx: EntityManager) => Promise<T>,
  actor: Actor = 'system',
): Promise<T | undefined> {
  return db.transaction(async (tx) => {
    if (!(await lockUsage(tx, userId))) return undefined;
    await actAs(tx, actor);
    return work(tx);
  });
}
