/** Between tiles, in pixels. */
export const gap = 4;
/** Height of the name of a day. */
export const headHeight = 48;
/** Browsers draw no element that is higher: beyond this height, scrolling is scaled. */
const highest = 12_000_000;

/** How wide tiles are, and how many fit beside each other. */
export interface Geometry {
  readonly columns: number;
  /** Width and height of a tile. */
  readonly tile: number;
}

/** @param wanted width of a tile that the reader has chosen. */
export function geometryOf(width: number, wanted: number): Geometry {
  const columns = Math.max(2, Math.round((width + gap) / (wanted + gap)));
  return { columns, tile: Math.max(1, Math.floor((width - gap * (columns - 1)) / columns)) };
}

/** The visible part of a scrolled list. */
export interface Sight {
  /** Pixels that the list is scrolled; negative while its beginning is below the top. */
  readonly top: number;
  readonly height: number;
}

/** Height of the element that is scrolled. */
export const drawnHeight = (height: number): number => Math.min(height, highest);

/** How far down a list of some height a scroll position is. */
export function depthOf(height: number, { top, height: seen }: Sight): number {
  const scrolls = Math.max(1, drawnHeight(height) - seen);
  return top <= 0 ? top : (top * Math.max(1, height - seen)) / scrolls;
}

/** The scroll position of a depth. */
export function topOf(height: number, depth: number, seen: number): number {
  const scrolls = Math.max(1, drawnHeight(height) - seen);
  return depth <= 0 ? depth : (depth * scrolls) / Math.max(1, height - seen);
}
