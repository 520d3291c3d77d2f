/** The position of a picture in its frame: a factor to where it fits, and an offset in pixels. */
export interface Zoom {
  readonly scale: number;
  readonly x: number;
  readonly y: number;
}

export const fit: Zoom = { scale: 1, x: 0, y: 0 };

export interface Box {
  readonly width: number;
  readonly height: number;
}

/** What a zoom is limited by. */
export interface Extent {
  readonly frame: Box;
  /** The picture as it fits into the frame, turned as it is seen. */
  readonly shown: Box;
  /** The scale at which one pixel of the picture is one of the screen. */
  readonly real: number;
}

/** Quarter turns of a view, clockwise. */
export type Turns = 0 | 1 | 2 | 3;

const turned = ({ width, height }: Box, turns: Turns): Box =>
  turns % 2 === 0 ? { width, height } : { width: height, height: width };

/** The sides of a picture before it is turned, so that it fits into a frame once it is. */
export function fitted(picture: Box, frame: Box, turns: Turns): Box {
  const seen = turned(picture, turns);
  const by = Math.min(frame.width / seen.width, frame.height / seen.height);
  return { width: picture.width * by, height: picture.height * by };
}

export function extentOf(picture: Box, frame: Box, turns: Turns, pixelRatio: number): Extent {
  const box = fitted(picture, frame, turns);
  const real = box.width > 0 ? picture.width / (box.width * pixelRatio) : 1;
  return { frame, shown: turned(box, turns), real };
}

/** The pixels of a picture may become this many times larger than those of the screen. */
const largest = 8;

const within = (value: number, least: number, most: number): number =>
  Math.max(least, Math.min(most, value));

/** Limits the offset to the edges, so that no more than needed beside the picture is seen. */
function kept({ scale, x, y }: Zoom, { frame, shown }: Extent): Zoom {
  const reachX = Math.max(0, (shown.width * scale - frame.width) / 2);
  const reachY = Math.max(0, (shown.height * scale - frame.height) / 2);
  return { scale, x: within(x, -reachX, reachX), y: within(y, -reachY, reachY) };
}

/** Zooms in or out around a fixed point. @param at from the middle of the frame. */
export function zoomed(zoom: Zoom, factor: number, extent: Extent, at = { x: 0, y: 0 }): Zoom {
  const least = Math.min(1, extent.real);
  const most = Math.max(4, largest * extent.real);
  const scale = within(zoom.scale * factor, least, most);
  const by = scale / zoom.scale;
  return kept({ scale, x: at.x - (at.x - zoom.x) * by, y: at.y - (at.y - zoom.y) * by }, extent);
}

export const moved = (zoom: Zoom, x: number, y: number, extent: Extent): Zoom =>
  kept({ ...zoom, x: zoom.x + x, y: zoom.y + y }, extent);
