import type { ImageFormat } from '../../src/imaging/port.js';
import { Refused } from '../refused.js';

/** The properties read from a file of one format. */
export interface Structure {
  readonly format: ImageFormat;
  readonly width: number;
  readonly height: number;
  /** Maximum memory that the decoder needs, on top of what every image needs. */
  readonly decoderBytes: number;
}

/**
 * Frames, pages, segments, or chunks that one file may have. Real files have a few hundred; a long
 * animation has some thousands. Some decoders need time quadratic in this number.
 */
const maxParts = 4_096;

export const corrupt = (what: string): Refused => new Refused('corrupt_image', what);
export const unsupported = (what: string): Refused => new Refused('unsupported_image', what);
export const tooLarge = (what: string): Refused => new Refused('image_too_large', what);
export const tooComplex = (what: string): Refused => new Refused('image_too_complex', what);

/** Counts parts, and rejects an image that has too many. */
export function counter(what: string, limit = maxParts): () => void {
  let count = 0;
  return () => {
    if (++count > limit) throw tooComplex(`more than ${limit} ${what}`);
  };
}

/** Estimates of the memory that decoders take, from measured peaks plus a margin. */

/** A pipeline including the renditions at its end. */
export const pipelineBytes = 16e6;

/** Rows of an image that a pipeline holds while it reads and shrinks them. */
const rowsHeld = 2_300;

/** Memory that a pipeline holds for a decoder that returns rows one by one. */
export const rowBytes = (width: number, height: number, pixelBytes: number): number =>
  width * Math.min(height, rowsHeld) * pixelBytes;
