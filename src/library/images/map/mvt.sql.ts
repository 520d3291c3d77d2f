import type { Tile } from './tile.js';
import { cellZoom } from './tile.js';
import type { MapOwner } from './owner.js';

// The two layers of tiles, as SQL that encodes rows.

/** Width and height of a tile, in its own units. */
const extent = 4096;

const inTile = (position: string): string =>
  `least(${extent - 1}, greatest(0, floor((${position}) * ${extent})))`;

/** The middle of a cell of zoom 26, in units of a tile. */
export const pointOfCell = ({ z, x, y }: Tile, cell: string): string => {
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
