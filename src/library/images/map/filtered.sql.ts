import { parameters, row, rows, type Bind, type Queryable } from '../../../database/sql.js';
import {
  areaOfTile,
  maxClusters,
  touchedCells,
  type Area,
  type ClusterRow,
} from './clusters.sql.js';
import { soughtAnywhere } from '../list/conditions.sql.js';
import { matchesOf } from '../list/search.sql.js';
import { usersIn } from './own-cells.sql.js';
import { clusterLayer, imageLayer, pointAt, maxPoints, type TileOptions } from './tile.sql.js';
import { newestFirst, timeOf } from '../page.sql.js';
import { cellZoom, gridOf, keptFor, type Tile } from './cells.js';
import type { MapFilter, MapOwner } from './schemas.js';

/** Conditions on images `i` that indexes support: the period, with or without places. */
const ofPeriod = ({ from, to, time = 'created_at' }: MapFilter, bind: Bind): string =>
  [
    ...(from ? [` AND ${timeOf(time)} >= ${bind(from)}`] : []),
    ...(to ? [` AND ${timeOf(time)} < ${bind(to)}`] : []),
  ].join('');

/** And the folder, without places. */
function ofFolder({ folderId }: MapFilter, bind: Bind): string {
  if (folderId === undefined) return '';
  return folderId === null ? ' AND i.folder_id IS NULL' : ` AND i.folder_id = ${bind(folderId)}`;
}

/** The other conditions. */
const byRow = ({ det, camera }: MapFilter, bind: Bind): string =>
  [
    ...(det === undefined ? [] : [det === null ? 'i.has_det IS NULL' : `i.has_det = ${bind(det)}`]),
    ...(camera === undefined ? [] : [`i.camera = ${bind(camera)}`]),
  ]
    .map((condition) => ` AND ${condition}`)
    .join('');

/**
 * Maximum number of images scanned for one response; if there are more, only the newest: see
 * `count_is_exact`.
 */
const maxScanned = 10_000;

/** Of images that indexes look up by words and the like, as many count: beyond them, in no order. */
const maxFound = 100_000;

const columns =
  'i.id, i.user_id, i.folder_id, i.created_at, i.has_det, i.camera, i.location, i.deleted_at';

/** In about the time of finding one image by its place, so many are scanned by time. */
const scannedForOne = 3;

/** SQL: whether a user's images are so few that all are scanned sooner than `found` ones are found. */
const hasFew = ({ kind }: MapOwner, found: string): string =>
  kind === 'users'
    ? `(SELECT active_images + trashed_images <= least(${maxScanned}, ${scannedForOne} * ${found})
        FROM users WHERE id = $1)`
    : 'false';

/**
 * SQL: the images of an area that match a filter (`matched`), and whether they are `complete`. If
 * the area has few images, and the user has many others, those of the area are scanned, otherwise
 * the newest ones that an index finds.
 */
function matches(owner: MapOwner, area: Area, zoom: number, filter: MapFilter, bind: Bind): string {
  const sought = filter.sought && soughtAnywhere(filter.sought, bind);
  if (sought) {
    return `
    ${matchesOf(sought, columns, `${maxFound + 1}`)},
    complete AS MATERIALIZED (SELECT count(*) <= ${maxFound} AS is_complete FROM match),
    matched AS MATERIALIZED (
      SELECT * FROM listed i WHERE i.location IS NOT NULL AND ${area.has('i.location')}
    )`;
  }
  const kept = keptFor(zoom);
  const period = ofPeriod(filter, bind);
  const folder = ofFolder(filter, bind);
  const others = byRow(filter, bind);
  const newest = `
    SELECT i.* FROM images i
    WHERE i.user_id = u.id${filter.folderId === undefined ? ' AND i.deleted_at IS NULL' : ''}${period}${folder}
    ORDER BY ${newestFirst(filter.time)} LIMIT ${maxScanned + 1}`;
  return `
    area_cell AS MATERIALIZED (
      ${touchedCells(owner, area, kept, bind)}
    ),
    way AS MATERIALIZED (
      SELECT a.images > ${maxScanned} OR ${hasFew(owner, 'a.images')} AS is_by_time
      FROM (SELECT coalesce(sum(active_images), 0) AS images FROM area_cell) AS a
    ),
    seen AS MATERIALIZED (
      SELECT ${columns}
      FROM area_cell c
      CROSS JOIN LATERAL (${usersIn(owner, 'c')}) AS u
      CROSS JOIN LATERAL (
        SELECT k.location, k.active_images, k.active_id FROM places k
        WHERE k.user_id = u.user_id AND k.cell >= c.cell
          AND k.cell < c.cell + ${2 ** (2 * (cellZoom - kept))} AND k.active_images > 0
        OFFSET 0
      ) AS p
      CROSS JOIN LATERAL (
        SELECT p.active_id AS id WHERE p.active_images = 1
        UNION ALL
        SELECT i.id FROM images i
        WHERE p.active_images > 1 AND i.user_id = u.user_id AND i.location = p.location
          AND i.deleted_at IS NULL${period}
      ) AS here
      CROSS JOIN LATERAL (SELECT * FROM images i WHERE i.id = here.id${period} OFFSET 0) AS i
      WHERE NOT (SELECT is_by_time FROM way)${folder}
      UNION ALL
      SELECT ${columns}
      FROM (
        SELECT i.*
        FROM (SELECT id FROM users WHERE ${owner.kind === 'users' ? 'id' : 'platform_id'} = $1) AS u
        CROSS JOIN LATERAL (${newest}) AS i
        WHERE (SELECT is_by_time FROM way)
        LIMIT ${maxScanned + 1}
      ) AS i
    ),
    complete AS MATERIALIZED (
      SELECT NOT (SELECT is_by_time FROM way) OR count(*) <= ${maxScanned} AS is_complete FROM seen
    ),
    located AS MATERIALIZED (
      SELECT i.* FROM (SELECT * FROM seen LIMIT ${maxScanned}) AS i
      WHERE i.location IS NOT NULL AND i.deleted_at IS NULL${others}
    ),
    matched AS MATERIALIZED (SELECT i.* FROM located i WHERE ${area.has('i.location')})`;
}

/**
 * The clusters of `matched`. @param columns additional columns of each cluster's newest image `c`.
 */
const clusters = (grid: number, columns: string): string => `
  SELECT DISTINCT ON (c.x, c.y) count(*) OVER (PARTITION BY c.x, c.y)::integer AS count,
         c.created_at AS active_at, c.id AS active_id, c.user_id, ${columns}
  FROM (
    SELECT m.*, map_x(m.location) >> ${cellZoom - grid} AS x, map_y(m.location) >> ${cellZoom - grid} AS y
    FROM matched m
  ) AS c
  ORDER BY c.x, c.y, c.created_at DESC, c.id DESC`;

/** A tile of the images that match a filter; undefined if it is empty. */
export async function selectFilteredTile(
  db: Queryable,
  owner: MapOwner,
  tile: Tile,
  filter: MapFilter,
  { pointsZoom, zone }: TileOptions,
): Promise<Buffer | undefined> {
  const { values, bind } = parameters(owner.id);
  const zoneSql = bind(zone);
  const found = matches(owner, areaOfTile(tile), tile.z, filter, bind);
  const grouped = clusterLayer(
    owner,
    zoneSql,
    clusters(gridOf(tile.z), `${pointAt(tile, 'c.location')} AS geom`),
    'CASE WHEN NOT (SELECT is_complete FROM complete) THEN false END',
  );
  const single = imageLayer(
    owner,
    zoneSql,
    `SELECT m.*, ${pointAt(tile, 'm.location')} AS geom FROM matched m`,
  );
  const one =
    tile.z < pointsZoom
      ? `(${grouped})`
      : `CASE WHEN (SELECT is_complete FROM complete)
                   AND (SELECT count(*) FROM matched) <= ${maxPoints}
              THEN (${single}) ELSE (${grouped}) END`;
  const answer = await row<{ mvt: Buffer | null }>(
    db,
    `WITH ${found} SELECT ${one} AS mvt`,
    values,
  );
  return answer?.mvt?.length ? answer.mvt : undefined;
}

export type FilteredCluster = ClusterRow & { readonly is_complete: boolean };

/** The clusters of the images that match a filter, at the finest zoom that has few enough. */
export async function selectFilteredClusters(
  db: Queryable,
  owner: MapOwner,
  area: Area,
  zoom: number,
  filter: MapFilter,
): Promise<FilteredCluster[]> {
  for (let grid = gridOf(zoom); ; grid -= 1) {
    const { values, bind } = parameters(owner.id);
    const columns = `map_x(c.location) AS x, map_y(c.location) AS y,
                     (SELECT is_complete FROM complete) AS is_complete`;
    const sql = `WITH ${matches(owner, area, keptFor(grid), filter, bind)}
                 SELECT * FROM (${clusters(grid, columns)}) AS g
                 LIMIT ${maxClusters + 1}`;
    const found = await rows<FilteredCluster>(db, sql, values);
    if (found.length <= maxClusters || grid <= gridOf(0)) return found.slice(0, maxClusters);
  }
}
