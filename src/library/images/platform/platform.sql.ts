import { rows } from '../../../database/sql.js';
import type { Queryable } from '../../../database/sql.js';
import { newestFirst, pageQuery } from '../page.sql.js';
import type { ListedImage } from '../images.sql.js';
import { positionAtIndex } from '../list/range.sql.js';

export interface PlatformPage {
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
    ORDER BY ${newestFirst}
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
    order: `i.user_id, ${newestFirst}`,
    limit,
  });
  return rows(db, page, [platformId, userId ?? null, offset, limit]);
}
