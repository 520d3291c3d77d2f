import { pngOfSize } from '../support/bombs.js';

/** A square PNG of one bit per pixel, all black: a few kilobytes for any number of pixels. */
export const bomb = (side: number): Buffer => pngOfSize(side, side);
