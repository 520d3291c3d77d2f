/** Between tiles, in pixels. */
export const gap = 4;
/** Height of the name of a day. */
export const headHeight = 48;
/** Height of a line of the table. */
const lineHeight = 52;
/** On narrower screens, squares in columns use the room better than uncropped pictures. */
const narrow = 480;
/** Browsers draw no element that is higher: beyond this height, scrolling is scaled. */
const highest = 12_000_000;

/** How rows are filled: `columns` images each, or as many as fill them. */
export interface Geometry {
  readonly columns: number | undefined;
  readonly height: number;
  /** How wide all images are, as a part of their height; undefined: as they are. */
  readonly ratio: number | undefined;
}

/** @param wanted the size of pictures that the reader has chosen. */
export function geometryOf(width: number, wanted: number, isTable: boolean): Geometry {
  if (isTable) return { columns: 1, height: lineHeight, ratio: width / lineHeight };
  if (width >= narrow) return { columns: undefined, height: wanted, ratio: undefined };
  const columns = Math.max(2, Math.round((width + gap) / (wanted + gap)));
  const height = Math.max(1, Math.floor((width - gap * (columns - 1)) / columns));
  return { columns, height, ratio: 1 };
}

/** What the toolbar covers at the top of the window (base.css). */
export const covered = (): number =>
  parseFloat(getComputedStyle(document.documentElement).scrollPaddingTop) || 0;

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
