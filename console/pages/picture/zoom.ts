/** The position of a picture in its frame: a factor, and an offset in pixels. */
export interface Zoom {
  readonly scale: number;
  readonly x: number;
  readonly y: number;
}

export const whole: Zoom = { scale: 1, x: 0, y: 0 };
const largest = 16;

export interface Box {
  readonly width: number;
  readonly height: number;
}

/** Limits the offset to the edges, so that the picture fills the frame. */
function kept({ scale, x, y }: Zoom, { width, height }: Box): Zoom {
  const reach = (length: number): number => (length * (scale - 1)) / 2;
  const within = (value: number, most: number): number => Math.max(-most, Math.min(most, value));
  return { scale, x: within(x, reach(width)), y: within(y, reach(height)) };
}

/** Zooms in or out around a fixed point. @param at from the middle of the frame. */
export function zoomed(zoom: Zoom, factor: number, frame: Box, at = { x: 0, y: 0 }): Zoom {
  const scale = Math.max(1, Math.min(largest, zoom.scale * factor));
  const by = scale / zoom.scale;
  return kept({ scale, x: at.x - (at.x - zoom.x) * by, y: at.y - (at.y - zoom.y) * by }, frame);
}

export const moved = (zoom: Zoom, x: number, y: number, frame: Box): Zoom =>
  kept({ ...zoom, x: zoom.x + x, y: zoom.y + y }, frame);
