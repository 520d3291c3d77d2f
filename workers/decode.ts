import type { Sharp } from 'sharp';
import { sharp } from './libvips.js';
import { DISPLAY_SIDE, type Pixels } from './pixels.js';
import { Refused } from './refused.js';

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
 * @throws Refused `corrupt_image`.
 */
export async function decode(source: string | Buffer, maxPixels: number): Promise<Pixels> {
  const pipeline = sharp(source, {
    // Warnings are common in pictures that every viewer shows; missing data is an error.
    failOn: 'error',
    sequentialRead: true,
    limitInputPixels: maxPixels,
  });
  try {
    return await toPixels(pipeline.autoOrient());
  } catch (error) {
    throw new Refused('corrupt_image', (error as Error).message);
  }
}
