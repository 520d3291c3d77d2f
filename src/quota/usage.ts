import { validate as isUuid } from 'uuid';
import type { Database } from '../database/joint-transaction.js';
import type { Queryable } from '../database/sql.js';
import { ServiceError } from '../errors/catalogue.js';
import { takeRoom } from './limit-queries.js';
import { PlatformLimits } from './platform-limits.js';
import {
  lockRoom,
  lockUsage,
  selectPlatformUsage,
  selectRoom,
  selectUsage,
  updateMaxStorage,
} from './queries.js';
import type { PlatformUsageRow, RoomRow, UsageRow } from './queries.js';

export type { UsageRow };

/** What users have stored, and what they may still store. */
export class Usage {
  /** What the users of a platform may store together. */
  readonly limits: PlatformLimits;

  constructor(private readonly db: Database) {
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
   * Sets what the user may store.
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
   * @throws ServiceError `storage_quota_exceeded`, `platform_limit_exceeded`.
   */
  async assertQuota(userId: string, images = 1): Promise<number> {
    const usage = requireUser(isUuid(userId) ? await selectRoom(this.db, userId) : undefined);
    assertWithinQuota(usage, 1);
    if (usage.limited && !holds(usage, { bytes: 1, images })) {
      await this.limits.assertLikely(usage.platformId, { bytes: 1, images, users: 0 });
    }
    return usage.maxStorageBytes - usage.storedBytes;
  }

  /**
   * Takes the user's lock until the transaction ends, for changes that need no storage.
   * @throws ServiceError `user_not_found`.
   */
  async lock(tx: Queryable, userId: string): Promise<void> {
    requireUser(await lockUsage(tx, userId));
  }

  /**
   * Takes the user's lock, which every transaction that changes what a user stores takes first, and
   * verifies that `bytes` more fit; exact, since the lock lasts until the transaction ends.
   *
   * @param images how many more there will be.
   * @throws ServiceError `storage_quota_exceeded`, `user_not_found`; and, to be run by
   *   `limits.retrying`, NoRoom.
   */
  async reserve(tx: Queryable, userId: string, bytes: number, images: number): Promise<void> {
    const usage = requireUser(await lockRoom(tx, userId));
    assertWithinQuota(usage, bytes);
    if (!usage.limited || holds(usage, { bytes, images })) return;
    if (await takeRoom(tx, userId, { bytes, images })) return;
    throw this.limits.noRoom(usage.platformId, { bytes, images, users: 0 });
  }
}

function requireUser<Row>(usage: Row | undefined): Row {
  if (!usage) throw new ServiceError('user_not_found');
  return usage;
}

/** Whether the user holds room for more already. */
const holds = (usage: RoomRow, more: { bytes: number; images: number }): boolean =>
  usage.storedBytes + more.bytes <= usage.grantedBytes &&
  usage.activeImages + usage.trashedImages + more.images <= usage.grantedImages;

function assertWithinQuota({ maxStorageBytes, storedBytes }: UsageRow, bytes: number): void {
  if (storedBytes + bytes > maxStorageBytes) throw new ServiceError('storage_quota_exceeded');
}
