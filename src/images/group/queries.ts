import { instantText, parameters, rows } from '../../database/sql.js';
import type { Queryable } from '../../database/sql.js';
import {
  countAndSum,
  newestFirst,
  newestKey,
  olderThan,
  pageIds,
  pageQuery,
} from '../page-queries.js';
import type { ListedRow } from '../page-queries.js';
import type { Place } from '../place.js';
import { inTrash } from '../queries.js';
import type { TrashFilter } from '../queries.js';
import type { Totals } from '../../paging/totals.js';
import type { Start } from '../../paging/page-cursors.js';

/** Whose images, and which of them. */
export interface Owned {
  readonly userId: string;
  readonly trash: TrashFilter;
}

const point = 'ST_SetSRID(ST_MakePoint($2, $3), 4326)::geography';
const here = (trash: TrashFilter): string =>
  `i.user_id = $1 AND i.location = ${point} ${inTrash(trash)}`;

/** How many images there are of exactly this place, and their bytes. */
export const sumAt = (
  db: Queryable,
  { userId, trash }: Owned,
  { latitude, longitude }: Place,
): Promise<Totals> =>
  countAndSum(db, `images i WHERE ${here(trash)}`, [userId, longitude, latitude]);

/**
 * Images of exactly this place, newest first. The place is the same for all, but in the order it
 * lets the index give it: the planner does not take "= place" for fixing the index's second column.
 */
export function selectAt(
  db: Queryable,
  { userId, trash }: Owned,
  { latitude, longitude }: Place,
  start: Start,
  limit: number,
): Promise<ListedRow[]> {
  const { values, bind } = parameters(userId, longitude, latitude);
  const where = `${here(trash)} ${olderThan(start, bind)}`;
  const order = `i.location, ${newestFirst}`;
  const ids = pageIds({ where, order, offset: start.offset, limit }, bind);
  return rows(db, pageQuery({ ids, key: newestKey, order: newestFirst, limit }), values);
}

/** How many places there are, and the bytes of the images at all of them. */
export const sumPlaces = (db: Queryable, { userId, trash }: Owned): Promise<Totals> =>
  countAndSum(
    db,
    `(SELECT sum(i.bytes) AS bytes FROM images i
      WHERE i.user_id = $1 AND i.location IS NOT NULL ${inTrash(trash)}
      GROUP BY i.location) AS place`,
    [userId],
  );

/** A place: its newest image, and how many there are. */
export type PlaceRow = ListedRow & { readonly images: number };

/**
 * Places, most recent first: the images that are the newest of their place. What is uploaded after
 * the walk began moves no place ahead of it: the key carries that instant on.
 */
export function selectPlaces(
  db: Queryable,
  { userId, trash }: Owned,
  start: Start,
  limit: number,
): Promise<PlaceRow[]> {
  const { values, bind } = parameters(userId);
  const began = start.after ? `${bind(start.after[2])}::timestamptz` : 'now()';
  const where = `i.user_id = $1 AND i.location IS NOT NULL ${inTrash(trash)}
    AND i.uploaded_at <= ${began} ${olderThan(start, bind)}
    AND NOT EXISTS (
      SELECT FROM images newer
      WHERE newer.user_id = $1 AND newer.location = i.location
        AND (newer.created_at, newer.id) > (i.created_at, i.id)
        AND newer.uploaded_at <= ${began} ${inTrash(trash, 'newer')}
    )`;
  const order = newestFirst;
  const ids = pageIds({ where, order, offset: start.offset, limit }, bind);
  const key = `${newestKey} || ${instantText(began)}`;
  const beside = `CROSS JOIN LATERAL (
    SELECT count(*) AS images FROM images same
    WHERE same.user_id = $1 AND same.location = i.location ${inTrash(trash, 'same')}
  ) AS place`;
  return rows(db, pageQuery({ ids, columns: ['place.images'], key, beside, order, limit }), values);
}
