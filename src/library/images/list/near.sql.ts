import { parameters, row } from '../../../database/sql.js';
import type { Queryable } from '../../../database/sql.js';
import type { ListTotals } from '../../../http/paging/totals.js';
import type { PagePosition } from '../../../http/paging/page-cursors.js';
import { bytesIn, imagesIn } from '../kept-sums.js';
import type { PageStatement } from '../page.sql.js';
import { trashCondition } from '../images.sql.js';
import type { TrashFilter } from '../images.sql.js';
import type { Near } from './filter.js';

/** Images around a point, optionally only those in or out of the trash. */
export interface NearQuery {
  readonly trash: TrashFilter;
  readonly near: Near;
}

/** A page whose ids come with their distance, nearest first. */
export const byDistance = {
  columns: ['page.distance'],
  key: 'ARRAY[page.distance::text, i.id::text]',
  order: 'page.distance, i.id',
};

/**
 * Nearest first. Places with enough images are found through the sums of the map's cells, at any
 * distance from the point (docs/adr/0027).
 */
export function nearestPageOfAll(
  userId: string,
  { trash, near: { coordinates, radius } }: NearQuery,
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
  return { page: { ids, ...byDistance, limit }, values };
}

/** Number and total bytes of the user's images that have a location, or one within the radius. */
export async function sumNear(
  db: Queryable,
  userId: string,
  { trash, near: { coordinates, radius } }: NearQuery,
): Promise<ListTotals> {
  const { latitude, longitude } = coordinates;
  const sums = (from: string, values: readonly unknown[]) =>
    row<ListTotals>(
      db,
      `SELECT (${imagesIn(trash, 's')})::integer AS items, ${bytesIn(trash, 's')} AS bytes
       FROM ${from}`,
      [userId, ...values],
    );
  const found =
    radius === undefined
      ? await sums('map_cells s WHERE s.user_id = $1 AND s.zoom = 0', [])
      : await sums('sum_within($1, $2, $3, $4) AS s', [latitude, longitude, radius]);
  return found ?? { items: 0, bytes: 0 };
}
