import { z } from 'zod';
import { toMegabytes } from '../../base/units.js';
import { type Queryable, rows } from '../../database/sql.js';
import type { MaybeBatched } from '../../http/paging/batches.js';
import { id, megabytes } from '../../http/record-fields.js';
import { indexOfPage, defaultPageSize, pageNumber, pageSize } from '../../http/request-fields.js';
import type { Usage } from '../quota/usage.js';
import type { ListedImage } from './images.sql.js';
import { groupConsecutive } from './list/service.js';
import { positionAtIndex } from './list/whole.sql.js';
import { newestFirst, pageQuery } from './page.sql.js';
import type { ResolveUrl, BatchedImageRecord } from './record.js';
import { imageRecord, withFields } from './schemas.js';
import type { Images } from './service.js';

interface PlatformPage {
  readonly platformId: string;
  /** Only this user's images. */
  readonly userId?: string;
  readonly offset: number;
  readonly limit: number;
}

/** The platform's users, in order. */
const countedUsers = `counted_users AS (
  SELECT id, active_images + trashed_images AS images,
         sum(active_images + trashed_images) OVER (ORDER BY id) AS through
  FROM users
  WHERE platform_id = $1 AND ($2::uuid IS NULL OR id = $2)
)`;

/** How many images of each user to skip and to take. */
const part = `part AS MATERIALIZED (
  SELECT id AS user_id, greatest($3::bigint - (through - images), 0)::bigint AS skip,
         (least(through, $3 + $4::bigint) - greatest(through - images, $3))::bigint AS take
  FROM counted_users
  WHERE images > 0 AND through > $3 AND through - images < $3 + $4
)`;

const ids = `
  SELECT found.id FROM part
  CROSS JOIN LATERAL (${positionAtIndex('part.user_id', 'active_images + trashed_images', 'part.skip')}) AS start
  CROSS JOIN LATERAL (
    SELECT i.id FROM images i
    WHERE i.user_id = part.user_id
      AND (i.created_at, i.id) < (coalesce(start.until_at, 'infinity'), coalesce(start.until_id, '00000000-0000-0000-0000-000000000000'))
    ORDER BY ${newestFirst()}
    OFFSET start.rest LIMIT part.take
  ) AS found`;

/**
 * Images of a platform's users, trash included, user by user and newest first. The users' counters
 * determine which users a page covers, and the range counts where in their images it begins; from
 * there the ids come from an index-only scan. All in one statement, so that counters and images are
 * from the same snapshot.
 */
export function selectPlatformPage(
  db: Queryable,
  { platformId, userId, offset, limit }: PlatformPage,
): Promise<ListedImage[]> {
  const page = pageQuery({
    before: [countedUsers, part],
    ids,
    beside: 'WHERE i.platform_id = $1',
    order: `i.user_id, ${newestFirst()}`,
    limit,
  });
  return rows(db, page, [platformId, userId ?? null, offset, limit]);
}

export const platformPageQuery = z.object({
  with_history: withFields.with_history,
  page: pageNumber(1_000_000_000),
  page_size: pageSize.default(defaultPageSize),
});
type PlatformPageFields = z.output<typeof platformPageQuery>;

const pagingFields = {
  count: z.int().meta({ description: 'images in this response' }),
  total_count: z.int(),
  page: z.int(),
  page_size: z.int(),
  total_pages: z.int(),
};

const imagesOfUser = z
  .object({ user_id: id, result: z.array(imageRecord) })
  .meta({ id: 'ImagesOfUser' });

export const platformImages = z
  .object({ ...pagingFields, items: z.array(imagesOfUser) })
  .meta({ id: 'PlatformImages' });
type PlatformImagesPage = z.output<typeof platformImages>;

export const platformUserImages = z
  .object({ ...pagingFields, total_filesize_mb: megabytes, items: z.array(imageRecord) })
  .meta({ id: 'PlatformUserImages' });
type PlatformUserImagesPage = z.output<typeof platformUserImages>;

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
      of: ({ userId }) => userId,
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
