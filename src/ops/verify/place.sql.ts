import { namesOf } from '../../database/columns.js';
import { rows, type Queryable } from '../../database/sql.js';
import {
  cellSumColumns,
  imageSumColumns,
  newestColumns,
} from '../../library/images/kept.entity.js';
import { each } from '../../library/statistics/entity.js';
import { compare, ofPlatform, sums } from './account.sql.js';

const imageSums = namesOf(imageSumColumns);
const newest = ['newest_active', 'newest_trashed', 'newest_upload'];

const newestOf = (state: string, condition: string): string =>
  `max(created_at) FILTER (WHERE ${condition}) AS ${state}_at,
   (array_agg(id ORDER BY created_at DESC, id DESC) FILTER (WHERE ${condition}))[1] AS ${state}_id`;
const sameNewest = (state: string): string =>
  `((image.${state}_at, image.${state}_id) IS NOT DISTINCT FROM (p.${state}_at, p.${state}_id))::integer
     AS newest_${state}`;

/** Each figure of `newest` is 1 if the place has the right image or time, 0 if not. */
export const placesAgainstImages = `
  WITH image AS (
    SELECT user_id, map_cell(location) AS cell, location, ${sums},
           ${newestOf('active', 'deleted_at IS NULL')},
           ${newestOf('trashed', 'deleted_at IS NOT NULL')},
           max(uploaded_at) AS uploaded_at,
           ${each(newest, (name) => `1 AS ${name}`)}
    FROM images WHERE location IS NOT NULL GROUP BY user_id, location
  )
  SELECT u.platform_id AS "platformId", u.id AS "userId",
         u.id || ' ' || ST_AsText(coalesce(image.location, p.location)) || ' ' || v.figure
           AS subject, v.expected, v.found
  FROM image
  FULL JOIN places p ON p.user_id = image.user_id AND p.cell = image.cell
    AND p.location = image.location
  JOIN users u ON u.id = coalesce(image.user_id, p.user_id)
  CROSS JOIN LATERAL (
    SELECT ${each(imageSums, (name) => `p.${name}`)},
           ${each(['active', 'trashed'], sameNewest)},
           (image.uploaded_at <= p.uploaded_at)::integer AS newest_upload
  ) AS place
  ${compare([...imageSums, ...newest], 'image', 'place')} AND ${ofPlatform('u.platform_id')}`;

/** The zooms of map_cells. */
const keptZooms = 'ARRAY[0, 6, 9, 12, 15, 18, 21, 24]';
const cellSums = namesOf(cellSumColumns);
const newestCell = namesOf(newestColumns);
const newestOfCell = ['newest_image'];

/** The figure of `newestOfCell` is 1 if the cell has the right image and platform, 0 if not. */
export const cellsAgainstPlaces = `
  WITH numbered AS (
    SELECT p.*, zoom, row_number() OVER (PARTITION BY user_id, zoom, cell >> (52 - 2 * zoom)
                                         ORDER BY active_at DESC NULLS LAST, active_id DESC) AS nth
    FROM places p CROSS JOIN unnest(${keptZooms}) AS zoom
  ),
  place AS (
    SELECT user_id, zoom, map_x(location) >> (26 - zoom) AS x,
           map_y(location) >> (26 - zoom) AS y, cell >> (52 - 2 * zoom) << (52 - 2 * zoom) AS cell,
           count(*) AS places, count(active_id) AS active_places,
           count(trashed_id) AS trashed_places,
           ${each(imageSums, (name) => `sum(${name}) AS ${name}`)},
           max(active_at) FILTER (WHERE nth = 1) AS active_at,
           (array_agg(active_id) FILTER (WHERE nth = 1))[1] AS active_id,
           max(cell) FILTER (WHERE nth = 1 AND active_id IS NOT NULL) AS active_cell,
           1 AS newest_image
    FROM numbered
    GROUP BY 1, 2, 3, 4, 5
  )
  SELECT u.platform_id AS "platformId", u.id AS "userId",
         u.id || ' ' || coalesce(place.zoom, c.zoom) || '/' || coalesce(place.x, c.x) || '/'
           || coalesce(place.y, c.y) || ' ' || v.figure AS subject, v.expected, v.found
  FROM place
  FULL JOIN map_cells c ON c.user_id = place.user_id AND c.zoom = place.zoom
    AND c.cell = place.cell AND c.x = place.x AND c.y = place.y
  JOIN users u ON u.id = coalesce(place.user_id, c.user_id)
  CROSS JOIN LATERAL (
    SELECT ${each(cellSums, (name) => `c.${name}`)},
           ((${each(newestCell, (name) => `c.${name}`)}, c.platform_id) IS NOT DISTINCT FROM
            (${each(newestCell, (name) => `place.${name}`)}, u.platform_id))::integer
             AS newest_image
  ) AS cell
  ${compare([...cellSums, ...newestOfCell], 'place', 'cell')} AND ${ofPlatform('u.platform_id')}`;

/** Rows of cells at all zooms that `platform_cell_changes` changes. */
const changedCells = `
  SELECT platform_id, zoom, cell >> (52 - 2 * zoom) << (52 - 2 * zoom) AS cell,
         gather_bits(cell) >> (26 - zoom) AS x, gather_bits(cell >> 1) >> (26 - zoom) AS y,
         active_images, active_at, active_id
  FROM platform_cell_changes CROSS JOIN unnest(${keptZooms}) AS zoom`;

/**
 * The figure `newest_image` is 1 if the newest image is known, 0 if not; older ones may be listed that
 * are gone.
 */
export const platformCellsAgainstCells = `
  WITH cell AS (
    SELECT platform_id, zoom, cell, x, y, sum(active_images) AS active_images,
           max(active_at) AS active_at, 1 AS newest_image
    FROM map_cells WHERE active_images > 0
    GROUP BY 1, 2, 3, 4, 5
  ),
  summed AS (
    SELECT platform_id, zoom, cell, x, y, sum(active_images) AS active_images,
           max(active_at) AS active_at
    FROM (
      SELECT platform_id, zoom, cell, x, y, active_images, active_at, active_id FROM platform_cells
      UNION ALL ${changedCells}
    ) AS part
    GROUP BY 1, 2, 3, 4, 5
  )
  SELECT o.id AS "platformId", o.id || ' ' || o.zoom || '/' || o.x || '/' || o.y || ' ' || v.figure
           AS subject, v.expected, v.found
  FROM cell c FULL JOIN summed s USING (platform_id, zoom, cell, x, y)
  CROSS JOIN LATERAL (SELECT platform_id AS id, zoom, x, y) AS o
  CROSS JOIN LATERAL (
    SELECT s.active_images, (s.active_at >= c.active_at)::integer AS newest_image
  ) AS sum
  ${compare(['active_images', 'newest_image'], 'c', 'sum')} AND ${ofPlatform('o.id')}`;

/** Rebuilds the places and cells of a user from the images. */
export const rebuildMap = (db: Queryable, userId: string): Promise<unknown> =>
  rows(db, 'SELECT rebuild_map($1)', [userId]);
