import { parameters, rows, type Queryable, type Bind } from '../../../database/sql.js';
import {
  axisRangesOf,
  cellsOf,
  cellZoom,
  coverOf,
  gridOf,
  keptBefore,
  keptFor,
  touches180,
  type AxisRange,
  type Box,
  type CellRange,
  type Tile,
} from './cells.js';
import { clustersOf, ownCells, usersIn } from './own-cells.sql.js';
import type { MapOwner } from './schemas.js';

// The areas that maps show, as SQL, and the clusters of the images in them.

/** An area in which images are searched; its members are SQL. */
export interface Area {
  /** Ranges of cells that cover the area, at a zoom or coarser. */
  readonly ranges: (zoom: number) => readonly CellRange[];
  /** Whether a cell of map_cells may have places in the area. */
  readonly touches: (cell: string) => string;
  /** Whether all places of a cell are in the area. */
  readonly contains: (cell: string) => string;
  /** Whether a location is in the area. */
  readonly has: (location: string) => string;
}

export function areaOfTile(tile: Tile): Area {
  const { z, x, y } = tile;
  const at = (axis: 'x' | 'y', location: string): string =>
    `map_${axis}(${location}) >> ${cellZoom - z}`;
  return {
    ranges: () => [cellsOf(tile)],
    touches: () => 'true',
    contains: () => 'true',
    has: (location) =>
      z === 0 ? 'true' : `(${at('x', location)} = ${x} AND ${at('y', location)} = ${y})`,
  };
}

export function areaOfBox(box: Box): Area {
  const axes = axisRangesOf(box);
  const { x, y, xInside, yInside } = axes;
  const first = (axis: string, c: string): string => `(${c}.${axis} << (${cellZoom} - ${c}.zoom))`;
  const end = (axis: string, c: string): string =>
    `((${c}.${axis} + 1) << (${cellZoom} - ${c}.zoom))`;
  const overlaps = (axis: string, c: string, [from, to]: AxisRange): string =>
    `(${end(axis, c)} > ${from} AND ${first(axis, c)} <= ${to})`;
  const within = (axis: string, c: string, [from, to]: AxisRange): string =>
    `(${first(axis, c)} >= ${from} AND ${end(axis, c)} <= ${to + 1})`;
  const any = (conditions: readonly string[]): string => `(${conditions.join(' OR ')})`;
  return {
    ranges: (zoom) => coverOf(axes, zoom),
    touches: (c) => `${any(x.map((range) => overlaps('x', c, range)))} AND ${overlaps('y', c, y)}`,
    contains: (c) => `${any(xInside.map((range) => within('x', c, range)))}
      AND ${within('y', c, yInside)}`,
    has: (location) => inBox(box, location),
  };
}

/** Whether a location is between the meridians and parallels. */
function inBox(box: Box, location: string): string {
  const { west, south, east, north } = box;
  const [longitude, latitude] = ['X', 'Y'].map((axis) => `ST_${axis}(${location}::geometry)`);
  const between =
    west > east
      ? `(${longitude} >= ${west} OR ${longitude} <= ${east})`
      : `${longitude} BETWEEN ${west} AND ${east}`;
  const meridian = touches180(box) ? ` OR abs(${longitude}) = 180` : '';
  return `((${between}${meridian}) AND ${latitude} BETWEEN ${south} AND ${north})`;
}

/** SQL: the cluster of a grid that a cell is in. */
export const gridCell = (zoom: number, cell: string): string =>
  `${cell} >> ${2 * (cellZoom - zoom)}`;

/** SQL: the ranges as rows. */
const rangeRows = (ranges: readonly CellRange[], bind: Bind): string =>
  `unnest(${bind(ranges.map(({ from }) => from))}::bigint[],
          ${bind(ranges.map(({ to }) => to))}::bigint[])`;

/** The cells of a kept zoom that touch an area, without empty ones. The owner is `$1`. */
export const touchedCells = (owner: MapOwner, area: Area, zoom: number, bind: Bind): string => `
  SELECT c.*
  FROM ${rangeRows(area.ranges(zoom), bind)} AS r (start, stop)
  CROSS JOIN LATERAL (
    SELECT k.* FROM (${ownCells(owner, { zoom: `${zoom}`, from: 'r.start', to: 'r.stop' })}) AS k
    WHERE ${area.touches('k')}
    OFFSET 0
  ) AS c`;

/** Maximum number of clusters in a response. */
export const maxClusters = 2_000;

/** Maximum number of cells: a cluster has at most 16, so more cells mean too many clusters. */
const maxCells = 16 * maxClusters;

/**
 * Cells on the edge of a box with no more places than this are read place by place. Those of a
 * platform are looked up by user, too.
 */
const placeByPlaceLimit = { users: 64, platforms: 8 } as const;

export interface ClusterRow {
  readonly count: number;
  readonly active_at: Date;
  readonly active_id: string;
  readonly user_id: string;
  /** Columns and rows of zoom 26. */
  readonly x: number;
  readonly y: number;
}

/** The clusters of the finest zoom up to `zoom` at which an area has few enough of them. */
export async function selectClusters(
  db: Queryable,
  owner: MapOwner,
  area: Area,
  zoom: number,
): Promise<ClusterRow[]> {
  for (let grid = gridOf(zoom); ;) {
    const found = await clustersIn(db, owner, area, grid);
    const cells = found[0]?.cells ?? 0;
    if (grid <= gridOf(0) || (cells <= maxCells && found.length <= maxClusters)) {
      return found.slice(0, maxClusters);
    }
    // With this many cells there are too many clusters at every zoom down to that of the next
    // coarser cells.
    grid = Math.max(gridOf(0), cells > maxCells ? keptBefore(keptFor(grid)) : grid - 1);
  }
}

// Descends from the cells that touch the area to those inside it and, on its edge, to the places.
// One statement, so that everything is from the same snapshot.
function clustersIn(
  db: Queryable,
  owner: MapOwner,
  area: Area,
  grid: number,
): Promise<(ClusterRow & { readonly cells: number })[]> {
  const { values, bind } = parameters(owner.id);
  const kept = keptFor(grid);
  const fewPlaces = placeByPlaceLimit[owner.kind];
  const columns = (of: string, gridCells: string): string =>
    `${of}.zoom, ${of}.cell, ${of}.places, ${of}.active_images, ${of}.active_at, ${of}.active_id,
     ${of}.active_cell, ${gridCells} AS grid, ${area.contains(of)} AS is_inside`;
  const end = `p.cell + (1::bigint << (52 - 2 * p.zoom))`;
  const parts = `
    SELECT c.grid, c.active_images AS images, c.active_at, c.active_id, c.active_cell,
           NULL::uuid AS user_id, c.zoom, c.cell
    FROM part c WHERE c.is_inside
    UNION ALL
    SELECT p.grid, c.active_images, c.active_at, c.active_id, c.cell, c.user_id, p.zoom, p.cell
    FROM part p
    CROSS JOIN LATERAL (${usersIn(owner, 'p')}) AS u
    CROSS JOIN LATERAL (
      SELECT k.* FROM places k
      WHERE k.user_id = u.user_id AND k.cell >= p.cell AND k.cell < ${end}
        AND k.active_images > 0 AND ${area.has('k.location')}
      OFFSET 0
    ) AS c
    WHERE NOT p.is_inside AND (p.places <= ${fewPlaces} OR p.zoom = 24)`;
  return rows(
    db,
    `WITH RECURSIVE found AS MATERIALIZED (
       ${touchedCells(owner, area, kept, bind)}
       LIMIT ${maxCells + 1}
     ),
     part AS (
       SELECT ${columns('c', gridCell(grid, 'c.cell'))} FROM found c
       UNION ALL
       SELECT ${columns('c', 'p.grid')}
       FROM part p
       CROSS JOIN LATERAL (
         SELECT k.* FROM (${ownCells(owner, { zoom: 'p.zoom + 3', from: 'p.cell', to: end })}) AS k
         WHERE ${area.touches('k')}
         OFFSET 0
       ) AS c
       WHERE NOT p.is_inside AND p.places > ${fewPlaces} AND p.zoom < 24
     )
     SELECT c.count, c.active_at, c.active_id, c.user_id, gather_bits(c.active_cell) AS x,
            gather_bits(c.active_cell >> 1) AS y, (SELECT count(*)::integer FROM found) AS cells
     FROM (${clustersOf(owner, parts)}) AS c
     LIMIT ${maxClusters + 1}`,
    values,
  );
}
