/** Side of the square that display renditions fit into; also the largest image held as pixels. */
export const displaySide = 1024;

/** An upright sRGB image of 8 bits per channel, without padding, at most 1024 × 1024. */
export interface Pixels {
  readonly data: Buffer;
  readonly width: number;
  readonly height: number;
  /** 4 with an alpha channel, not premultiplied. */
  readonly channels: 3 | 4;
}

/** True if at least one pixel is not fully opaque. */
export function isTransparent({ data, channels }: Pixels): boolean {
  if (channels === 3) return false;
  for (let i = 3; i < data.length; i += 4) if (data[i] !== 255) return true;
  return false;
}
