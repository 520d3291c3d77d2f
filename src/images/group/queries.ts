import { instantText, parameters, rows } from '../../database/sql.js';
import type { Queryable } from '../../database/sql.js';
import { newestFirst, newestSortKey, olderThan, pageIds, pageQuery } from '../page-queries.js';
import type { ListedRow } from '../page-queries.js';
import { countAndSum } from '../totals-queries.js';
import type { Coordinates } from '../coordinates.js';
import { trashCondition } from '../queries.js';
import type { TrashFilter } from '../queries.js';
import type { ListTotals } from '../../paging/totals.js';
import type { PagePosition } from '../../paging/page-cursors.js';

/** Whose images, and which of them. */
export interface Owned {
  readonly userId: string;
  readonly trash: TrashFilter;
}

const point = 'ST_SetSRID(ST_MakePoint($2, $3), 4326)::geography';
const here = (trash: TrashFilter): string =>
  `i.user_id = $1 AND i.location = ${point} ${trashCondition(trash)}`;

/** Number and total bytes of the images at exactly this location. */
export const sumAtPlace = (
  db: Queryable,
  { userId, trash }: Owned,
  { latitude, longitude }: Coordinates,
): Promise<ListTotals> =>
  countAndSum(db, `images i WHERE ${here(trash)}`, [userId, longitude, latitude]);

/**
 * Images at exactly this location, newest first. The location is the same for all of them, but
 * naming it in the ORDER BY lets the index supply the order: the planner does not recognize that "=
 * location" fixes the index's second column.
 */
export function selectAtPlace(
  db: Queryable,
  { userId, trash }: Owned,
  { latitude, longitude }: Coordinates,
  start: PagePosition,
  limit: number,
): Promise<ListedRow[]> {
  const { values, bind } = parameters(userId, longitude, latitude);
  const where = `${here(trash)} ${olderThan(start, bind)}`;
  const order = `i.location, ${newestFirst}`;
  const ids = pageIds({ where, order, offset: start.offset, limit }, bind);
  return rows(db, pageQuery({ ids, key: newestSortKey, order: newestFirst, limit }), values);
}

/** Number of distinct locations, and total bytes of the images at all of them. */
export const sumPlaces = (db: Queryable, { userId, trash }: Owned): Promise<ListTotals> =>
  countAndSum(
    db,
    `(SELECT sum(i.bytes) AS bytes FROM images i
      WHERE i.user_id = $1 AND i.location IS NOT NULL ${trashCondition(trash)}
      GROUP BY i.location) AS place`,
    [userId],
  );

/** A location: its newest image, and the number of images there. */
export type PlaceRow = ListedRow & { readonly images: number };

/**
 * Locations, most recent first, each represented by its newest image. Uploads after paging began do
 * not move a location ahead of the cursor: the key carries that start time along.
 */
export function selectPlaces(
  db: Queryable,
  { userId, trash }: Owned,
  start: PagePosition,
  limit: number,
): Promise<PlaceRow[]> {
  const { values, bind } = parameters(userId);
  const began = start.after ? `${bind(start.after[2])}::timestamptz` : 'now()';
  const where = `i.user_id = $1 AND i.location IS NOT NULL ${trashCondition(trash)}
    AND i.uploaded_at <= ${began} ${olderThan(start, bind)}
    AND NOT EXISTS (
      SELECT FROM images newer
      WHERE newer.user_id = $1 AND newer.location = i.location
        AND (newer.created_at, newer.id) > (i.created_at, i.id)
        AND newer.uploaded_at <= ${began} ${trashCondition(trash, 'newer')}
    )`;
  const order = newestFirst;
  const ids = pageIds({ where, order, offset: start.offset, limit }, bind);
  const key = `${newestSortKey} || ${instantText(began)}`;
  const beside = `CROSS JOIN LATERAL (
    SELECT count(*) AS images FROM images same
    WHERE same.user_id = $1 AND same.location = i.location ${trashCondition(trash, 'same')}
  ) AS place`;
  return rows(db, pageQuery({ ids, columns: ['place.images'], key, beside, order, limit }), values);
}
