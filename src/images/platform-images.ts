import type { Queryable } from '../database/sql.js';
import { toMegabytes } from '../http/records.js';
import type { Usage } from '../users/usage.js';
import { selectPlatformPage } from './platform-queries.js';
import type {
  PlatformImagesPage,
  PlatformPageFields,
  PlatformUserImagesPage,
} from './platform-schemas.js';
import type { Absolute } from './record.js';
import type { ImageRecord } from './schemas.js';
import type { Images } from './service.js';

/** What platforms see of their users' images, trash included. */
export class PlatformImages {
  constructor(
    private readonly db: Queryable,
    private readonly images: Images,
    private readonly usage: Usage,
  ) {}

  /** Images of all users, ordered by user, then newest first; a page of them grouped by user. */
  async all(
    platformId: string,
    wanted: PlatformPageFields,
    absolute: Absolute,
  ): Promise<PlatformImagesPage> {
    const [{ images }, records] = await Promise.all([
      this.usage.ofPlatform(platformId),
      this.#page({ platformId }, wanted, absolute),
    ]);
    return { ...paging(records.length, images, wanted), items: byUser(records) };
  }

  /**
   * Images of one user, newest first.
   * @throws ServiceError `user_not_found` when the platform has no such user.
   */
  async ofUser(
    owner: { platformId: string; userId: string },
    wanted: PlatformPageFields,
    absolute: Absolute,
  ): Promise<PlatformUserImagesPage> {
    const usage = await this.usage.of(owner.userId, owner.platformId);
    const records = await this.#page(owner, wanted, absolute);
    return {
      ...paging(records.length, usage.activeImages + usage.trashedImages, wanted),
      total_filesize_mb: toMegabytes(usage.activeBytes + usage.trashedBytes),
      items: records,
    };
  }

  async #page(
    owner: { platformId: string; userId?: string },
    { page, page_size: limit, with_history: history }: PlatformPageFields,
    absolute: Absolute,
  ): Promise<ImageRecord[]> {
    const offset = (page - 1) * limit;
    const rows = await selectPlatformPage(this.db, { ...owner, offset, limit });
    return this.images.recordsOf(rows, { history }, absolute);
  }
}

const paging = (count: number, total: number, { page, page_size }: PlatformPageFields) => ({
  count,
  total_count: total,
  page,
  page_size,
  total_pages: Math.ceil(total / page_size),
});

/** Runs of images of the same user, in the order they come. */
function byUser(records: readonly ImageRecord[]): PlatformImagesPage['items'] {
  const groups: { user_id: string; result: ImageRecord[] }[] = [];
  for (const record of records) {
    const last = groups.at(-1);
    if (last?.user_id === record.user_id) last.result.push(record);
    else groups.push({ user_id: record.user_id, result: [record] });
  }
  return groups;
}
