import { validate as isUuid } from 'uuid';
import { z } from 'zod';
import { ServiceError } from '../../base/errors/catalogue.js';
import { toMegabytes } from '../../base/units.js';
import { instantText, type Queryable } from '../../database/sql.js';
import type { MaybeBatched } from '../../http/paging/batches.js';
import { id, megabytes } from '../../http/record-fields.js';
import {
  cursorQuery,
  type ListTotals,
  numberedFields,
  numberedResult,
  type Page,
  type Pages,
} from '../../http/paging/pages.js';
import { indexOfPage, pageNumber } from '../../http/request-fields.js';
import type { Usage } from '../quota/usage.js';
import { newestFirst, selectPage, type PageRange, type RecordPage } from './page.sql.js';
import { runsOf, type Frame, type ResolveUrl } from './record.js';
import { imageRecord, withFields } from './schemas.js';
import type { Images } from './images.js';

interface PlatformPage {
  readonly platformId: string;
  /** Only this user's images. */
  readonly userId?: string;
}

/** The platform's users, in order. */
const countedUsers = `counted_users AS (
  SELECT id, active_images + trashed_images AS images,
         sum(active_images + trashed_images) OVER (ORDER BY id) AS through
  FROM users
  WHERE platform_id = $1 AND ($2::uuid IS NULL OR id = $2)
)`;

/** How many images of each user to skip and to take, from an index on. */
const partAt = `part AS MATERIALIZED (
  SELECT id AS user_id, greatest($3::bigint - (through - images), 0)::bigint AS skip,
         (least(through, $3 + $4::bigint) - greatest(through - images, $3))::bigint AS take
  FROM counted_users
  WHERE images > 0 AND through > $3 AND through - images < $3 + $4
)`;

const idsAt = `
  SELECT found.id FROM part
  CROSS JOIN LATERAL (
    SELECT i.id, i.created_at FROM images i WHERE i.user_id = part.user_id
    ORDER BY ${newestFirst()} OFFSET part.skip LIMIT part.take
  ) AS found
  ORDER BY part.user_id, found.created_at DESC, found.id DESC`;

/** The user of a cursor, and as many others as a page has images. */
const partAfter = `part AS MATERIALIZED (
  SELECT id AS user_id, CASE id WHEN $3 THEN $4::timestamptz ELSE 'infinity' END AS until_at
  FROM users
  WHERE platform_id = $1 AND ($2::uuid IS NULL OR id = $2) AND id >= $3
    AND (id = $3 OR active_images + trashed_images > 0)
  ORDER BY id LIMIT $6::bigint + 1
)`;

const idsAfter = `
  SELECT found.id FROM part
  CROSS JOIN LATERAL (
    SELECT i.id, i.created_at FROM images i
    WHERE i.user_id = part.user_id AND (i.created_at, i.id) < (part.until_at, $5::uuid)
    ORDER BY ${newestFirst()} LIMIT $6
  ) AS found
  ORDER BY part.user_id, found.created_at DESC, found.id DESC LIMIT $6`;

/**
 * Images of a platform's users, trash included, user by user and newest first. At an index, the
 * users' counters determine which users a page covers, and their ids come from an index-only scan.
 * All in one statement, so that counters and images are from the same snapshot.
 */
export function selectPlatformPage(
  db: Queryable,
  { platformId, userId }: PlatformPage,
  range: PageRange,
): Promise<RecordPage> {
  const { after, offset } = range.start;
  const page = {
    ...(after
      ? { before: [partAfter], ids: idsAfter }
      : { before: [countedUsers, partAt], ids: idsAt }),
    key: `ARRAY[i.user_id::text, ${instantText('i.created_at')}, i.id::text]`,
  };
  const values = [platformId, userId ?? null, ...(after ?? [offset]), range.size + 1];
  return selectPage(db, { page, values }, range);
}

export const platformPageQuery = z.object({
  with_history: withFields.with_history,
  page: pageNumber(1_000_000_000),
  ...cursorQuery,
});
type PlatformPageFields = z.output<typeof platformPageQuery>;

const imagesOfUser = z
  .object({ user_id: id, result: z.array(imageRecord) })
  .meta({ id: 'ImagesOfUser' });
type ImagesOfUser = z.output<typeof imagesOfUser>;

export const platformImages = z
  .object({ ...numberedResult, items: z.array(imagesOfUser) })
  .meta({ id: 'PlatformImages' });
type PlatformImagesPage = z.output<typeof platformImages>;

export const platformUserImages = z
  .object({ ...numberedResult, total_filesize_mb: megabytes, items: z.array(imageRecord) })
  .meta({ id: 'PlatformUserImages' });
type PlatformUserImagesPage = z.output<typeof platformUserImages>;

/** What platforms can see of their users' images, trash included. */
export class PlatformImages {
  constructor(
    private readonly db: Queryable,
    private readonly images: Images,
    private readonly usage: Usage,
    private readonly pages: Pages,
  ) {}

  /** Images of all users, ordered by user, then newest first; each page grouped by user. */
  async all(
    platformId: string,
    wanted: PlatformPageFields,
    resolveUrl: ResolveUrl,
  ): Promise<MaybeBatched<PlatformImagesPage>> {
    const totals = async (): Promise<ListTotals> => {
      const { images } = await this.usage.ofPlatform(platformId);
      return { items: images, bytes: 0 };
    };
    const page = await this.#page({ platformId }, wanted, totals);
    const items = this.images.list<ImagesOfUser>(page.found, resolveUrl, byUser());
    return { ...numberedFields(page, wanted), items };
  }

  /** Images of one user, newest first. */
  async ofUser(
    owner: { platformId: string; userId: string },
    wanted: PlatformPageFields,
    resolveUrl: ResolveUrl,
  ): Promise<MaybeBatched<PlatformUserImagesPage>> {
    if (!isUuid(owner.userId)) throw new ServiceError('user_not_found');
    const totals = async (): Promise<ListTotals> => {
      const usage = await this.usage.of(owner.userId, owner.platformId);
      return {
        items: usage.activeImages + usage.trashedImages,
        bytes: usage.activeBytes + usage.trashedBytes,
      };
    };
    const page = await this.#page(owner, wanted, totals);
    const items = this.images.list(page.found, resolveUrl);
    const total_filesize_mb = toMegabytes(page.totals.bytes);
    return { ...numberedFields(page, wanted), total_filesize_mb, items };
  }

  #page(
    owner: PlatformPage,
    { page: number, page_size: size, cursor, with_history: history }: PlatformPageFields,
    totals: () => Promise<ListTotals>,
  ): Promise<Page<RecordPage>> {
    const include = { history };
    return this.pages.of(
      { list: ['platform', owner], index: indexOfPage(number, size), cursor, size },
      { find: (start) => selectPlatformPage(this.db, owner, { start, size, include }), totals },
    );
  }
}

/** A frame of users, each with its images. */
const byUser = (): Frame =>
  runsOf(
    (image) => image.field('user_id'),
    (userId) => `{"user_id":${userId},"result":[`,
    () => ']}',
  );
