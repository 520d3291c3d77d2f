import { validate as isUuid } from 'uuid';
import type { Database } from '../database/joint-transaction.js';
import type { Queryable } from '../database/sql.js';
import { ServiceError } from '../errors/catalogue.js';
import { lockUsage, selectPlatformUsage, selectUsage, updateMaxStorage } from './queries.js';
import type { PlatformUsageRow, UsageRow } from './queries.js';

export type { UsageRow };

/** What users have stored, and what they may still store. */
export class Usage {
  constructor(private readonly db: Database) {}

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
   * @throws ServiceError `storage_quota_exceeded`.
   */
  async assertQuota(userId: string): Promise<number> {
    const usage = await this.of(userId);
    assertWithinQuota(usage, 1);
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
   * @throws ServiceError `storage_quota_exceeded`, `user_not_found`.
   */
  async reserve(tx: Queryable, userId: string, bytes: number): Promise<void> {
    assertWithinQuota(requireUser(await lockUsage(tx, userId)), bytes);
  }
}

function requireUser(usage: UsageRow | undefined): UsageRow {
  if (!usage) throw new ServiceError('user_not_found');
  return usage;
}

function assertWithinQuota({ maxStorageBytes, storedBytes }: UsageRow, bytes: number): void {
  if (storedBytes + bytes > maxStorageBytes) throw new ServiceError('storage_quota_exceeded');
}
