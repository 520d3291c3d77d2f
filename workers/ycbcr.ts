import type { Colours } from './hevc-decoder.js';
import type { Pixels } from './pixels.js';

const bt601 = [0.299, 0.114] as const;
/** Weights of red and blue in luma, by the numbers of ITU-T H.273; 2 is unspecified. */
const weights = new Map<number, readonly [number, number]>([
  [1, [0.2126, 0.0722]],
  [2, bt601],
  [5, bt601],
  [6, bt601],
  [9, [0.2627, 0.0593]],
]);

/**
 * Converts pixels whose channels are luma and the differences of blue and red.
 *
 * @throws Error for an unsupported matrix.
 */
export function toRgb(pixels: Pixels, { matrix, fullRange }: Colours): Pixels {
  const weight = weights.get(matrix);
  if (!weight) throw new Error(`matrix ${matrix}`);
  const [kr, kb] = weight;
  const [black, lumaScale, chromaScale] = fullRange ? [0, 1, 1] : [16, 255 / 219, 255 / 224];
  const redOfCr = 2 * (1 - kr) * chromaScale;
  const blueOfCb = 2 * (1 - kb) * chromaScale;
  const greenOfCr = (redOfCr * kr) / (1 - kr - kb);
  const greenOfCb = (blueOfCb * kb) / (1 - kr - kb);
  const { data } = pixels;
  const rgb = new Uint8ClampedArray(data.length);
  for (let at = 0; at < data.length; at += 3) {
    const y = ((data[at] as number) - black) * lumaScale;
    const cb = (data[at + 1] as number) - 128;
    const cr = (data[at + 2] as number) - 128;
    rgb[at] = y + redOfCr * cr;
    rgb[at + 1] = y - greenOfCb * cb - greenOfCr * cr;
    rgb[at + 2] = y + blueOfCb * cb;
  }
  return { ...pixels, data: Buffer.from(rgb.buffer) };
}
