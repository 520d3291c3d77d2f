import { row, rows } from '../database/sql.js';
import type { Queryable } from '../database/sql.js';
import type { Place } from './place.js';
import { inTrash } from './queries.js';
import type { TrashFilter } from './queries.js';

export interface GroupPage {
  readonly userId: string;
  readonly trash: TrashFilter;
  readonly offset: number;
  readonly limit: number;
}

/** All that matched, counted, and a page of it. */
interface Matches {
  readonly total: number;
  /** Bytes of the current versions. */
  readonly bytes: number;
  readonly ids: readonly string[];
}

export interface NearMatches extends Matches {
  /** Metres on the ellipsoid, one for each id. */
  readonly distances: readonly number[];
}

const point = 'ST_SetSRID(ST_MakePoint($2, $3), 4326)::geography';

// The place is the same for all, but named here it lets the order come from the index: the planner
// does not take "= place" for fixing the index's second column.
const newestHere = 'ORDER BY i.location, i.created_at DESC, i.id DESC';

const found = async <M extends Matches>(
  db: Queryable,
  sql: string,
  parameters: unknown[],
): Promise<M> => {
  const matches = await row<M>(db, sql, parameters);
  if (!matches) throw new Error('an aggregate answered no row');
  return matches;
};

/** Images within `radius` metres on the ellipsoid, nearest first. */
export const selectWithin = (
  db: Queryable,
  { userId, trash, offset, limit }: GroupPage,
  { latitude, longitude }: Place,
  radius: number,
): Promise<NearMatches> =>
  found(
    db,
    `WITH near AS MATERIALIZED (
       SELECT i.id, i.bytes, ST_Distance(i.location, ${point}) AS distance
       FROM images i
       WHERE i.user_id = $1 AND ST_DWithin(i.location, ${point}, $4) ${inTrash(trash)}
     ),
     page AS (SELECT id, distance FROM near ORDER BY distance, id OFFSET $5 LIMIT $6)
     SELECT count(*) AS total, coalesce(sum(bytes), 0)::bigint AS bytes,
            ARRAY (SELECT id FROM page ORDER BY distance, id) AS ids,
            ARRAY (SELECT distance FROM page ORDER BY distance, id) AS distances
     FROM near`,
    [userId, longitude, latitude, radius, offset, limit],
  );

/** Images of exactly this place, newest first. */
export const selectAt = (
  db: Queryable,
  { userId, trash, offset, limit }: GroupPage,
  { latitude, longitude }: Place,
): Promise<Matches> => {
  const here = `FROM images i WHERE i.user_id = $1 AND i.location = ${point} ${inTrash(trash)}`;
  return found(
    db,
    `SELECT count(*) AS total, coalesce(sum(i.bytes), 0)::bigint AS bytes,
            ARRAY (SELECT i.id ${here} ${newestHere} OFFSET $4 LIMIT $5) AS ids
     ${here}`,
    [userId, longitude, latitude, offset, limit],
  );
};

export interface PlaceRow {
  /** Places, and bytes of the images at all of them. */
  readonly total: number;
  readonly bytes: number;
  /** Images at this place; null in the one row of an empty page. */
  readonly images: number | null;
  readonly newestId: string | null;
}

/** Places with their newest images, most recent first; one row without a place for an empty page. */
export const selectPlaces = (
  db: Queryable,
  { userId, trash, offset, limit }: GroupPage,
): Promise<PlaceRow[]> =>
  rows(
    db,
    `WITH place AS MATERIALIZED (
       SELECT i.location, count(*) AS images, max(i.created_at) AS latest, sum(i.bytes) AS bytes
       FROM images i
       WHERE i.user_id = $1 AND i.location IS NOT NULL ${inTrash(trash)}
       GROUP BY i.location
     ),
     sums AS (SELECT count(*) AS total, coalesce(sum(bytes), 0)::bigint AS bytes FROM place),
     page AS (SELECT * FROM place ORDER BY latest DESC, location OFFSET $2 LIMIT $3)
     SELECT sums.total, sums.bytes, page.images, newest.id AS "newestId"
     FROM sums LEFT JOIN page ON true LEFT JOIN LATERAL (
       SELECT i.id FROM images i
       WHERE i.user_id = $1 AND i.location = page.location ${inTrash(trash)}
       ${newestHere} LIMIT 1
     ) newest ON true
     ORDER BY page.latest DESC, page.location`,
    [userId, offset, limit],
  );
