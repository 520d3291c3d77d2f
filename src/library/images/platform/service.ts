import type { Queryable } from '../../../database/sql.js';
import { indexOfPage } from '../../../http/request-fields.js';
import type { MaybeBatched } from '../../../http/paging/batches.js';
import type { Usage } from '../../quota/usage.js';
import { selectPlatformPage } from './platform.sql.js';
import type { PlatformImagesPage, PlatformPageFields, PlatformUserImagesPage } from './schemas.js';
import type { ResolveUrl, BatchedImageRecord } from '../record.js';
import { groupConsecutive } from '../list/group-consecutive.js';
import type { Images } from '../service.js';
import { toMegabytes } from '../../../base/units.js';

/** What platforms can see of their users' images, trash included. */
export class PlatformImages {
  constructor(
    private readonly db: Queryable,
    private readonly images: Images,
    private readonly usage: Usage,
  ) {}

  /** Images of all users, ordered by user, then newest first; each page grouped by user. */
  async all(
    platformId: string,
    wanted: PlatformPageFields,
    resolveUrl: ResolveUrl,
  ): Promise<MaybeBatched<PlatformImagesPage>> {
    const [{ images }, { rows, items }] = await Promise.all([
      this.usage.ofPlatform(platformId),
      this.#page({ platformId }, wanted, resolveUrl),
    ]);
    const byUser = groupConsecutive(rows, items, {
      ofRow: ({ userId }) => userId,
      ofItem: ({ user_id }) => user_id,
      run: (user_id, _count, result) => ({ user_id, result }),
    });
    return { ...paging(rows.length, images, wanted), items: byUser };
  }

  /** Images of one user, newest first. */
  async ofUser(
    owner: { platformId: string; userId: string },
    wanted: PlatformPageFields,
    resolveUrl: ResolveUrl,
  ): Promise<MaybeBatched<PlatformUserImagesPage>> {
    const usage = await this.usage.of(owner.userId, owner.platformId);
    const { rows, items } = await this.#page(owner, wanted, resolveUrl);
    return {
      ...paging(rows.length, usage.activeImages + usage.trashedImages, wanted),
      total_filesize_mb: toMegabytes(usage.activeBytes + usage.trashedBytes),
      items,
    };
  }

  async #page(
    owner: { platformId: string; userId?: string },
    { page, page_size: limit, with_history: history }: PlatformPageFields,
    resolveUrl: ResolveUrl,
  ) {
    const offset = indexOfPage(page, limit);
    const rows = await selectPlatformPage(this.db, { ...owner, offset, limit });
    const wanting = {
      include: { history },
      resolveUrl,
      shape: (record: BatchedImageRecord) => record,
    };
    return { rows, items: await this.images.page(rows, wanting) };
  }
}

const paging = (count: number, total: number, { page, page_size }: PlatformPageFields) => ({
  count,
  total_count: total,
  page,
  page_size,
  total_pages: Math.ceil(total / page_size),
});
