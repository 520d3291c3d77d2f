import type { Sharp } from 'sharp';
import { sharp } from './libvips.js';
import { DISPLAY_SIDE, type Pixels } from './pixels.js';
import { Refused } from './refused.js';

/** Thrown when a decoder was stopped at the soft limit. */
export class TooSlow extends Error {
  override readonly name = 'TooSlow';
}

/** Runs a pipeline to its pixels, fitted into the display square, converted to sRGB. */
export async function toPixels(pipeline: Sharp): Promise<Pixels> {
  const { data, info } = await pipeline
    .resize(DISPLAY_SIDE, DISPLAY_SIDE, { fit: 'inside', withoutEnlargement: true })
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height, channels: info.channels as 3 | 4 };
}

/**
 * Decodes all of the picture in `source` (of an animation the first frame) through libvips. JPEG and
 * WebP are scaled while they decode, so that memory and time follow the outputs.
 *
 * @throws Refused `corrupt_image`; TooSlow after `seconds`.
 */
export async function decode(
  source: string | Buffer,
  seconds: number,
  maxPixels: number,
): Promise<Pixels> {
  const pipeline = sharp(source, {
    // Warnings are common in pictures that every viewer shows; missing data is an error.
    failOn: 'error',
    sequentialRead: true,
    limitInputPixels: maxPixels,
  });
  try {
    return await toPixels(pipeline.timeout({ seconds }).autoOrient());
  } catch (error) {
    const { message } = error as Error;
    if (message.includes('timeout:')) throw new TooSlow(message);
    throw new Refused('corrupt_image', message);
  }
}
