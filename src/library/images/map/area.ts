import type { Bind } from '../../../database/sql.js';
import { coverOf, axisRangesOf, touches180, type Box, type AxisRange } from './box.js';
import { cellsOf, cellZoom, type CellRange, type Tile } from './tile.js';

/** The images that a map shows; if empty, all that are not in the trash. */
export interface MapFilter {
  readonly from?: Date;
  /** Exclusive. */
  readonly to?: Date;
  /** null: the top level. */
  readonly folderId?: string | null;
  /** null: not entered. */
  readonly det?: boolean | null;
}

export const isFiltered = (filter: MapFilter): boolean =>
  Object.values(filter).some((value) => value !== undefined);

/** Conditions on images `i` that an index supports. */
export const byIndex = ({ from, to, folderId }: MapFilter, bind: Bind): string =>
  [
    ...(from ? [`i.created_at >= ${bind(from)}`] : []),
    ...(to ? [`i.created_at < ${bind(to)}`] : []),
    ...(folderId === undefined
      ? []
      : [folderId === null ? 'i.folder_id IS NULL' : `i.folder_id = ${bind(folderId)}`]),
  ]
    .map((condition) => ` AND ${condition}`)
    .join('');

/** The other conditions. */
export const byRow = ({ det }: MapFilter, bind: Bind): string =>
  det === undefined
    ? ''
    : ` AND ${det === null ? 'i.has_det IS NULL' : `i.has_det = ${bind(det)}`}`;

interface Requested {
  /** When the link that gives access was signed, in seconds since 1970; none with a token. */
  readonly linkedAt?: number;
}

/** The owner of a map: a user, optionally restricted to a platform, or all users of a platform. */
export type MapOwner = Requested &
  (
    | { readonly kind: 'users'; readonly id: string; readonly platformId?: string }
    | { readonly kind: 'platforms'; readonly id: string }
  );

/** The column of map_cells that identifies the owner. */
export const columnOf = ({ kind }: Pick<MapOwner, 'kind'>): 'user_id' | 'platform_id' =>
  kind === 'users' ? 'user_id' : 'platform_id';

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
