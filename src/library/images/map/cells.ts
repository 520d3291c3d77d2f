import { invalidField } from '../../../base/errors/catalogue.js';

// The geometry of maps: tiles, the cells of zoom 26 that sums are kept for, and boxes.

/** A tile of a Web Mercator map. */
export interface Tile {
  readonly z: number;
  readonly x: number;
  readonly y: number;
}

export const maxZoom = 22;

/** The zoom of `places.cell`. */
export const cellZoom = 26;

/** The zooms at which sums are kept in map_cells, from the whole world down. */
const keptZooms = [0, 6, 9, 12, 15, 18, 21, 24];
export const finestKept = 24;

/** The coarsest zoom with kept sums that is at least as fine. */
export const keptFor = (zoom: number): number =>
  keptZooms.find((kept) => kept >= zoom) ?? finestKept;

/** The next coarser zoom with kept sums. */
export const keptBefore = (zoom: number): number => keptZooms.findLast((kept) => kept < zoom) ?? 0;

/**
 * The zoom whose tiles are the clusters of a zoom: 16 by 16 of them in a tile, as far as sums are
 * kept.
 */
export const gridOf = (zoom: number): number => Math.min(zoom + 4, finestKept);

/** A range of cells of zoom 26, the end exclusive. */
export interface CellRange {
  readonly from: number;
  readonly to: number;
}

/** The cells of a tile: its x and y interleaved bit by bit, followed by any further bits. */
export function cellsOf({ z, x, y }: Tile): CellRange {
  let cell = 0n;
  for (let bit = 0; bit < z; bit += 1) {
    const pair = BigInt((x >> bit) & 1) | (BigInt((y >> bit) & 1) << 1n);
    cell |= pair << BigInt(2 * bit);
  }
  const shift = BigInt(2 * (cellZoom - z));
  return { from: Number(cell << shift), to: Number((cell + 1n) << shift) };
}

/** Reads the tile from a path. @throws ServiceError `invalid_field` if there is no such tile. */
export function readTile(path: Readonly<Record<'z' | 'x' | 'y', string>>): Tile {
  const z = numberIn(path, 'z', maxZoom);
  const last = 2 ** z - 1;
  return { z, x: numberIn(path, 'x', last), y: numberIn(path, 'y', last) };
}

function numberIn(path: Readonly<Record<string, string>>, name: string, most: number): number {
  const text = path[name] ?? '';
  const number = /^\d{1,7}$/.test(text) ? Number(text) : NaN;
  if (!(number <= most)) throw invalidField(name, `a whole number from 0 to ${most}`);
  return number;
}

/** An area between meridians and parallels, its edges included; across 180° if west is beyond east. */
export interface Box {
  readonly west: number;
  readonly south: number;
  readonly east: number;
  readonly north: number;
}

/** Parses `west,south,east,north`; undefined if it is invalid. */
export function readBox(text: string): Box | undefined {
  const parts = text.split(',').map((part) => part.trim());
  const [west = NaN, south = NaN, east = NaN, north = NaN] = parts.map((part) =>
    /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)$/.test(part) ? Number(part) : NaN,
  );
  const fits = Math.abs(west) <= 180 && Math.abs(east) <= 180 && -90 <= south && north <= 90;
  const isBox = parts.length === 4 && fits && south <= north;
  return isBox ? { west, south, east, north } : undefined;
}

/** Columns or rows of cells of zoom 26, both ends included. */
export type AxisRange = readonly [first: number, last: number];

/** The cells that a box touches, and those entirely inside it. */
interface AxisRanges {
  readonly x: readonly AxisRange[];
  readonly y: AxisRange;
  readonly xInside: readonly AxisRange[];
  readonly yInside: AxisRange;
}

const last = 2 ** cellZoom - 1;
const clamped = (cell: number): number => Math.max(0, Math.min(last, cell));
const column = (longitude: number): number =>
  clamped(Math.floor(((longitude + 180) / 360) * 2 ** cellZoom));

function row(latitude: number): number {
  if (Math.abs(latitude) > 86) return latitude > 0 ? 0 : last;
  const up = Math.asinh(Math.tan((latitude * Math.PI) / 180)) / Math.PI;
  return clamped(Math.floor(((1 - up) / 2) * 2 ** cellZoom));
}

/**
 * One more cell touched and one less inside, to be safe against rounding, except at the edges of
 * the map.
 */
const outer = (from: number, to: number): AxisRange => [clamped(from - 1), clamped(to + 1)];
const inner = (from: number, to: number, isEdge: readonly [boolean, boolean]): AxisRange => [
  isEdge[0] ? 0 : from + 2,
  isEdge[1] ? last : to - 2,
];

/** Whether 180°, which is -180°, is in a box. */
export const touches180 = ({ west, east }: Box): boolean =>
  west > east || west === -180 || east === 180;

export function axisRangesOf(box: Box): AxisRanges {
  const [from, to] = [column(box.west), column(box.east)];
  const [top, bottom] = [row(box.north), row(box.south)];
  const y = outer(top, bottom);
  const yInside = inner(top, bottom, [box.north === 90, box.south === -90]);
  if (box.west > box.east) {
    const x = [outer(from, last), outer(0, to)];
    return {
      x,
      y,
      xInside: [inner(from, last, [false, true]), inner(0, to, [true, false])],
      yInside,
    };
  }
  const meridian: AxisRange[] = touches180(box) && from > 1 ? [[0, 0]] : [];
  const xInside = [inner(from, to, [box.west === -180, box.east === 180])];
  return { x: [outer(from, to), ...meridian], y, xInside, yInside };
}

/** Maximum number of tiles, of one zoom, that cover a box; each is one range of cells. */
const maxTiles = 16;

/** The cells of the tiles that cover ranges of both axes, at zoom `finest` or coarser. */
export function coverOf({ x, y }: AxisRanges, finest: number): CellRange[] {
  for (let z = finest; ; z -= 1) {
    const shift = cellZoom - z;
    const columns = new Set(x.flatMap(([from, to]) => numbers(from >> shift, to >> shift)));
    const rows = numbers(y[0] >> shift, y[1] >> shift);
    if (z === 0 || columns.size * rows.length <= maxTiles) {
      return [...columns].flatMap((tileX) =>
        rows.map((tileY) => cellsOf({ z, x: tileX, y: tileY })),
      );
    }
  }
}

/** Stops after more than a cover may have. */
const numbers = (from: number, to: number): number[] =>
  Array.from({ length: Math.min(to - from, maxTiles) + 1 }, (_, n) => from + n);
