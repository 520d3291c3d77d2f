import { validate as isUuid } from 'uuid';
import type { Database } from '../../database/joint-transaction.js';
import type { Queryable } from '../../database/sql.js';
import { ServiceError } from '../../base/errors/catalogue.js';
import { takeCapacity } from './limit.sql.js';
import { PlatformLimits } from './platform-limits.js';
import {
  lockGrantedUsage,
  lockUsage,
  selectPlatformUsage,
  selectGrantedUsage,
  selectUsage,
  updateMaxStorage,
} from './quota.sql.js';
import type { PlatformUsageRow, GrantedUsageRow, UsageRow } from './quota.sql.js';

export type { UsageRow };

/** Usage and quotas of users. */
export class Usage {
  /** Limits of platforms. */
  readonly limits: PlatformLimits;

  constructor(
    private readonly db: Database,
    /** Images that a user may have, trash included. */
    private readonly maxImages = Infinity,
  ) {
    this.limits = new PlatformLimits(db);
  }

  /**
   * @param platformId the platform that the user must belong to.
   * @throws ServiceError `user_not_found`.
   */
  async of(userId: string, platformId?: string): Promise<UsageRow> {
    return requireUser(isUuid(userId) ? await selectUsage(this.db, userId, platformId) : undefined);
  }

  /**
   * Sets the user's quota.
   * @throws ServiceError `user_not_found`.
   */
  async limit(userId: string, bytes: number): Promise<UsageRow> {
    return requireUser(await updateMaxStorage(this.db, userId, bytes));
  }

  /** Total of all users of a platform; zeros if it has none. */
  async ofPlatform(platformId: string): Promise<PlatformUsageRow> {
    return selectPlatformUsage(this.db, platformId);
  }

  /**
   * An early check: an upload that certainly will not fit is rejected before its body is read.
   * @returns bytes that the user may still store.
   * @throws ServiceError `storage_quota_exceeded`, `too_many_images`, `platform_limit_exceeded`.
   */
  async assertQuota(userId: string, images = 1): Promise<number> {
    const usage = requireUser(
      isUuid(userId) ? await selectGrantedUsage(this.db, userId) : undefined,
    );
    assertWithinQuota(usage, 1);
    this.#assertFewImages(usage, images);
    if (usage.limited && !holds(usage, { bytes: 1, images })) {
      await this.limits.assertLikelyCapacity(usage.platformId, { bytes: 1, images, users: 0 });
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
   *   `too_many_images`, `user_not_found`; NoCapacity, so run it in `limits.retrying`.
   */
  async reserve(tx: Queryable, userId: string, bytes: number, images: number): Promise<void> {
    const usage = requireUser(await lockGrantedUsage(tx, userId));
    assertWithinQuota(usage, bytes);
    this.#assertFewImages(usage, images);
    if (!usage.limited || holds(usage, { bytes, images })) return;
    if (await takeCapacity(tx, userId, { bytes, images })) return;
    throw this.limits.noCapacity(usage.platformId, { bytes, images, users: 0 });
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

/** What the quota counts: files and the text of memos and customs. */
export const usedBytes = (usage: Pick<UsageRow, 'storedBytes' | 'textBytes'>): number =>
  usage.storedBytes + usage.textBytes;

function assertWithinQuota(usage: UsageRow, bytes: number): void {
  if (usedBytes(usage) + bytes > usage.maxStorageBytes)
    throw new ServiceError('storage_quota_exceeded');
}
