import type { Pixels } from '../pixels.js';

/** Shorter runs within a row, or smaller areas, may be part of the image itself. */
const minRun = 16;
const minPart = 1 / 200;

/** With Y, Cb, and Cr all zero, red and blue are zero, and green depends on the matrix. */
const isGreen = (red = 0, green = 0, blue = 0): boolean =>
  red === 0 && blue === 0 && green > 60 && green < 150;

export interface BlankTiles {
  /** Fraction of the pixels, 0 to 1. */
  readonly part: number;
  /** 1 for each blank pixel. */
  readonly mask: Uint8Array;
}

/** Finds the grid tiles that libheif could not decode and left blank. */
export function blankTiles({ data, width, channels }: Pixels): BlankTiles {
  const mask = new Uint8Array(data.length / channels);
  let blank = 0;
  let run = 0;
  for (let pixel = 0, at = 0; pixel < mask.length; pixel++, at += channels) {
    const green = data[at + 1];
    const isRepeated = pixel % width > 0 && green === data[at + 1 - channels];
    if (!isGreen(data[at], green, data[at + 2])) {
      run = 0;
      continue;
    }
    run = isRepeated ? run + 1 : 1;
    if (run < minRun) continue;
    const added = run === minRun ? minRun : 1;
    mask.fill(1, pixel + 1 - added, pixel + 1);
    blank += added;
  }
  const part = blank / mask.length;
  if (part >= minPart) return { part, mask };
  return { part: 0, mask: mask.fill(0) };
}
