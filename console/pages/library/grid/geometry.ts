/** Between tiles, in pixels. */
const gap = 8;
/** Above each row, where days begin. */
export const strip = 30;
/** Browsers draw no element that is higher: beyond this height, scrolling is scaled. */
const highest = 12_000_000;

/** Where the tiles of a list are. */
export interface Geometry {
  readonly columns: number;
  /** Width and height of a tile. */
  readonly tile: number;
  /** From row to row. */
  readonly pitch: number;
  readonly rows: number;
  /** Height of the scrolled content. */
  readonly height: number;
  readonly gap: number;
}

export function geometryOf(width: number, total: number): Geometry {
  const wanted = width < 640 ? 100 : 168;
  const columns = Math.max(2, Math.floor((width + gap) / (wanted + gap)));
  const tile = Math.max(1, Math.floor((width - gap * (columns - 1)) / columns));
  const pitch = tile + strip;
  const rows = Math.ceil(total / columns);
  return { columns, tile, pitch, rows, height: Math.min(rows * pitch, highest), gap };
}

export interface Sight {
  readonly top: number;
  readonly height: number;
}

/** How far down the list a scroll position is, in pixels of rows. */
export function depthOf({ rows, pitch, height }: Geometry, sight: Sight): number {
  const scrolls = Math.max(1, height - sight.height);
  return (sight.top * Math.max(0, rows * pitch - sight.height)) / scrolls;
}

/** The visible rows: the first, and the one after the last. */
export function rowsIn(geometry: Geometry, sight: Sight): readonly [number, number] {
  const depth = Math.max(0, depthOf(geometry, sight));
  const first = Math.floor(depth / geometry.pitch);
  return [first, Math.min(geometry.rows, Math.ceil((depth + sight.height) / geometry.pitch))];
}

/** The scroll position at which a row is visible: the present one, if it already is. */
export function topFor(geometry: Geometry, sight: Sight, row: number): number {
  const depth = depthOf(geometry, sight);
  const [start, end] = [row * geometry.pitch, (row + 1) * geometry.pitch];
  if (start >= depth && end <= depth + sight.height) return sight.top;
  const wanted = start < depth ? start : end - sight.height;
  const hidden = Math.max(1, geometry.rows * geometry.pitch - sight.height);
  return (wanted * Math.max(0, geometry.height - sight.height)) / hidden;
}
