import { coverOf, axisRangesOf, touches180 } from './box.js';
import type { Box, AxisRange } from './box.js';
import { cellsOf, cellZoom } from './tile.js';
import type { CellRange, Tile } from './tile.js';

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
    has: (location) => `(${at('x', location)} = ${x} AND ${at('y', location)} = ${y})`,
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
