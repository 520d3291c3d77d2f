import type { UpdatedUser, UserInfo } from './schemas.js';
import { usedBytes } from '../quota/usage.js';
import type { Usage, UsageRow } from '../quota/usage.js';
import { toBytes, toMegabytes } from '../../base/units.js';

/** Usage and quotas of users. */
export class Accounts {
  constructor(private readonly usage: Usage) {}

  /** @param platformId the platform that the user must belong to. */
  async info(userId: string, platformId?: string): Promise<UserInfo> {
    return infoOf(await this.usage.of(userId, platformId));
  }

  /**
   * Sets the user's quota, if given. It may be below the current usage: nothing is lost, but
   * uploads are refused until enough is deleted.
   */
  async limit(userId: string, maxStorageMb?: number): Promise<UpdatedUser> {
    const usage =
      maxStorageMb === undefined
        ? await this.usage.of(userId)
        : await this.usage.limit(userId, toBytes(maxStorageMb));
    return { id: userId, ...infoOf(usage) };
  }
}

const infoOf = (usage: UsageRow): UserInfo => ({
  image_count: usage.activeImages,
  max_storage_mb: toMegabytes(usage.maxStorageBytes),
  used_storage_mb: toMegabytes(usedBytes(usage)),
  trash_image_count: usage.trashedImages,
});
