import { invalidField } from '../../../base/errors/catalogue.js';

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
const finestKept = 24;

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
