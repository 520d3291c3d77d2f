import type { ImageFormat } from '../../src/imaging/port.js';
import { Refused } from '../refused.js';

/** What the walk through a file of one format found. */
export interface Structure {
  readonly format: ImageFormat;
  readonly width: number;
  readonly height: number;
  /** Bytes that the decoder needs at most, beside what every picture needs. */
  readonly decoderBytes: number;
}

/**
 * Frames, pages, segments or chunks that one file may have. Real ones have a few hundred; a long
 * animation has some thousands. Some decoders need time with the square of it.
 */
const maxParts = 4_096;

export const corrupt = (what: string): Refused => new Refused('corrupt_image', what);
export const unsupported = (what: string): Refused => new Refused('unsupported_image', what);
export const tooLarge = (what: string): Refused => new Refused('image_too_large', what);
export const tooComplex = (what: string): Refused => new Refused('image_too_complex', what);

/** Counts parts, and refuses the picture that has too many. */
export function counter(what: string, limit = maxParts): () => void {
  let count = 0;
  return () => {
    if (++count > limit) throw tooComplex(`more than ${limit} ${what}`);
  };
}
