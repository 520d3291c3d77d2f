import type { Pixels } from '../pixels.js';

const grey = 128;

/** Paints missing parts grey. */
export function paint({ data, channels }: Pixels, isMissing: (pixel: number) => boolean): void {
  for (let at = 0, pixel = 0; at < data.length; at += channels, pixel++) {
    if (!isMissing(pixel)) continue;
    data.fill(grey, at, at + 3);
    if (channels === 4) data[at + 3] = 255;
  }
}
