import { parameters, row, type Queryable } from '../../../database/sql.js';
import { gridCell } from './clusters.sql.js';
import { clustersOf, ownCells } from './own-cells.sql.js';
import type { MapOwner } from './schemas.js';
import { cellsOf, cellZoom, gridOf, keptFor, type Tile } from './cells.js';

// The two layers of tiles, as SQL that encodes rows.

/** Width and height of a tile, in its own units. */
const extent = 4096;

const inTile = (position: string): string =>
  `least(${extent - 1}, greatest(0, floor((${position}) * ${extent})))`;

/** The middle of a cell of zoom 26, in units of a tile. */
const pointOfCell = ({ z, x, y }: Tile, cell: string): string => {
  const size = 2 ** (cellZoom - z);
  return `ST_MakePoint(${inTile(`(gather_bits(${cell}) + 0.5) / ${size}::float8 - ${x}`)},
                       ${inTile(`(gather_bits(${cell} >> 1) + 0.5) / ${size}::float8 - ${y}`)})`;
};

/**
 * A location in units of a tile; 180° equals -180°, and locations beyond the map are moved to its
 * edge.
 */
export const pointAt = ({ z, x, y }: Tile, location: string): string => {
  const longitude = `(ST_X(${location}::geometry) + 180) / 360`;
  const latitude = `(1 - asinh(tan(radians(ST_Y(${location}::geometry)))) / pi()) / 2`;
  return `ST_MakePoint(${inTile(`(${longitude} - floor(${longitude})) * ${2 ** z}::float8 - ${x}`)},
                       ${inTile(`${latitude} * ${2 ** z}::float8 - ${y}`)})`;
};

/** The image's user, for maps of a platform. */
const owner = ({ kind }: MapOwner, of: string): string =>
  kind === 'platforms' ? `, ${of}.user_id` : '';

/**
 * @param rows with `geom`, `count`, `active_at`, `active_id` and `user_id`. @param zone a
 *   placeholder.
 */
export const clusterLayer = (
  map: MapOwner,
  zone: string,
  rows: string,
  exact = 'NULL::boolean',
): string => `
  SELECT ST_AsMVT(feature, 'clusters', ${extent}, 'geom') FROM (
    SELECT r.geom, r.count, r.active_id AS image_id,
           to_char(r.active_at AT TIME ZONE ${zone}, 'YYYYMMDD')::integer AS latest_created_at,
           ${exact} AS count_is_exact${owner(map, 'r')}
    FROM (${rows}) AS r
  ) AS feature`;

/** @param rows with `geom` and the columns of images, in any order. */
export const imageLayer = (map: MapOwner, zone: string, rows: string): string => `
  SELECT ST_AsMVT(feature, 'images', ${extent}, 'geom') FROM (
    SELECT r.geom, r.id AS image_id, r.folder_id,
           to_char(r.created_at AT TIME ZONE ${zone}, 'YYYYMMDD_HH24MISS') AS created_at,
           r.has_det${owner(map, 'r')}
    FROM (${rows}) AS r ORDER BY r.id
  ) AS feature`;

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
  const grid = gridOf(tile.z);
  const cellsAt = (zoom: number): string =>
    ownCells(owner, { zoom: `${zoom}`, from: '$2', to: '$3' });
  const clusters = clusterLayer(
    owner,
    zoneSql,
    `SELECT g.*, ${pointOfCell(tile, 'g.active_cell')} AS geom FROM (${clustersOf(
      owner,
      `SELECT ${gridCell(grid, 'c.cell')} AS grid, c.active_images AS images, c.active_at,
              c.active_id, c.active_cell, NULL::uuid AS user_id, c.zoom, c.cell
       FROM (${cellsAt(keptFor(grid))}) AS c`,
    )}) AS g`,
  );
  const within = keptFor(tile.z);
  const users =
    owner.kind === 'users'
      ? 'SELECT $1::uuid AS id'
      : `SELECT DISTINCT c.user_id AS id FROM map_cells c
         WHERE c.platform_id = $1 AND c.zoom = ${within} AND c.cell >= $2 AND c.cell < $3
           AND c.active_images > 0`;
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
      : `CASE WHEN (SELECT sum(c.active_images) FROM (${cellsAt(within)}) AS c) <= ${maxPoints}
              THEN (${points}) ELSE (${clusters}) END`;
  const found = await row<{ mvt: Buffer | null }>(db, `SELECT ${either} AS mvt`, values);
  return found?.mvt?.length ? found.mvt : undefined;
}
