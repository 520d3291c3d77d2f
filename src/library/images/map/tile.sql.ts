import { parameters, row } from '../../../database/sql.js';
import type { Queryable } from '../../../database/sql.js';
import { clusterLayer, imageLayer, pointAt, pointOfCell } from './mvt.sql.js';
import { columnOf } from './owner.js';
import type { MapOwner } from './owner.js';
import { cellsOf, cellZoom, gridOf, keptFor } from './tile.js';
import type { Tile } from './tile.js';

/**
 * Maximum number of single images in a tile, so that it stays below 100 KB; beyond that, it shows
 * clusters.
 */
export const maxPoints = 800;

export interface TileOptions {
  /** The first zoom at which single images are shown. */
  readonly pointsZoom: number;
  /** Name of the time zone. */
  readonly zone: string;
}

/** SQL: the cluster of a grid that a cell is in. */
export const gridCell = (zoom: number, cell: string): string =>
  `${cell} >> ${2 * (cellZoom - zoom)}`;

/**
 * The clusters among cells: their count, and the newest image.
 * @param cells SQL of rows with `grid`, `images`, and the newest image.
 */
export const clustersOf = (cells: string): string => `
  SELECT DISTINCT ON (c.grid) c.grid, (sum(c.images) OVER (PARTITION BY c.grid))::integer AS count,
         c.active_at, c.active_id, c.active_cell, c.user_id
  FROM (${cells}) AS c
  ORDER BY c.grid, c.active_at DESC, c.active_id DESC`;

/** A tile from kept sums; undefined if it is empty. */
export async function selectTile(
  db: Queryable,
  owner: MapOwner,
  tile: Tile,
  { pointsZoom, zone }: TileOptions,
): Promise<Buffer | undefined> {
  const { from, to } = cellsOf(tile);
  const { values, bind } = parameters(owner.id, from, to);
  const zoneSql = bind(zone);
  const column = columnOf(owner);
  const grid = gridOf(tile.z);
  const cellsAt = (zoom: number): string =>
    `map_cells c WHERE c.${column} = $1 AND c.zoom = ${zoom} AND c.cell >= $2 AND c.cell < $3
       AND c.active_images > 0`;
  const clusters = clusterLayer(
    owner,
    zoneSql,
    `SELECT g.*, ${pointOfCell(tile, 'g.active_cell')} AS geom FROM (${clustersOf(
      `SELECT ${gridCell(grid, 'c.cell')} AS grid, c.active_images AS images, c.active_at,
              c.active_id, c.active_cell, c.user_id
       FROM ${cellsAt(keptFor(grid))}`,
    )}) AS g`,
  );
  const within = cellsAt(keptFor(tile.z));
  const users =
    owner.kind === 'users'
      ? 'SELECT $1::uuid AS id'
      : `SELECT DISTINCT c.user_id AS id FROM ${within}`;
  const points = imageLayer(
    owner,
    zoneSql,
    `SELECT i.*, ${pointAt(tile, 'p.location')} AS geom, u.id AS user_id
     FROM (${users}) AS u
     CROSS JOIN LATERAL (
       SELECT k.location FROM places k
       WHERE k.user_id = u.id AND k.cell >= $2 AND k.cell < $3 AND k.active_images > 0
       OFFSET 0
     ) AS p
     CROSS JOIN LATERAL (
       SELECT here.id, here.folder_id, here.created_at, here.has_det FROM images here
       WHERE here.user_id = u.id AND here.location = p.location AND here.deleted_at IS NULL
       OFFSET 0
     ) AS i`,
  );
  const either =
    tile.z < pointsZoom
      ? `(${clusters})`
      : `CASE WHEN (SELECT sum(c.active_images) FROM ${within}) <= ${maxPoints}
              THEN (${points}) ELSE (${clusters}) END`;
  const found = await row<{ mvt: Buffer | null }>(db, `SELECT ${either} AS mvt`, values);
  return found?.mvt?.length ? found.mvt : undefined;
}
