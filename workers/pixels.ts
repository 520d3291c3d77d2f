import type { Coding } from '../src/imaging/ffmpeg.js';

/**
 * The side of the square that an image is fitted into while it is decoded; undefined: it keeps its
 * full size.
 */
export type Side = number | undefined;

/** An upright sRGB image of 8 bits per channel, without padding. */
export interface Pixels {
  readonly data: Buffer;
  readonly width: number;
  readonly height: number;
  /** 4 with an alpha channel, not premultiplied. */
  readonly channels: 3 | 4;
  /** Whether the decoder would have complained of any tile that it could not decode. */
  readonly whole?: boolean;
}

/** True if at least one pixel is not fully opaque. */
export function isTransparent({ data, channels }: Pixels): boolean {
  if (channels === 3) return false;
  for (let i = 3; i < data.length; i += 4) if (data[i] !== 255) return true;
  return false;
}

/** Whether an EXIF orientation exchanges width and height. */
export const turnsSides = (orientation = 1): boolean => orientation >= 5;

/** Turns pixels upright that are stored in an EXIF orientation. */
export function upright(pixels: Pixels, orientation = 1): Pixels {
  if (orientation === 1) return pixels;
  const { data, channels } = pixels;
  const [storedWidth, storedHeight] = [pixels.width, pixels.height];
  const isTurned = turnsSides(orientation);
  const [width, height] = isTurned ? [storedHeight, storedWidth] : [storedWidth, storedHeight];
  const fromRight = [2, 3, 7, 8].includes(orientation);
  const fromBottom = [3, 4, 6, 7].includes(orientation);
  const out = Buffer.alloc(data.length);
  for (let y = 0, to = 0; y < height; y++) {
    for (let x = 0; x < width; x++, to += channels) {
      const [column, row] = isTurned ? [y, x] : [x, y];
      const storedX = fromRight ? storedWidth - 1 - column : column;
      const storedY = fromBottom ? storedHeight - 1 - row : row;
      const from = (storedY * storedWidth + storedX) * channels;
      data.copy(out, to, from, from + channels);
    }
  }
  return { data: out, width, height, channels };
}

const bt601 = [0.299, 0.114] as const;
/** Weights of red and blue in luma, by the numbers of ITU-T H.273; 2 is unspecified. */
const weights = new Map<number, readonly [number, number]>([
  [1, [0.2126, 0.0722]],
  [2, bt601],
  [5, bt601],
  [6, bt601],
  [9, [0.2627, 0.0593]],
]);

/** Converts luma, blue difference, and red difference in place. @throws Error for an unsupported matrix. */
export function toRgb(pixels: Pixels, { matrix, fullRange }: Coding): Pixels {
  const weight = weights.get(matrix);
  if (!weight) throw new Error(`matrix ${matrix}`);
  const [kr, kb] = weight;
  const [black, lumaScale, chromaScale] = fullRange ? [0, 1, 1] : [16, 255 / 219, 255 / 224];
  const redOfCr = 2 * (1 - kr) * chromaScale;
  const blueOfCb = 2 * (1 - kb) * chromaScale;
  const greenOfCr = (redOfCr * kr) / (1 - kr - kb);
  const greenOfCb = (blueOfCb * kb) / (1 - kr - kb);
  const { data } = pixels;
  const rgb = new Uint8ClampedArray(data.buffer, data.byteOffset, data.length);
  for (let at = 0; at < data.length; at += 3) {
    const y = ((data[at] as number) - black) * lumaScale;
    const cb = (data[at + 1] as number) - 128;
    const cr = (data[at + 2] as number) - 128;
    rgb[at] = y + redOfCr * cr;
    rgb[at + 1] = y - greenOfCb * cb - greenOfCr * cr;
    rgb[at + 2] = y + blueOfCb * cb;
  }
  return pixels;
}
