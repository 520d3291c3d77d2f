import { rows } from '../../database/sql.js';
import type { Queryable } from '../../database/sql.js';
import { columnsFor } from '../queries.js';
import type { ListedImage } from '../queries.js';
import { placeOfIndex } from '../list/range-queries.js';

export interface PlatformPage {
  readonly platformId: string;
  /** Only this user's images. */
  readonly userId?: string;
  readonly offset: number;
  readonly limit: number;
}

/**
 * Images of a platform's users, trash included, user by user and newest first. The users' counters
 * tell which users a page falls on, and the kept ranges where in their images; there the ids are
 * found in the index alone. One statement, so that counters and images are of the same moment.
 */
export const selectPlatformPage = (db: Queryable, page: PlatformPage): Promise<ListedImage[]> =>
  rows(
    db,
    `WITH shelf AS (
       SELECT id, active_images + trashed_images AS images,
              sum(active_images + trashed_images) OVER (ORDER BY id) AS through
       FROM users
       WHERE platform_id = $1 AND ($2::uuid IS NULL OR id = $2)
     ),
     part AS MATERIALIZED (
       SELECT id AS user_id, greatest($3::bigint - (through - images), 0)::bigint AS skip,
              (least(through, $3 + $4::bigint) - greatest(through - images, $3))::bigint AS take
       FROM shelf
       WHERE images > 0 AND through > $3 AND through - images < $3 + $4
     ),
     page AS MATERIALIZED (
       SELECT found.id FROM part
       CROSS JOIN LATERAL (${placeOfIndex('part.user_id', 'active_images + trashed_images', 'part.skip')}) AS start
       CROSS JOIN LATERAL (
         SELECT i.id FROM images i
         WHERE i.user_id = part.user_id
           AND (i.created_at, i.id) < (coalesce(start.until_at, 'infinity'), coalesce(start.until_id, '00000000-0000-0000-0000-000000000000'))
         ORDER BY i.created_at DESC, i.id DESC
         OFFSET start.rest LIMIT part.take
       ) AS found
     )
     SELECT ${columnsFor(page.limit)} FROM page JOIN images i USING (id)
     WHERE i.platform_id = $1
     ORDER BY i.user_id, i.created_at DESC, i.id DESC`,
    [page.platformId, page.userId ?? null, page.offset, page.limit],
  );
