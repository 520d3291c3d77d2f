import { parameters, type Queryable } from '../../../database/sql.js';
import type { PagePosition } from '../../../http/paging/pages.js';
import { trashCondition } from '../images.sql.js';
import {
  pageIds,
  selectPage,
  type PageRange,
  type PageStatement,
  type RecordPage,
} from '../page.sql.js';
import { arrayOf, type Frame } from '../record.js';
import { isNarrow, pointOf, where } from './conditions.sql.js';
import type { Filter } from './schemas.js';

// Pages of lists sorted by distance.

export type NearFilter = Filter & Required<Pick<Filter, 'near'>>;

/** A page of images, nearest first, with their distances. */
export const selectNearest = (
  db: Queryable,
  userId: string,
  filter: NearFilter,
  range: PageRange,
): Promise<RecordPage> => selectPage(db, nearestPage(userId, filter, range), range);

/** The frame of their records. */
export const withDistances = (): Frame =>
  arrayOf(undefined, (distance) => `,"distance_m":${distance}}`);

/**
 * The statement of such a page. With other conditions, the index orders by distance on a sphere,
 * which is off by up to half a percent. It determines the radius that contains enough images;
 * everything within that radius is then ordered by distance on the ellipsoid.
 */
function nearestPage(
  userId: string,
  filter: NearFilter,
  { start, size }: PageRange,
): PageStatement {
  const limit = size + 1;
  if (!isNarrow(filter)) return nearestPageOfAll(userId, filter, start, limit);
  const { after, offset } = start;
  const { values, bind } = parameters(userId);
  const matches = where(filter, bind);
  const point = pointOf(filter.near.coordinates, bind);
  const distance = `ST_Distance(i.location, ${point})`;
  const from = after
    ? `AND (${distance}, i.id) > (${bind(after[0])}::float8, ${bind(after[1])}::uuid)`
    : '';
  const reach = `reach AS MATERIALIZED (
    SELECT max(distance) + 0.001 AS metres
    FROM (SELECT ${distance} AS distance FROM images i WHERE ${matches} ${from}
          ORDER BY i.location <-> ${point} LIMIT ${bind(offset + limit)}) AS enough
  )`;
  const within = `ST_DWithin(i.location, ${point}, (SELECT metres FROM reach))`;
  const ids = pageIds(
    {
      columns: [`${distance} AS distance`],
      where: `${matches} ${from} AND ${within}`,
      order: 'distance, i.id',
      offset,
      limit,
    },
    bind,
  );
  return { page: { before: [reach], ids, ...byDistance }, values };
}

/** A page whose ids come with their distance, which is rounded to millimeters, halves up. */
const byDistance = {
  key: 'ARRAY[page.distance::text, i.id::text]',
  beside: 'floor(page.distance * 1000 + 0.5) / 1000',
};

/**
 * The same without other conditions. Places with enough images are found through the sums of the
 * map's cells, at any distance from the point (docs/adr/0013).
 */
function nearestPageOfAll(
  userId: string,
  { trash, near: { coordinates, radius } }: NearFilter,
  { after, offset }: PagePosition,
  limit: number,
): PageStatement {
  const { latitude, longitude } = coordinates;
  const { values, bind } = parameters(userId, latitude, longitude, trash);
  const [beyond, within] = [bind(after?.[0] ?? -1), bind(radius ?? Infinity)];
  const rest = after
    ? `AND (place.distance, i.id) > (${beyond}::float8, ${bind(after[1])}::uuid)`
    : '';
  // OFFSET makes the planner run the subquery for each place.
  const ids = `
    SELECT i.id, place.distance
    FROM places_near($1, $2, $3, $4, ${beyond}, ${within}, ${bind(offset + limit)}) AS place
    CROSS JOIN LATERAL (
      SELECT here.id FROM images here
      WHERE here.user_id = $1 AND here.location = place.location ${trashCondition(trash, 'here')}
      OFFSET 0
    ) AS i
    WHERE true ${rest}
    ORDER BY place.distance, i.id
    OFFSET ${bind(offset)} LIMIT ${bind(limit)}`;
  return { page: { ids, ...byDistance }, values };
}
