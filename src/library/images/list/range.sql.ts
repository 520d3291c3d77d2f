import { instantText, row } from '../../../database/sql.js';
import type { Queryable } from '../../../database/sql.js';
import type { TrashFilter } from '../images.sql.js';
import { countSql } from '../totals/totals.sql.js';
import type { PagePosition } from '../../../http/paging/page-cursors.js';

/**
 * Finds the position in a user's images, newest first, that this many images precede, by summing
 * the range counts (docs/adr/0006): `until_at` and `until_id` are the key that it follows, null at
 * the newest, and `rest` is the number of images still in between. No row past the last image.
 * @param counts columns of a range, such as `active_images`.
 */
export const positionAtIndex = (userId: string, counts: string, index: string): string => `
  SELECT until_at, until_id, ${index} - before AS rest
  FROM (
    SELECT from_at, from_id, ${counts} AS images,
           sum(${counts}) OVER newest - (${counts}) AS before,
           lag(from_at) OVER newest AS until_at, lag(from_id) OVER newest AS until_id
    FROM image_ranges WHERE user_id = ${userId}
    WINDOW newest AS (ORDER BY from_at DESC, from_id DESC)
  ) AS range
  WHERE before <= ${index} AND before + images > ${index}
  ORDER BY from_at DESC, from_id DESC LIMIT 1`;

/** Maximum number of images in a range; `rest` is less. */
export const longestRange = 2_000;

/** Past every image. */
const end: PagePosition = {
  after: ['-infinity', '00000000-0000-0000-0000-000000000000'],
  offset: 0,
};

/** The position of an index among a user's images, as SQL: no row past the last one. */
const startSql = (userId: string, trash: TrashFilter, index: string): string => `
  SELECT ${instantText('until_at')} AS at, until_id AS id, rest::integer
  FROM (${positionAtIndex(userId, countSql(trash), index)}) AS place`;

interface FoundStart {
  readonly at: string | null;
  readonly id: string | null;
  readonly rest: number;
}

/** The position that `startSql` finds. */
function startOf(found: FoundStart | undefined): PagePosition {
  if (!found) return end;
  const { at, id, rest } = found;
  return { offset: rest, ...(at !== null && id !== null && { after: [at, id] }) };
}

/**
 * Where the page at an index begins, among all images of a user or only those in or out of the
 * trash.
 */
export async function selectPageStart(
  db: Queryable,
  { userId, trash, index }: { userId: string; trash: TrashFilter; index: number },
): Promise<PagePosition> {
  const sql = startSql('$1', trash, '$2::integer');
  return startOf(await row<FoundStart>(db, sql, [userId, index]));
}
